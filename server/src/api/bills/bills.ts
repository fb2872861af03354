import { Readable } from 'node:stream';
import {
  type Bill,
  billDaysMax,
  type BillFormat,
  billFormats,
  compareBills,
  deleteBill,
  exportComparison,
  fetchReport,
  importBill,
  listBills,
  readReport,
} from '@weir/contract/bills/bills';
import { vendorOf, vendors } from '@weir/contract/catalogue/vendors';
import { createReportReader } from '../../billing/bills/report-reader.ts';
import { AppError } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import type { Outbound } from '../../integrations/outbound.ts';
import { createReportFetch, hasReports } from '../../integrations/vendor-reports.ts';
import * as store from '../../store/bills/vendor-bills.ts';
import { readComparison } from './bill-comparison.ts';
import { comparisonCsv } from './comparison-csv.ts';

interface BillDeps {
  readonly outbound: Outbound;
  readonly clock: { now(): number };
}

const isFormat = (text: string): text is BillFormat => billFormats.some((format) => format === text);

const toBill = (row: store.StoredBill): Bill => ({
  id: row.id,
  vendor: row.vendor,
  source: row.source,
  format: isFormat(row.format) ? row.format : 'table',
  from: store.dayText(row.from_day),
  to: store.dayText(row.to_day),
  lines: row.lines,
  cost: row.cost,
  imported_at: row.imported_at,
  imported_by: row.imported_by,
});

const subjectOf = ({ vendor, source }: { readonly vendor: number; readonly source: string }): string =>
  [`bill of ${vendorOf(vendor)?.name ?? `type ${vendor}`}`, source].filter(Boolean).join(', ');

const checkOnce = (lines: readonly { readonly day: string; readonly model: string }[]): void => {
  const keys = new Set(lines.map(({ day, model }) => `${day}\n${model}`));
  if (keys.size < lines.length) throw new AppError('bill_lines');
};

const checkDays = (from: string, to: string): void => {
  const days = store.dayNumber(to) - store.dayNumber(from);
  if (!(days >= 0 && days < billDaysMax)) throw new AppError('bill_days', { limit: billDaysMax });
};

const readRoutes = (routes: Routes, { outbound }: BillDeps): void => {
  const { audit } = routes.deps;
  const read = createReportReader();
  const fetchTexts = createReportFetch(outbound);

  route(routes, readReport, async ({ body }) => ({ data: await read({ report: body.content }) }));

  route(routes, fetchReport, async ({ body, actor, request }) => {
    checkDays(body.from, body.to);
    if (!hasReports(body.vendor)) throw new AppError('report_unfetchable');
    const subject = subjectOf({ vendor: body.vendor, source: '' });
    const detail = `${body.from} to ${body.to}`;
    await audit.noteAlone({ request, actor: actor.user, action: 'fetch_bill', subject, detail });
    const pages = await fetchTexts(body);
    const format = body.vendor === vendors.openai.id ? 'openai_fetched' : 'anthropic_fetched';
    return { data: await read({ pages, format }) };
  });
};

const changeRoutes = (routes: Routes, { clock }: BillDeps): void => {
  const { audit, db } = routes.deps;

  route(routes, importBill, async ({ body, actor, request }) => {
    checkOnce(body.lines);
    const { user } = actor;
    const bill = { ...body, imported_at: Math.floor(clock.now() / 1000), imported_by: user.username };
    return db.write.transaction().execute(async (trx) => {
      const { id, replaced } = await store.insertBill(trx, bill);
      const days = body.lines.map(({ day }) => day).toSorted();
      const detail = `${body.lines.length} lines of ${days[0]} to ${days.at(-1)}, ${replaced} replaced`;
      await audit.note(trx, { request, actor: user, action: 'import_bill', subject: subjectOf(body), detail });
      return { data: { id, lines: body.lines.length, replaced } };
    });
  });

  route(routes, deleteBill, async ({ params, actor, request }) => {
    await db.write.transaction().execute(async (trx) => {
      const bill = await store.deleteBill(trx, params.id);
      if (bill === undefined) throw new AppError('not_found');
      const detail = `${store.dayText(bill.from_day)} to ${store.dayText(bill.to_day)}`;
      await audit.note(trx, { request, actor: actor.user, action: 'delete_bill', subject: subjectOf(bill), detail });
    });
    return {};
  });
};

/** Statements of vendors' bills, and their comparison with what passed through here. */
export const billRoutes = (routes: Routes, deps: BillDeps): void => {
  const { db } = routes.deps;
  const now = () => Math.floor(deps.clock.now() / 1000);

  route(routes, listBills, async () => ({ data: (await store.listBills(db)).map(toBill) }));
  readRoutes(routes, deps);
  changeRoutes(routes, deps);
  route(routes, compareBills, async ({ query }) => ({ data: await readComparison(db, query, now()) }));
  route(routes, exportComparison, async ({ query }) => {
    const { rows, from, to } = await readComparison(db, query, now());
    const wanted = query.flagged === 1 ? rows.filter(({ flagged }) => flagged) : rows;
    const content = Readable.from(comparisonCsv(wanted), { objectMode: false });
    return { file: { type: 'text/csv; charset=utf-8', name: `bill-${from}-${to}.csv`, content } };
  });
};
