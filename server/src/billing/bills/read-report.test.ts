import fc from 'fast-check';
import type { BillLine } from '@weir/contract/bills/bills';
import { describe, expect, test } from 'vitest';
import { AppError, publicText } from '../../errors.ts';
import { readAmount, toNanoDollars } from './exact-amount.ts';
import { readFetched, readReport } from './read-report.ts';

const none = { requests: null, input: null, cached: null, cache_write: null, output: null, cost: null };
const line = (day: string, model: string, known: Partial<BillLine>): BillLine => ({ ...none, day, model, ...known });
const table = (...rows: readonly string[]): string => rows.join('\n');
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return publicText(error, 'en');
    throw error;
  }
  throw new Error('It was read');
};

const openAiUsageHead =
  'start_time,end_time,start_time_iso,end_time_iso,project_id,num_model_requests,user_id,api_key_id,model,batch,service_tier,input_tokens,output_tokens,input_cached_tokens';
const openAiUsageRow = (model: string, requests: string, input: string, output: string, cached: string) =>
  `1762819200,1762905600,2025-11-11T00:00:00+00:00,2025-11-12T00:00:00+00:00,,${requests},,,${model},,,${input},${output},${cached}`;
const openAiCostHead =
  'start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item,project_id';
const openAiCostRow = (amount: string, item: string, currency = 'usd') =>
  `1762819200,1762905600,,,${amount},${currency},${item},`;
const anthropicUsageHead =
  'usage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count';
const anthropicCostHead =
  'usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,cost_type';

describe('tables of vendors', () => {
  test("OpenAI's usage: projects and keys of a day and model are added up, days without calls left out", () => {
    const text = table(
      openAiUsageHead,
      openAiUsageRow('gpt-4o-2024-08-06', '5', '1000', '500', '800'),
      openAiUsageRow('gpt-4o-2024-08-06', '2', '10', '20', ''),
      openAiUsageRow('', '', '', '', ''),
    );
    const known = { requests: 7, input: 1010, cached: 800, output: 520 };
    expect(readReport(`\uFEFF${text}\r\n`)).toEqual({
      format: 'openai_usage',
      vendor: 1,
      rows: 2,
      lines: [line('2025-11-11', 'gpt-4o-2024-08-06', known)],
    });
  });

  test("OpenAI's costs: line items of a model are one line, and digits that floating point left over do not add up", () => {
    const text = table(
      openAiCostHead,
      openAiCostRow('0.10000000000000001', '"gpt-4.1-2025-04-14, input"'),
      openAiCostRow('0.20000000000000001', '"gpt-4.1-2025-04-14, cached input"'),
      openAiCostRow('1e-7', 'web search tool calls'),
      openAiCostRow('', ''),
    );
    expect(readReport(text)).toMatchObject({
      format: 'openai_cost',
      lines: [
        line('2025-11-11', 'gpt-4.1-2025-04-14', { cost: 300_000_000 }),
        line('2025-11-11', 'web search tool calls', { cost: 100 }),
      ],
    });
  });

  test("Anthropic's usage: what is read from and written to caches is part of the input", () => {
    const row = '2025-11-11,claude-sonnet-4-5-20250929,"Key, one",Default,standard,≤ 200k,100,10,5,1000,50,0';
    expect(readReport(table(anthropicUsageHead, row, row))).toEqual({
      format: 'anthropic_usage',
      vendor: 14,
      rows: 2,
      lines: [
        line('2025-11-11', 'claude-sonnet-4-5-20250929', { input: 2230, cached: 2000, cache_write: 30, output: 100 }),
      ],
    });
  });

  test("Anthropic's costs: searches have no model and keep their kind", () => {
    const rows = [
      '2025-11-11,Claude Sonnet 4.5,Default,key,message,≤ 200k,input_no_cache,0.05,token',
      '2025-11-11,Claude Sonnet 4.5,Default,key,message,≤ 200k,output,0.02,token',
      '2025-11-11,,Default,key,message,,,1.5,web_search',
    ];
    expect(readReport(table(anthropicCostHead, ...rows)).lines).toEqual([
      line('2025-11-11', 'Claude Sonnet 4.5', { cost: 70_000_000 }),
      line('2025-11-11', 'web_search', { cost: 1_500_000_000 }),
    ]);
  });

  test('our own form: semicolons, a head in other case, and members that are not stated', () => {
    const text = table('Date;Model;Input Tokens;Cost USD', '2026-11-01;glm-4.6;1200;0.5', '2026-11-02;glm-4.6;;-0.25');
    expect(readReport(text)).toEqual({
      format: 'table',
      vendor: 0,
      rows: 2,
      lines: [
        line('2026-11-01', 'glm-4.6', { input: 1200, cost: 500_000_000 }),
        line('2026-11-02', 'glm-4.6', { cost: -250_000_000 }),
      ],
    });
  });
});

const bucket = { object: 'bucket', start_time: 1_762_819_200, end_time: 1_762_905_600 };
const page = (...results: readonly object[]) => ({ object: 'page', data: [{ ...bucket, results }], has_more: false });
const usageResult = {
  object: 'organization.usage.completions.result',
  input_tokens: 1000,
  output_tokens: 500,
  input_cached_tokens: 800,
  num_model_requests: 5,
  model: 'gpt-4.1-2025-04-14',
};
const costResult = {
  object: 'organization.costs.result',
  amount: { value: 0.06, currency: 'usd' },
  line_item: 'gpt-4.1-2025-04-14, input',
};
const anthropicPage = (results: readonly object[]) => ({
  data: [{ starting_at: '2025-11-11T00:00:00Z', ending_at: '2025-11-12T00:00:00Z', results }],
  has_more: false,
  next_page: null,
});

describe('JSON of vendors', () => {
  test('numbers are taken as they are written, not as floating point has them', () => {
    const text = JSON.stringify(page(costResult)).replace('0.06', '0.0600000000000000000000000049');
    expect(readReport(text)).toMatchObject({ format: 'openai_cost', lines: [{ cost: 60_000_000 }] });
  });

  test("Anthropic's amounts are cents", () => {
    const result = { amount: '123.45', currency: 'USD', model: 'claude-sonnet-4-5', description: 'Claude Sonnet 4.5' };
    const search = { amount: '1000', currency: 'USD', model: null, description: 'Web Search Usage' };
    expect(readReport(JSON.stringify(anthropicPage([result, search]))).lines).toEqual([
      line('2025-11-11', 'Web Search Usage', { cost: 10_000_000_000 }),
      line('2025-11-11', 'claude-sonnet-4-5', { cost: 1_234_500_000 }),
    ]);
  });

  test('fetched pages of usage and costs become one line for each day and model', () => {
    const pages = [JSON.stringify(page(usageResult)), JSON.stringify(page(costResult)), JSON.stringify(page())];
    const known = { requests: 5, input: 1000, cached: 800, output: 500, cost: 60_000_000 };
    expect(readFetched(pages, 'openai_fetched')).toEqual({
      format: 'openai_fetched',
      vendor: 1,
      rows: 2,
      lines: [line('2025-11-11', 'gpt-4.1-2025-04-14', known)],
    });
  });
});

describe('what cannot be used is refused, and the place is named', () => {
  const cost = (row: string) => table(openAiCostHead, openAiCostRow('1', 'a'), row);
  test.each([
    ['nothing', '', 'Not a known report'],
    ['no table of usage', 'name,price\na,1', 'Not a known report'],
    ['our form without figures', 'date,model\n2026-11-01,a', 'Not a known report'],
    ['only a head', openAiCostHead, 'The report states no usage and no costs'],
    ['an amount with a comma', cost(openAiCostRow('"1,50"', 'a')), 'line 3: cost must be a number'],
    ['infinity', cost(openAiCostRow('Infinity', 'a')), 'line 3: cost must be a number'],
    ['more than a number of JSON holds', cost(openAiCostRow('1e20', 'a')), 'cost must be at most 9000000'],
    ['euros', cost(openAiCostRow('1', 'a', 'eur')), 'line 3: amount_currency must be USD'],
    ['costs that are not grouped', cost(openAiCostRow('1', '')), 'line 3: model is empty: export the report grouped'],
    ['a row that is too short', cost('1762819200,1762905600'), 'line 3 must have 8 cells'],
    ['a day that does not exist', 'date,model,requests\n2026-02-30,a,1', 'line 2: date must be a date'],
    ['a month as one row', cost('1762819200,1765411200,,,1,usd,a,'), 'line 3: end must not reach beyond one UTC day'],
    ['a count with a fraction', 'date,model,requests\n2026-11-01,a,1.5', 'line 2: requests must be a whole number'],
    ['a negative count', 'date,model,requests\n2026-11-01,a,-1', 'line 2: requests must be a whole number'],
    ['an open quote', 'date,model,requests\n2026-11-01,"a,1', 'line 2 is malformed'],
    [
      'a name of 300 characters',
      `date,model,requests\n2026-11-01,${'m'.repeat(300)},1`,
      'line 2: model must have at most 256',
    ],
    ['JSON that ends early', '{"data":[', 'JSON is malformed'],
    ['other JSON', '{"users":[]}', 'Not a known report'],
    ['a bucket of another kind', '{"data":[{"results":[]}]}', 'data[0] is malformed'],
    [
      'another result',
      JSON.stringify(page({ object: 'organization.users' })),
      'data[0].results[0]: object is malformed',
    ],
    [
      'usage that is not grouped',
      JSON.stringify(page({ ...usageResult, model: null })),
      'data[0].results[0]: model is empty',
    ],
    ['usage beside costs', JSON.stringify([page(usageResult), page(costResult)]), 'data is malformed'],
    [
      'cents of another currency',
      JSON.stringify(anthropicPage([{ amount: '1', currency: 'EUR', model: 'a' }])),
      'must be USD',
    ],
    ['JSON of great depth', '['.repeat(200_000), 'JSON is malformed'],
  ])('%s', (_, text, words) => {
    expect(refusal(() => readReport(text))).toContain(words);
  });

  test('more than 20 MB, 200,000 rows, or 10,000 days and models', () => {
    expect(refusal(() => readReport('x'.repeat(20 * 1024 * 1024 + 1)))).toContain('bytes must be at most 20971520');
    const head = 'date,model,requests\n';
    expect(refusal(() => readReport(head + '2026-11-01,a,1\n'.repeat(200_001)))).toContain(
      'rows must be at most 200000',
    );
    expect(readReport(head + '2026-11-01,a,1\n'.repeat(200_000)).lines).toEqual([
      line('2026-11-01', 'a', { requests: 200_000 }),
    ]);
    const models = Array.from({ length: 10_001 }, (_, index) => `2026-11-01,m${index},1`);
    expect(refusal(() => readReport(head + table(...models)))).toContain('days × models must be at most 10000');
  });
});

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const cellText = fc.string({ unit: 'binary', maxLength: 40 });

describe('any report', () => {
  test('is read or refused, whatever it has', () => {
    const anything = fc.oneof(
      cellText,
      fc.json().map((text) => `{"data":[${text}]}`),
      fc.array(fc.array(cellText, { maxLength: 4 })).map((rows) => {
        const cells = rows.map((row) => row.map(quoted).join(','));
        return table('date,model,requests,cost_usd', ...cells);
      }),
    );
    fc.assert(
      fc.property(anything, (text) => {
        try {
          expect(readReport(text).lines.length).toBeGreaterThan(0);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(error.code).toMatch(/^report_/);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('is summed exactly: in any order, and split into any rows', () => {
    const nano = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
    const asDollars = (amount: bigint): string => {
      const digits = String(amount < 0n ? -amount : amount).padStart(10, '0');
      return `${amount < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
    };
    fc.assert(
      fc.property(fc.array(nano, { minLength: 1, maxLength: 50 }), (amounts) => {
        const rows = amounts.map((amount) => `2026-11-01,m,${asDollars(amount)}`);
        const { lines } = readReport(table('date,model,cost_usd', ...rows));
        expect(BigInt(lines[0]?.cost ?? Number.NaN)).toBe(amounts.reduce((sum, amount) => sum + amount, 0n));
      }),
    );
  });

  test('amounts are rounded once, a half away from zero', () => {
    const nano = (text: string, unit: 'dollars' | 'cents' = 'dollars') => toNanoDollars(readAmount(text, unit) ?? 0n);
    expect([nano('0.0000000005'), nano('0.00000000049'), nano('-0.0000000005'), nano('-0')]).toEqual([1, 0, -1, 0]);
    expect([nano('123.45', 'cents'), nano('2.5e-3'), nano('1e2')]).toEqual([1_234_500_000, 2_500_000, 100_000_000_000]);
    expect(
      ['', '.', '1.', '0x1', '1e999', '1 2', '٣'].map((text) => readAmount(text, 'dollars') !== undefined),
    ).toEqual([false, false, true, false, false, false, false]);
  });
});
