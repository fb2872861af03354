import { type Counterpart, demand, type ReceivedRequest, startCounterpart } from './counterpart.ts';

export const openAiAdminKey = 'sk-admin-of-the-tests';
export const anthropicAdminKey = 'sk-ant-admin01-of-the-tests';

/** What a vendor reports, by path and UTC day; what is not named has no results. */
export type Reports = Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>;

const daySeconds = 86_400;
/** Buckets of a page, whatever the caller allows: fewer than a month, so that every test turns pages. */
const pageDays = 10;
const limitMax = 31;

const dayText = (day: number): string => new Date(day * daySeconds * 1000).toISOString().slice(0, 10);

interface Asked {
  /** Days since 1970, from the first to before the second. */
  readonly from: number;
  readonly before: number;
}

const onlyKnown = (query: URLSearchParams, known: Readonly<Record<string, string | undefined>>): void => {
  for (const [name, value] of query) {
    demand(name in known, `unknown parameter ${name}`);
    const wanted = known[name];
    demand(wanted === undefined || wanted === value, `${name} is ${value}`);
  }
  const limit = Number(query.get('limit') ?? 7);
  demand(limit >= 1 && limit <= limitMax, `limit ${limit}`);
};

/** The days of a page, and the token of the next: it means nothing to the caller. */
const pageOf = ({ from, before }: Asked, page: string | null) => {
  const start = page === null ? from : Number(/^page_(\d+)=$/.exec(page)?.[1]);
  demand(start >= from && start < before, `page ${page}`);
  const end = Math.min(start + pageDays, before);
  const days = Array.from({ length: end - start }, (_, index) => start + index);
  return { days, has_more: end < before, next_page: end < before ? `page_${end}=` : null };
};

const serveEach = (
  paths: readonly string[],
  answer: (path: string, request: ReceivedRequest) => object,
): Promise<Counterpart> =>
  startCounterpart(
    Object.fromEntries(
      paths.map((path) => [`GET ${path}`, (request: ReceivedRequest) => ({ body: answer(path, request) })]),
    ),
  );

const usageKinds = ['completions', 'embeddings', 'moderations', 'images', 'audio_speeches', 'audio_transcriptions'];

/** OpenAI's usage and costs for administrators, as its reference documents them. */
export const startOpenAiReports = (reports: Reports): Promise<Counterpart> => {
  const costs = '/v1/organization/costs';
  const paths = [...usageKinds.map((kind) => `/v1/organization/usage/${kind}`), costs];
  return serveEach(paths, (path, { headers, query }) => {
    const refusal = { status: 401, body: { error: { message: `Incorrect API key provided: ${openAiAdminKey}` } } };
    demand(headers.authorization === `Bearer ${openAiAdminKey}`, 'wrong key', refusal);
    onlyKnown(query, {
      start_time: undefined,
      end_time: undefined,
      bucket_width: '1d',
      limit: undefined,
      page: undefined,
      group_by: path === costs ? 'line_item' : 'model',
    });
    const [start, end] = [Number(query.get('start_time')), Number(query.get('end_time'))];
    demand(start > 0 && end > start && start % daySeconds === 0, 'no whole days');
    const { days, ...next } = pageOf({ from: start / daySeconds, before: end / daySeconds }, query.get('page'));
    const data = days.map((day) => ({
      object: 'bucket',
      start_time: day * daySeconds,
      end_time: (day + 1) * daySeconds,
      results: reports[path]?.[dayText(day)] ?? [],
    }));
    return { object: 'page', data, ...next };
  });
};

/** Anthropic's usage and costs for administrators, as its reference documents them. */
export const startAnthropicReports = (reports: Reports): Promise<Counterpart> => {
  const costs = '/v1/organizations/cost_report';
  return serveEach(['/v1/organizations/usage_report/messages', costs], (path, { headers, query }) => {
    const refusal = {
      status: 401,
      body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
    };
    demand(headers['x-api-key'] === anthropicAdminKey && headers.authorization === undefined, 'wrong key', refusal);
    demand(headers['anthropic-version'] === '2023-06-01', 'no version');
    onlyKnown(query, {
      starting_at: undefined,
      ending_at: undefined,
      bucket_width: '1d',
      limit: undefined,
      page: undefined,
      'group_by[]': path === costs ? 'description' : 'model',
    });
    const moment = (name: string): number => {
      const text = query.get(name) ?? '';
      demand(/^\d{4}-\d\d-\d\dT00:00:00Z$/.test(text), `${name} is ${text}`);
      return Date.parse(text) / 1000 / daySeconds;
    };
    const { days, ...next } = pageOf({ from: moment('starting_at'), before: moment('ending_at') }, query.get('page'));
    const data = days.map((day) => ({
      starting_at: `${dayText(day)}T00:00:00Z`,
      ending_at: `${dayText(day + 1)}T00:00:00Z`,
      results: reports[path]?.[dayText(day)] ?? [],
    }));
    return { data, ...next };
  });
};
