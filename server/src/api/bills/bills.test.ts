import type { Comparison, Statement } from '@weir/contract/bills/bills';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { role } from '@weir/contract/roles';
import { buildTestApp, type TestApp, type TestUser } from '../../../test/app/app.ts';
import { addCaller, type Caller } from '../../../test/database/accounts.ts';
import { addUse } from '../../../test/database/logs.ts';
import {
  anthropicAdminKey,
  openAiAdminKey,
  startAnthropicReports,
  startOpenAiReports,
} from '../../../test/fakes/services/report-server.ts';
import { isJson } from '../../../test/parsing/json.ts';
import { addChannelAttempts } from '../../store/channels/channel-health.ts';
import { sumNextHour } from '../../store/logs/log-days.ts';

const openAi = 1;
const anthropic = 14;
const at = (day: string): number => Date.parse(day) / 1000 + 3600;

let app: TestApp;
let admin: TestUser;
let caller: Caller;
let channels: { readonly main: number; readonly second: number; readonly claude: number };

const addChannel = async (values: object): Promise<number> => {
  await admin.data('POST', '/api/channel/', { key: 'sk-x', models: 'm', group: 'default', ...values });
  const [row] = await app.db.read.selectFrom('channels').select('id').orderBy('id', 'desc').limit(1).execute();
  return row?.id ?? 0;
};

const call = (day: string, model_name: string, prompt_tokens: number, completion_tokens: number, channel_id: number) =>
  addUse(app.db, caller, { created_at: at(day), model_name, prompt_tokens, completion_tokens, channel_id });

beforeAll(async () => {
  app = await buildTestApp();
  admin = await app.addUser('admin', role.admin);
  caller = await addCaller(app.db, 1_000_000);
  channels = {
    main: await addChannel({ name: 'main', type: openAi, model_mapping: '{"fast":"gpt-4.1-mini"}' }),
    second: await addChannel({ name: 'second', type: openAi }),
    claude: await addChannel({ name: 'claude', type: anthropic }),
  };
});
afterAll(() => app.close());

const isStatement = (data: unknown): data is Statement => isJson(data) && Array.isArray(data['lines']);
const isComparison = (data: unknown): data is Comparison => isJson(data) && Array.isArray(data['rows']);
const read = async (content: string): Promise<Statement> => {
  const data = await admin.data('POST', '/api/bill/read', { content });
  if (!isStatement(data)) throw new TypeError('no statement');
  return data;
};
const compare = async (query: string): Promise<Comparison> => {
  const data = await admin.data('GET', `/api/bill/compare?${query}`);
  if (!isComparison(data)) throw new TypeError('no comparison');
  return data;
};
const importTable = async (vendor: number, rows: readonly string[], source = ''): Promise<unknown> => {
  const content = ['date,model,requests,input_tokens,output_tokens,cost_usd', ...rows].join('\n');
  const { format, lines } = await read(content);
  return admin.data('POST', '/api/bill/', { vendor, source, format, lines });
};
const reasonsOf = ({ rows }: Comparison) => rows.map(({ day, model, reason }) => `${day.slice(-2)} ${model} ${reason}`);

describe("a vendor's bill beside ours", () => {
  test('an import is compared by day and model: equal, around the gateway, less, and refused calls', async () => {
    await call('2026-03-02', 'gpt-4o', 1000, 500, channels.main);
    await call('2026-03-02', 'fast', 700, 70, channels.main);
    await call('2026-03-02', 'gpt-4o', 1000, 500, channels.second);
    await call('2026-03-03', 'gpt-4o', 100, 50, channels.main);
    await call('2026-03-04', 'gpt-4o', 100, 50, channels.main);
    await call('2026-03-02', 'gpt-4o', 1, 1, channels.claude);
    await addChannelAttempts(app.db, [
      { channel_id: channels.main, slot: (at('2026-03-03') / 900) | 0, outcome: 'timeout', band: 0, count: 1 },
    ]);
    const imported = await importTable(openAi, [
      '2026-03-02,gpt-4o-2024-08-06,2,2000,1000,0.015',
      '2026-03-02,gpt-4.1-mini-2025-04-14,1,800,70,',
      '2026-03-03,gpt-4o-2024-08-06,2,180,60,',
      '2026-03-03,o3-2025-04-16,5,9000,900,1.25',
    ]);
    expect(imported).toMatchObject({ lines: 4, replaced: 0 });
    const found = await compare(`vendor=${openAi}&from=2026-03-01&to=2026-03-05`);
    expect(reasonsOf(found)).toEqual([
      '03 o3 only_theirs',
      '03 gpt-4o unbilled_calls',
      '02 gpt-4o equal',
      '02 gpt-4-1-mini unexplained',
    ]);
    expect(found).toMatchObject({
      flagged: 2,
      channels: [{ id: 1 }, { name: 'main' }, { name: 'second' }],
      theirs: { requests: 10, input: 11_980, output: 2030, cost: 1_265_000_000 },
      ours: { requests: 4, input: 2800, output: 1120, cost: null },
    });
    const ofOne = await compare(`vendor=${openAi}&from=2026-03-02&to=2026-03-02&channels=${channels.second}`);
    expect(reasonsOf(ofOne)).toEqual(['02 gpt-4o unexplained', '02 gpt-4-1-mini only_theirs']);
  });

  test('sums of days and of hours are the same comparison', async () => {
    const query = `vendor=${openAi}&from=2026-03-01&to=2026-03-05`;
    const byHour = await compare(query);
    while (await sumNextHour(app.db, Math.ceil(at('2026-03-07') / 3600)));
    expect(await app.db.read.selectFrom('log_days_summed').select('day').execute()).not.toEqual([]);
    expect(await compare(query)).toEqual(byHour);
  });

  test('the same report twice is the same as once, usage and costs each replace their own, sources stay apart', async () => {
    const rows = ['2026-04-01,a,1,10,1,', '2026-04-02,a,1,10,1,'];
    expect(await importTable(openAi, rows, 'team')).toMatchObject({ lines: 2, replaced: 0 });
    expect(await importTable(openAi, rows, 'team')).toMatchObject({ lines: 2, replaced: 2 });
    await importTable(openAi, ['2026-04-01,a,,,,0.5'], 'team');
    await importTable(openAi, ['2026-04-01,a,2,20,2,'], 'other');
    const query = `vendor=${openAi}&from=2026-04-01&to=2026-04-02`;
    expect((await compare(query)).theirs).toMatchObject({ requests: 4, input: 40, cost: 500_000_000 });
    const bills = await admin.data('GET', '/api/bill/');
    const left = Array.isArray(bills) ? bills.filter(({ source }) => source !== '') : [];
    expect(left).toMatchObject([
      { source: 'other', lines: 1, cost: null },
      { source: 'team', lines: 1, cost: 500_000_000 },
      { source: 'team', lines: 2, cost: null, from: '2026-04-01', to: '2026-04-02', imported_by: 'admin' },
    ]);
    for (const { id } of left) await admin.data('DELETE', `/api/bill/${id}`);
    expect((await compare(query)).rows).toEqual([]);
    expect(await admin.refused('DELETE', '/api/bill/999999')).toBe('Record not found');
  });

  test('without days the last 31 with lines are compared; the export has no formula', async () => {
    await importTable(anthropic, ['2026-05-20,=cmd|x,1,10,1,-0.25', '2026-05-20,b,1,10,1,']);
    const found = await compare(`vendor=${anthropic}`);
    expect(found).toMatchObject({ from: '2026-04-20', to: '2026-05-20', flagged: 2 });
    const { text, headers } = await admin.call('GET', `/api/bill/compare/export?vendor=${anthropic}&flagged=1`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="bill-2026-04-20-2026-05-20.csv"');
    const [head = '', ...rows] = text
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split('\r\n');
    expect(head.split(',')).toHaveLength(18);
    expect(rows).toContain("2026-05-20,'=cmd|x,only_theirs,1,'=cmd|x,,1,10,,,1,-0.250000000,,,,,,");
  });

  test('calls whose usage was counted here explain a difference of their size', async () => {
    const values = { created_at: at('2026-06-01'), model_name: 'gpt-4o', prompt_tokens: 100, completion_tokens: 100 };
    await addUse(app.db, caller, { ...values, channel_id: channels.main, request_id: 'counted here' });
    await importTable(openAi, ['2026-06-01,gpt-4o,1,150,100,']);
    const query = `vendor=${openAi}&from=2026-06-01&to=2026-06-01`;
    expect(reasonsOf(await compare(query))).toEqual(['01 gpt-4o unexplained']);
    const posting = { userId: caller.userId, tokenId: caller.tokenId, tokenLimited: caller.tokenLimited };
    await app.db.post({
      kind: 'settle',
      requestId: 'also counted here',
      ...posting,
      channelId: channels.main,
      amount: 0,
      priceVersion: 1,
      estimated: true,
      at: at('2026-06-01'),
      log: null,
    });
    expect(reasonsOf(await compare(query))).toEqual(['01 gpt-4o estimated']);
  });
});

test('what calls cost at their vendors is compared with what these bill', async () => {
  const values = { created_at: at('2026-09-01'), model_name: 'gpt-4o', prompt_tokens: 600, completion_tokens: 400 };
  await addUse(app.db, caller, { ...values, quota: 5, cost: 2_000_000_000, channel_id: channels.main });
  await importTable(openAi, ['2026-09-01,gpt-4o,1,600,400,3']);
  const query = `vendor=${openAi}&from=2026-09-01&to=2026-09-01`;
  const priced = { reason: 'price', their_price: 3_000_000_000_000, our_price: 2_000_000_000_000 };
  expect(await compare(query)).toMatchObject({ ours: { cost: 2_000_000_000 }, rows: [priced] });
  await addUse(app.db, caller, { ...values, quota: 5, channel_id: channels.second });
  expect(await compare(query)).toMatchObject({ ours: { cost: null, requests: 2 }, rows: [{ reason: 'unexplained' }] });
});

describe('what is refused', () => {
  test('a report that cannot be read names the place, in the language of the caller', async () => {
    const content = 'date,model,requests\n2026-11-01,a,x';
    expect(await admin.refused('POST', '/api/bill/read', { content })).toBe(
      'The report cannot be used: line 2: requests must be a whole number',
    );
    const { json } = await admin.call('POST', '/api/bill/read', {
      body: { content },
      headers: { 'accept-language': 'zh' },
    });
    expect(json['message']).toBe('无法使用该报表：line 2: requests 必须是整数');
  });

  test('a report of 12 MB is read, and one that is longer than any report is refused unread', async () => {
    const rows = '2026-11-01,a,"",1\n'.repeat(150_000);
    const { lines } = await read(`date,model,note,requests\n${rows.padEnd(12 * 1024 * 1024, '\n')}`);
    expect(lines).toMatchObject([{ requests: 150_000 }]);
    const { status } = await admin.call('POST', '/api/bill/read', { body: { content: 'x'.repeat(43 * 1024 * 1024) } });
    expect(status).toBe(413);
  });

  test('lines that are not a statement, days that are none, and ids that are none', async () => {
    const line = {
      day: '2026-11-01',
      model: 'a',
      requests: 1,
      input: null,
      cached: null,
      cache_write: null,
      output: null,
      cost: null,
    };
    const body = (lines: readonly object[]) => ({ vendor: openAi, format: 'table', lines });
    expect(await admin.refused('POST', '/api/bill/', body([]))).toContain('Invalid input');
    expect(await admin.refused('POST', '/api/bill/', body([{ ...line, day: '2026-02-30' }]))).toContain(
      'Invalid input',
    );
    expect(await admin.refused('POST', '/api/bill/', body([{ ...line, requests: -1 }]))).toContain('Invalid input');
    expect(await admin.refused('POST', '/api/bill/', body([line, line]))).toBe('Each day and model may occur once');
    for (const days of ['from=2026-01-01&to=2026-12-31', 'from=2026-02-02&to=2026-02-01', 'to=x', 'to=99999-01-01'])
      expect(await admin.refused('GET', `/api/bill/compare?vendor=1&${days}`)).toContain('days must be in order');
    expect(await admin.refused('GET', '/api/bill/compare?vendor=1&channels=1,x')).toBe('Invalid parameter');
  });

  test('users have no access', async () => {
    const user = await app.addUser('user');
    for (const [method, path] of [
      ['GET', '/api/bill/'],
      ['GET', '/api/bill/compare'],
      ['POST', '/api/bill/fetch'],
    ] as const)
      expect(await user.refused(method, path, method === 'POST' ? {} : undefined)).toContain('insufficient permission');
    expect((await app.visitor().call('GET', '/api/bill/')).status).toBe(401);
  });
});

const usage = (model: string, input: number, cached: number, output: number, requests: number) => ({
  object: 'organization.usage.completions.result',
  input_tokens: input,
  input_cached_tokens: cached,
  output_tokens: output,
  num_model_requests: requests,
  project_id: null,
  model,
  batch: null,
});
const cost = (value: number, line_item: string) => ({
  object: 'organization.costs.result',
  amount: { value, currency: 'usd' },
  line_item,
  project_id: null,
});

describe("fetching from a vendor's interface", () => {
  test('OpenAI: usage and costs of all pages become one statement, and the key is nowhere afterwards', async () => {
    const fake = await startOpenAiReports({
      '/v1/organization/usage/completions': {
        '2026-07-01': [usage('gpt-4.1-2025-04-14', 1000, 800, 500, 5)],
        '2026-07-25': [usage('gpt-4.1-2025-04-14', 10, 0, 5, 1)],
      },
      '/v1/organization/usage/embeddings': {
        '2026-07-12': [
          {
            object: 'organization.usage.embeddings.result',
            input_tokens: 90,
            num_model_requests: 3,
            model: 'text-embedding-3-small',
          },
        ],
      },
      '/v1/organization/costs': {
        '2026-07-01': [cost(0.06, 'gpt-4.1-2025-04-14, input'), cost(0.004, 'gpt-4.1-2025-04-14, output')],
      },
    });
    const body = {
      vendor: openAi,
      key: openAiAdminKey,
      from: '2026-07-01',
      to: '2026-07-25',
      address: `${fake.url}/v1/`,
    };
    expect(await admin.data('POST', '/api/bill/fetch', body)).toMatchObject({
      format: 'openai_fetched',
      vendor: openAi,
      lines: [
        {
          day: '2026-07-01',
          model: 'gpt-4.1-2025-04-14',
          requests: 5,
          input: 1000,
          cached: 800,
          output: 500,
          cost: 64_000_000,
        },
        { day: '2026-07-12', model: 'text-embedding-3-small', requests: 3, input: 90, output: null },
        { day: '2026-07-25', model: 'gpt-4.1-2025-04-14', requests: 1, input: 10, cost: null },
      ],
    });
    expect(fake.faults()).toEqual([]);
    expect(fake.requestCount('/v1/organization/usage/completions')).toBe(3);

    const wrong = await admin.refused('POST', '/api/bill/fetch', { ...body, key: 'sk-other' });
    expect(wrong).toBe('The report could not be fetched: status code: 401, Incorrect API key provided: ***');
    await fake.close();
    const gone = await admin.refused('POST', '/api/bill/fetch', body);
    expect(gone).toMatch(/^The report could not be fetched: no response from 127\.0\.0\.1/);

    const audits = JSON.stringify(await (await app.root()).data('GET', '/api/audit/'));
    expect(audits).toContain('fetch_bill');
    for (const place of [audits, app.logged(), JSON.stringify(await admin.data('GET', '/api/bill/'))])
      expect(place).not.toContain(openAiAdminKey);
  });

  test('Anthropic: caches are part of the input, amounts are cents', async () => {
    const fake = await startAnthropicReports({
      '/v1/organizations/usage_report/messages': {
        '2026-08-14': [
          {
            uncached_input_tokens: 1500,
            cache_creation: { ephemeral_1h_input_tokens: 100, ephemeral_5m_input_tokens: 50 },
            cache_read_input_tokens: 200,
            output_tokens: 500,
            server_tool_use: { web_search_requests: 10 },
            model: 'claude-sonnet-4-5-20250929',
            api_key_id: null,
          },
        ],
      },
      '/v1/organizations/cost_report': {
        '2026-08-14': [
          {
            amount: '123.4567',
            currency: 'USD',
            description: 'Claude Sonnet 4.5 Usage - Input Tokens',
            model: 'claude-sonnet-4-5-20250929',
          },
          { amount: '10', currency: 'USD', description: 'Web Search Usage', model: null },
        ],
      },
    });
    const days = { from: '2026-08-01', to: '2026-08-31' };
    const body = { vendor: anthropic, key: anthropicAdminKey, ...days, address: fake.url };
    expect(await admin.data('POST', '/api/bill/fetch', body)).toMatchObject({
      format: 'anthropic_fetched',
      lines: [
        { model: 'Web Search Usage', cost: 100_000_000 },
        {
          model: 'claude-sonnet-4-5-20250929',
          input: 1850,
          cached: 200,
          cache_write: 150,
          output: 500,
          cost: 1_234_567_000,
        },
      ],
    });
    expect(fake.faults()).toEqual([]);
    await fake.close();
  });

  test('other vendors, too many days and addresses of metadata services are refused', async () => {
    const body = { vendor: openAi, key: 'k', from: '2026-08-01', to: '2026-08-02', address: '' };
    const refused = (change: object) => admin.refused('POST', '/api/bill/fetch', { ...body, ...change });
    expect(await refused({ vendor: 3 })).toBe('Reports of this vendor cannot be fetched');
    expect(await refused({ to: '2027-08-02' })).toContain('days must be in order');
    expect(await refused({ address: 'http://169.254.169.254' })).toContain('169.254.169.254 is not allowed');
    expect(await refused({ address: 'ftp://vendor.example' })).toContain('address');
  });
});
