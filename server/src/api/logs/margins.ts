import { Readable } from 'node:stream';
import { exportMargins, getMargins, marginLinesMax, type Margins } from '@weir/contract/margins';
import { route, type Routes } from '../../http/route.ts';
import { findChannelNames } from '../../store/channels/channels.ts';
import type { Database } from '../../store/database.ts';
import { everything } from '../../store/logs/log-filter.ts';
import { daySeconds, type Span } from '../../store/logs/log-pieces.ts';
import { type GroupedBy, sumLargest, sumTestCosts } from '../../store/logs/log-margins.ts';
import { addSums, noSums } from '../../store/logs/log-sums.ts';
import { findUsernames } from '../../store/users/users.ts';
import { dollarsOf, marginAmounts } from './costs.ts';
import { byteOrderMark, csvLine } from './csv.ts';

const usualDays = 7;
const daysMax = 366;
const usualLines = 100;
const exportedMax = 10_000;

type By = 'model' | 'channel' | 'user' | 'group';
const columns = {
  model: 'model_name',
  channel: 'channel_id',
  user: 'user_id',
  group: 'group',
} as const satisfies Record<By, GroupedBy>;

interface MarginQuery {
  readonly start_timestamp: number;
  readonly end_timestamp: number;
  readonly by: By;
  readonly model_name: string;
  readonly channel: number;
}

interface MarginScope {
  /** Unix seconds. */
  readonly now: number;
  readonly top: number;
  readonly quotaPerDollar: number;
}

const spanOf = ({ start_timestamp, end_timestamp }: MarginQuery, now: number): Span => {
  const before = end_timestamp > 0 ? Math.min(end_timestamp, now) + 1 : now + 1;
  const from = start_timestamp > 0 ? start_timestamp : before - usualDays * daySeconds;
  return { from: Math.max(0, Math.min(from, before), before - daysMax * daySeconds), before };
};

const titlesOf = async (db: Database, by: By, names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const ids = names.map(Number);
  if (by === 'channel') return findChannelNames(db, ids);
  return by === 'user' ? findUsernames(db, ids) : new Map();
};

/** Revenue, cost and margin of all users within a span. */
const readMargins = async (
  db: Database,
  query: MarginQuery,
  { now, top, quotaPerDollar }: MarginScope,
): Promise<Margins> => {
  const { by, model_name: modelName, channel } = query;
  const filter = { ...everything, modelName, channelId: Math.max(0, channel) };
  const span = spanOf(query, now);
  const [sums, tests] = await Promise.all([
    sumLargest(db, { filter, span, by: columns[by], top }),
    sumTestCosts(db, { filter, span }),
  ]);
  const titles = await titlesOf(
    db,
    by,
    sums.map(({ name }) => name).filter((name) => name !== null),
  );
  return {
    ...span,
    total: marginAmounts(sums.reduce(addSums, noSums), quotaPerDollar),
    tests: dollarsOf(tests),
    lines: sums.map(({ name, ...line }) => ({
      name,
      title: name === null ? '' : (titles.get(name) ?? name),
      ...marginAmounts(line, quotaPerDollar),
    })),
  };
};

const dayText = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString().slice(0, 10);

/** The lines as a table (RFC 4180) that no spreadsheet takes for formulas. */
const marginsCsv = function* ({ lines }: Margins, by: By): Generator<string> {
  const amounts = ['requests', 'revenue_usd', 'cost_usd', 'margin_usd', 'quota', 'quota_of_unknown_cost'];
  yield byteOrderMark + csvLine([by, 'name', ...amounts]);
  for (const { name, title, requests, revenue, cost, margin, quota, uncosted } of lines)
    yield csvLine([
      name ?? '',
      name === null ? 'all others' : title,
      requests,
      { decimal: revenue },
      { decimal: cost },
      { decimal: margin },
      quota,
      uncosted,
    ]);
};

/** What calls brought in, what they cost at vendors, and what is left: for administrators. */
export const marginRoutes = (routes: Routes, { clock }: { readonly clock: { now(): number } }): void => {
  const { db, options } = routes.deps;
  const read = (query: MarginQuery, top: number) =>
    readMargins(db, query, {
      now: Math.floor(clock.now() / 1000),
      top,
      quotaPerDollar: options.get('QuotaPerUnit'),
    });

  route(routes, getMargins, async ({ query }) => {
    const limit = query.limit > 0 ? Math.min(query.limit, marginLinesMax) : usualLines;
    return { data: await read(query, limit) };
  });
  route(routes, exportMargins, async ({ query }) => {
    const margins = await read(query, exportedMax);
    const name = `margin-${query.by}-${dayText(margins.from)}-${dayText(margins.before - 1)}.csv`;
    const content = Readable.from(marginsCsv(margins, query.by), { objectMode: false });
    return { file: { type: 'text/csv; charset=utf-8', name, content } };
  });
};
