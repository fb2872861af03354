import { vendors } from '@weir/contract/catalogue/vendors';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import { OutboundError, type Outbound } from './outbound.ts';
import { readJson } from './read-json.ts';

/** What is fetched from a vendor's interface for administrators. */
export interface ReportRequest {
  /** Channel type of the vendor. */
  readonly vendor: number;
  /** Used for these calls and nowhere else. */
  readonly key: string;
  /** UTC days as `2026-11-24`, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** Empty: the vendor's. */
  readonly address: string;
}

interface Report {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

interface ReportSource {
  readonly baseUrl: string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly reports: (days: Pick<ReportRequest, 'from' | 'to'>) => readonly Report[];
}

const dayMs = 86_400_000;
const afterDay = (day: string): number => Date.parse(day) + dayMs;

/** Days of one page at most: OpenAI's usage and both reports of Anthropic. */
const daysPerPage = '31';

const openAiUsages = ['completions', 'embeddings', 'moderations', 'images', 'audio_speeches', 'audio_transcriptions'];

const openAiReports: ReportSource['reports'] = ({ from, to }) => {
  const days = {
    start_time: String(Date.parse(from) / 1000),
    end_time: String(afterDay(to) / 1000),
    bucket_width: '1d',
    limit: daysPerPage,
  };
  return [
    ...openAiUsages.map((kind) => ({
      path: `/v1/organization/usage/${kind}`,
      query: { ...days, group_by: 'model' },
    })),
    { path: '/v1/organization/costs', query: { ...days, group_by: 'line_item' } },
  ];
};

const anthropicReports: ReportSource['reports'] = ({ from, to }) => {
  const days = {
    starting_at: `${from}T00:00:00Z`,
    ending_at: new Date(afterDay(to)).toISOString().replace('.000', ''),
    bucket_width: '1d',
    limit: daysPerPage,
  };
  return [
    { path: '/v1/organizations/usage_report/messages', query: { ...days, 'group_by[]': 'model' } },
    { path: '/v1/organizations/cost_report', query: { ...days, 'group_by[]': 'description' } },
  ];
};

const sources: ReadonlyMap<number, ReportSource> = new Map([
  [
    vendors.openai.id,
    {
      baseUrl: vendors.openai.baseUrl,
      headers: (key: string) => ({ authorization: `Bearer ${key}` }),
      reports: openAiReports,
    },
  ],
  [
    vendors.anthropic.id,
    {
      baseUrl: vendors.anthropic.baseUrl,
      headers: (key: string) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
      reports: anthropicReports,
    },
  ],
]);

/** Whether the vendor of a channel type has such an interface. */
export const hasReports = (vendor: number): boolean => sources.has(vendor);

const pageSchema = v.object({
  data: v.array(v.unknown()),
  has_more: v.optional(v.boolean(), false),
  next_page: v.nullish(v.string()),
});

/** Of one report, and of all together. */
const pagesMax = 40;
const answerMaxBytes = 8 * 1024 * 1024;
const bytesMax = 20 * 1024 * 1024;
/** Milliseconds of one page, and of all. Vendors add reports up while one waits. */
const pageTimeMaxMs = 30_000;
const timeMaxMs = 55_000;

const failed = (reason: string, cause?: unknown): AppError => new AppError('report_fetch_failed', { reason }, cause);

/** A vendor's own words for a refusal; they may quote the key. */
const errorSchema = v.object({ error: v.object({ message: v.string() }) });
const reasonOf = (status: number, text: string, key: string): string => {
  const message = readJson(errorSchema, text)?.error.message ?? '';
  const words = message
    .replaceAll(key, '***')
    .replaceAll(/\bsk-[\w*.-]+/g, '***')
    .slice(0, 300);
  return words === '' ? `status code: ${status}` : `status code: ${status}, ${words}`;
};

const baseOf = ({ address }: ReportRequest, source: ReportSource): string => {
  const base = (address === '' ? source.baseUrl : address).replace(/\/+$/, '').replace(/\/v1$/, '');
  if (!/^https?:\/\//.test(base)) throw new AppError('channel_address_invalid');
  return base;
};

interface Budget {
  bytes: number;
  readonly until: number;
}

const addressOf = (base: string, { path, query }: Report, page: string): string =>
  `${base}${path}?${new URLSearchParams({ ...query, ...(page === '' ? {} : { page }) }).toString()}`;

interface Fetching {
  readonly call: Outbound;
  readonly request: ReportRequest;
  readonly source: ReportSource;
  readonly budget: Budget;
}

const fetchPage = async ({ call, request, source, budget }: Fetching, report: Report, page: string) => {
  const leftMs = Math.floor(budget.until - performance.now());
  if (leftMs < 1) throw failed('the vendor takes too long');
  const url = addressOf(baseOf(request, source), report, page);
  const headers = source.headers(request.key);
  const { status, text } = await call({
    method: 'GET',
    url,
    headers,
    answerMaxBytes,
    timeoutMs: Math.min(pageTimeMaxMs, leftMs),
  }).catch((error: unknown) => {
    throw error instanceof OutboundError ? failed(error.message, error) : error;
  });
  if (status !== 200) throw failed(reasonOf(status, text, request.key));
  budget.bytes -= Buffer.byteLength(text);
  if (budget.bytes < 0) throw failed('the reports are too long');
  const read = readJson(pageSchema, text);
  if (read === undefined) throw failed('the response has an unexpected form');
  return { text, next: read.has_more ? (read.next_page ?? '') : undefined };
};

const fetchPages = async (fetching: Fetching, report: Report): Promise<string[]> => {
  const texts: string[] = [];
  let page = '';
  for (;;) {
    const { text, next } = await fetchPage(fetching, report, page);
    texts.push(text);
    if (next === undefined) return texts;
    if (next === '' || next === page) throw failed('the vendor names no next page');
    if (texts.length === pagesMax) throw failed('the reports have too many pages');
    page = next;
  }
};

/**
 * Fetches usage and costs of these days, page by page: the answers as the vendor wrote them. Rejects with
 * `report_unfetchable` or `report_fetch_failed`, without the key.
 */
export const createReportFetch =
  (call: Outbound) =>
  async (request: ReportRequest): Promise<string[]> => {
    const source = sources.get(request.vendor);
    if (source === undefined) throw new AppError('report_unfetchable');
    const budget: Budget = { bytes: bytesMax, until: performance.now() + timeMaxMs };
    const texts: string[] = [];
    for (const report of source.reports(request))
      texts.push(...(await fetchPages({ call, request, source, budget }, report)));
    return texts;
  };
