import { type AlertKind, type AlertSubject, subjectsMax } from '@weir/contract/alerts/alerts';
import type { Reconciliation } from '@weir/contract/ledger';
import type { RefusalRule } from '@weir/contract/logs';
import {
  countRefusedModels,
  findDisabledChannels,
  findExpiringKeys,
  findLowBalances,
  sumEnabledAttempts,
  sumSpentHours,
} from '../../store/alerts/alert-figures.ts';
import { findSpentBudgets } from '../../store/budgets/list-budgets.ts';
import type { AlertRuleRow } from '../../store/alerts/alert-rules.ts';
import { slotSeconds } from '../../store/channels/channel-health.ts';
import { quantile } from '../../store/channels/latency-bands.ts';
import type { Database } from '../../store/database.ts';
import type { Certificates } from './certificates.ts';

/** What a rule finds: in a fixed order, of many some. Nothing is wrong where `count` is 0. */
export interface Found {
  readonly subjects: readonly AlertSubject[];
  readonly count: number;
}

export interface FindDeps {
  readonly db: Pick<Database, 'read'>;
  /** The last comparison of the ledger with the balances. */
  readonly reconciliation: () => Reconciliation;
  readonly certificates: Certificates;
}

type Rule = Pick<AlertRuleRow, 'threshold' | 'window_minutes' | 'least'>;
/** `now`: unix seconds. */
type Find = (deps: FindDeps, rule: Rule, now: number) => Promise<Found>;

const daySeconds = 86_400;
const hourSeconds = 3600;
const weekHours = 7 * 24;
/** Weeks that an hour is compared with, and of how many of them quota must be known. */
const weeksCompared = 4;
const weeksMin = 2;
const latencyShare = 0.95;

const all = (subjects: readonly AlertSubject[]): Found => ({
  subjects: subjects.slice(0, subjectsMax),
  count: subjects.length,
});

const firstSlot = ({ window_minutes }: Rule, now: number): number =>
  Math.floor((now - window_minutes * 60) / slotSeconds) + 1;

interface Attempts {
  readonly id: number;
  readonly name: string;
  succeeded: number;
  failed: number;
  /** Of those that succeeded, by band. */
  readonly times: Map<number, number>;
}

/** Attempts by channel in the window, where there are enough. Those of faulty requests do not count. */
const attemptsOf = async ({ db }: FindDeps, rule: Rule, now: number): Promise<readonly Attempts[]> => {
  const channels = new Map<number, Attempts>();
  for (const { id, name, outcome, band, count } of await sumEnabledAttempts(db, firstSlot(rule, now))) {
    const known = channels.get(id) ?? { id, name, succeeded: 0, failed: 0, times: new Map<number, number>() };
    channels.set(id, known);
    if (outcome === 'ok') {
      known.succeeded += count;
      known.times.set(band, (known.times.get(band) ?? 0) + count);
    } else if (outcome !== 'request') known.failed += count;
  }
  return [...channels.values()];
};

const channelSubject = ({ id, name }: Pick<Attempts, 'id' | 'name'>, value: number, note: string): AlertSubject => ({
  key: `channel ${id}`,
  name: `${name} (#${id})`,
  value,
  note,
});

const userBalance: Find = async ({ db }, { threshold }) => {
  const { rows, count } = await findLowBalances(db, { below: threshold, limit: subjectsMax });
  const subjects = rows.map(({ id, username, left }) => ({ key: `user ${id}`, name: username, value: left, note: '' }));
  return { subjects, count };
};

const budget: Find = async ({ db }, { threshold }, now) => {
  const { rows, count } = await findSpentBudgets(db.read, { percent: threshold, now, limit: subjectsMax });
  const subjects = rows.map((row) => ({
    key: `budget ${row.id}`,
    name: `${row.scope === 'model' ? row.model : [row.owner, row.token_name ?? row.member_name].filter(Boolean).join(' / ')} (#${row.id})`,
    value: Math.floor((row.spent * 100) / Math.max(1, row.granted)),
    note: row.period,
  }));
  return { subjects, count };
};

const channelDisabled: Find = async ({ db }) => {
  const channels = await findDisabledChannels(db);
  return all(channels.map((channel) => channelSubject(channel, 0, channel.status_reason.slice(0, 200))));
};

const channelErrors: Find = async (deps, rule, now) => {
  const channels = await attemptsOf(deps, rule, now);
  return all(
    channels.flatMap((channel) => {
      const total = channel.succeeded + channel.failed;
      if (total < rule.least || channel.failed * 100 < rule.threshold * total) return [];
      return [channelSubject(channel, Math.round((channel.failed * 100) / total), `${channel.failed}/${total}`)];
    }),
  );
};

const channelLatency: Find = async (deps, rule, now) => {
  const channels = await attemptsOf(deps, rule, now);
  return all(
    channels.flatMap((channel) => {
      if (channel.succeeded < rule.least) return [];
      const ms = quantile(channel.times, latencyShare);
      return ms > rule.threshold ? [channelSubject(channel, ms, 'p95')] : [];
    }),
  );
};

const unpriced: RefusalRule = 'model_unpriced';

const unpricedModel: Find = async ({ db }, rule, now) => {
  const models = await countRefusedModels(db, { rule: unpriced, from: now - rule.window_minutes * 60 });
  return all(
    models
      .filter(({ count }) => count >= rule.threshold)
      .map(({ model, count }) => ({ key: `model ${model}`, name: model, value: count, note: '' })),
  );
};

const ledgerMismatch: Find = async ({ reconciliation }) =>
  all(
    reconciliation().findings.map(({ rule, subject, expected, found }) => ({
      key: `${rule} ${subject}`,
      name: subject,
      value: found - expected,
      note: rule,
    })),
  );

const keyExpires: Find = async ({ db }, { threshold }, now) => {
  const before = now + threshold * daySeconds;
  const { rows, count } = await findExpiringKeys(db, { from: now, before, limit: subjectsMax });
  const subjects = rows.map(({ id, name, username, expired_time }) => ({
    key: `token ${id}`,
    name: `${username} / ${name} (#${id})`,
    value: expired_time,
    note: '',
  }));
  return { subjects, count };
};

const certificateExpires: Find = async ({ certificates }, { threshold }, now) => {
  const before = now + threshold * daySeconds;
  const ending = (await certificates(now)).filter(({ expires }) => expires < before);
  return all(
    ending
      .toSorted((one, other) => one.expires - other.expires || (one.server < other.server ? -1 : 1))
      .map(({ server, expires }) => ({ key: `certificate ${server}`, name: server, value: expires, note: '' })),
  );
};

/**
 * The running hour, and the one before it, each against the mean of the same hour of the week in past weeks. An hour
 * that is not over counts as far as it went: it can only be found unusual earlier.
 */
const spendAnomaly: Find = async ({ db }, { threshold, least }, now) => {
  const running = Math.floor(now / hourSeconds);
  const compared = [running - 1, running].map((hour) => ({
    hour,
    past: Array.from({ length: weeksCompared }, (_, index) => hour - (index + 1) * weekHours),
  }));
  const spent = await sumSpentHours(
    db,
    compared.flatMap(({ hour, past }) => [hour, ...past]),
  );
  const unusual = compared.flatMap(({ hour, past }) => {
    const quota = spent.get(hour) ?? 0;
    const known = past.filter((each) => spent.has(each));
    const usual = known.reduce((sum, each) => sum + (spent.get(each) ?? 0), 0) / Math.max(1, known.length);
    if (known.length < weeksMin || quota < least || quota * 100 < threshold * usual) return [];
    return [{ quota, hour, times: usual > 0 ? `×${(quota / usual).toFixed(1)}` : '' }];
  });
  const worst = unusual.toSorted((one, other) => other.quota - one.quota)[0];
  if (worst === undefined) return all([]);
  const name = `${new Date(worst.hour * hourSeconds * 1000).toISOString().slice(0, 13)}:00 UTC`;
  return all([{ key: 'spend', name, value: worst.quota, note: worst.times }]);
};

const finders: Readonly<Record<AlertKind, Find>> = {
  user_balance: userBalance,
  budget,
  channel_disabled: channelDisabled,
  channel_errors: channelErrors,
  channel_latency: channelLatency,
  unpriced_model: unpricedModel,
  ledger_mismatch: ledgerMismatch,
  key_expires: keyExpires,
  certificate_expires: certificateExpires,
  spend_anomaly: spendAnomaly,
};

const isKind = (kind: string): kind is AlertKind => kind in finders;

/** What a rule finds now; undefined: a kind of another version. */
export const findSubjects = async (deps: FindDeps, rule: AlertRuleRow, now: number): Promise<Found | undefined> =>
  isKind(rule.kind) ? finders[rule.kind](deps, rule, now) : undefined;
