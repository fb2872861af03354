import type { BookComparison, BookDifference, BookEdition } from '@weir/contract/prices/book-updates';
import { approvePriceBook, comparePriceBook, getPriceBook, proposePriceBook } from '@weir/contract/prices/book-updates';
import type { BookEntry } from '@weir/contract/prices/price-book';
import { role } from '@weir/contract/roles';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildTestApp } from '../../../test/app/app.ts';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { shippedBookName } from '../../billing/price/book/shipped-book.ts';
import { parseBook } from '../../store/prices/price-books.ts';
import { builtInRatios } from '../../billing/price/prices.ts';

let db: TestDatabase;
let relay: RelayApp;
let key: string;

const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };

/** An installation of before price books: whole tables of ratios are stored, and no book. */
const makeOldInstallation = async (): Promise<void> => {
  await (await buildTestApp({ database: db })).close();
  await db.write.deleteFrom('price_books').execute();
  await db.write.deleteFrom('options').execute();
  const values = [
    { key: 'ModelRatio', value: builtInRatios.modelRatio, version: 1 },
    { key: 'CompletionRatio', value: builtInRatios.completionRatio, version: 2 },
  ];
  await db.write.insertInto('options').values(values).execute();
};

beforeEach(async () => {
  db = await openTestDatabase();
  await makeOldInstallation();
  relay = await buildRelayApp({ database: db, frozen: true });
  await relay.addChannel({ models: 'gpt-4o,gpt-4,gpt-4.1,brand-new' });
  ({ key } = await relay.addUser());
  relay.upstream.behave(() => ({ usage }));
});
afterEach(async () => {
  await relay.close();
  await db.close();
});

const entry = (model: string, input: string, output: string, more: Partial<BookEntry> = {}): BookEntry => ({
  vendor: 'openai',
  model,
  mode: 'chat',
  price: { rates: { input, output } },
  from: '2026-01-01',
  ...more,
});
const bookOf = (...entries: readonly unknown[]) => ({ name: '2026-12', entries });
const fileOf = (book: unknown, name = 'december.json') => ({
  kind: 'file',
  name,
  content: JSON.stringify(book, null, 1),
});

const propose = async (source: unknown): Promise<BookEdition> =>
  v.parse(proposePriceBook.data, await relay.root.data('POST', '/api/price_book/proposal', { source }));
const compared = async (): Promise<BookComparison> =>
  v.parse(comparePriceBook.data, await relay.root.data('GET', '/api/price_book/proposal'));
const compare = async (source: unknown): Promise<BookComparison> => {
  await propose(source);
  return compared();
};

interface Choice {
  readonly chosen?: unknown;
  readonly from?: string | null;
  readonly against?: number;
  readonly keep?: boolean;
}
const bodyOf = async (source: unknown, { chosen = 'all', from = null, ...more }: Choice = {}) => {
  const { proposal, against } = await compare(source);
  return { proposal: proposal.id, against, chosen, from, ...more };
};
const approve = async (source: unknown, choice: Choice = {}): Promise<BookEdition> =>
  v.parse(
    approvePriceBook.data,
    await relay.root.data('POST', '/api/price_book/approve', await bodyOf(source, choice)),
  );
const refusedApproval = async (source: unknown, choice: Choice) =>
  relay.root.refused('POST', '/api/price_book/approve', await bodyOf(source, choice));
const restore = async (id: number): Promise<void> => {
  const { current } = await status();
  await relay.root.data('POST', '/api/price_book/restore', { id, against: current?.id ?? 0 });
};

const costOf = async (model: string): Promise<number | undefined> => {
  const { requestId } = await relay.ask({ key, body: { model } });
  await relay.settled();
  return (await relay.chargeOf(requestId))?.amount;
};
const named = ({ differences }: BookComparison, model: string): BookDifference | undefined =>
  differences.find((each) => each.model === model);
const status = async () => v.parse(getPriceBook.data, await relay.root.data('GET', '/api/price_book'));

const stored = async (option: string): Promise<Readonly<Record<string, unknown>>> => {
  const { value } = await relay.app.db.read
    .selectFrom('options')
    .select('value')
    .where('key', '=', option)
    .executeTakeFirstOrThrow();
  return v.parse(v.record(v.string(), v.unknown()), JSON.parse(value));
};

/** $2.50 and $10 of a million: 500,000 units are a dollar. */
const dollars = (input: number, output: number): number => Math.ceil(input * 500 + output * 50);

test('an existing installation approves one model: its next call has the new price, others keep their ratios', async () => {
  const [gpt4o, gpt4] = [await costOf('gpt-4o'), await costOf('gpt-4')];
  const book = bookOf(entry('gpt-4o', '7', '70'), entry('gpt-4', '1', '2'));
  await approve(fileOf(book), { chosen: [{ vendor: 'openai', model: 'gpt-4o' }] });
  expect((await status()).proposal).toBeNull();
  expect(await costOf('gpt-4o')).toBe(dollars(7, 70));
  expect(gpt4o).not.toBe(dollars(7, 70));
  expect(await costOf('gpt-4')).toBe(gpt4);
  await approve(fileOf(book));
  expect(await costOf('gpt-4')).toBe(dollars(1, 2));
});

test('the first approval takes what repeats the built-in ratios out of the options, and leaves the operator his own', async () => {
  await relay.setOption('ModelRatio', JSON.stringify({ ...JSON.parse(builtInRatios.modelRatio), 'gpt-4': 3 }));
  await approve(fileOf(bookOf(entry('gpt-4o', '7', '70'), entry('gpt-4', '1', '2'))));
  expect(await stored('ModelRatio')).toEqual({ 'gpt-4': 3 });
  // Later books leave a ratio that the list happens to repeat.
  await approve(fileOf(bookOf(entry('gpt-4', '6', '2'))));
  await approve(fileOf(bookOf(entry('gpt-4', '8', '2'))));
  expect(await stored('ModelRatio')).toEqual({ 'gpt-4': 3 });
});

test('a comparison names what changes, by how much for the calls of the last month, and what the operator keeps', async () => {
  await relay.setOption('ModelRatio', JSON.stringify({ 'gpt-4': 5 }));
  for (const model of ['gpt-4o', 'gpt-4o', 'gpt-4']) await costOf(model);
  const charged = await relay.app.db.read
    .selectFrom('log_hours')
    .select((eb) => ['model_name', eb.fn.sum<number>('quota').as('quota'), eb.fn.sum<number>('requests').as('calls')])
    .groupBy('model_name')
    .execute();
  const sums = new Map(charged.map(({ model_name, ...rest }) => [model_name, rest]));
  const calls = Number(sums.get('gpt-4o')?.calls);
  const found = await compare(
    fileOf(bookOf(entry('gpt-4o', '7', '70'), entry('gpt-4', '1', '2'), entry('unused', '1', '1'))),
  );
  expect(found).toMatchObject({ proposal: { name: '2026-12' }, against: 0, unchanged: 0 });
  expect(named(found, 'gpt-4o')).toMatchObject({
    kind: 'added',
    built_in: true,
    before: { rates: { input: '5', output: '20' } },
    after: { rates: { input: '7', output: '70' } },
    kept: '',
    effect: {
      calls,
      users: 1,
      prompt_tokens: 1000 * calls,
      completion_tokens: 100 * calls,
      charged: Number(sums.get('gpt-4o')?.quota),
      charge_before: calls * dollars(5, 20),
      charge_after: calls * dollars(7, 70),
      cost_before: null,
      cost_after: calls * (7000 * 1000 + 70_000 * 100),
      refused: false,
    },
  });
  const kept = named(found, 'gpt-4');
  expect(kept).toMatchObject({ kept: 'ratio', effect: { calls: Number(sums.get('gpt-4')?.calls) } });
  expect(named(found, 'unused')).toMatchObject({ effect: null, before: null });
});

test('a price from a later day on begins with that day, and old charges keep theirs', async () => {
  await approve(fileOf(bookOf(entry('brand-new', '1', '1'))));
  const before = await relay.ask({ key, body: { model: 'brand-new' } });
  await relay.settled();
  const now = relay.app.clock.now();
  const day = new Date(now + 2 * 86_400_000).toISOString().slice(0, 10);
  await approve(fileOf(bookOf(entry('brand-new', '3', '3'))), { from: day });
  expect(await costOf('brand-new')).toBe(dollars(1, 1));
  relay.app.clock.advance(3 * 86_400_000);
  expect(await costOf('brand-new')).toBe(dollars(3, 3));
  expect((await relay.chargeOf(before.requestId))?.amount).toBe(dollars(1, 1));
  relay.app.clock.advance(-3 * 86_400_000);
  const yesterday = new Date(relay.app.clock.now() - 86_400_000).toISOString().slice(0, 10);
  expect(await refusedApproval(fileOf(bookOf(entry('brand-new', '3', '4'))), { from: yesterday })).toContain(
    'from must be at least',
  );
});

test('a call that runs keeps the price that was in force when it arrived', async () => {
  await approve(fileOf(bookOf(entry('brand-new', '1', '1'))));
  let release = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    relay.upstream.behave(() => {
      resolve();
      return {
        usage,
        until: new Promise<void>((end) => (release = end)),
      };
    });
  });
  const running = relay.start({ key, body: { model: 'brand-new' } });
  await arrived;
  await approve(fileOf(bookOf(entry('brand-new', '9', '9'))));
  release();
  const { requestId } = await running.answer;
  await relay.settled();
  expect((await relay.chargeOf(requestId))?.amount).toBe(dollars(1, 1));
  relay.upstream.behave(() => ({ usage }));
  expect(await costOf('brand-new')).toBe(dollars(9, 9));
});

test('of two approvals at once one counts, and the other one changes nothing', async () => {
  const body = await bodyOf(fileOf(bookOf(entry('brand-new', '1', '1'), entry('gpt-4', '1', '1'))));
  const choices = ['brand-new', 'gpt-4'].map((model) => ({
    ...body,
    keep: true,
    chosen: [{ vendor: 'openai', model }],
  }));
  const answers = await Promise.all(
    choices.map((choice) => relay.root.call('POST', '/api/price_book/approve', { body: choice })),
  );
  expect(answers.filter(({ json }) => json['success'] === true)).toHaveLength(1);
  expect(answers.map(({ json }) => json['message']).join('')).toContain('another price book was proposed or approved');
  const { editions, current } = await status();
  expect(editions).toHaveLength(1);
  const rows = await relay.app.db.read.selectFrom('price_books').select('content').execute();
  expect(rows.map(({ content }) => parseBook(content).entries.length)).toEqual([1]);
  expect(await relay.root.refused('POST', '/api/price_book/restore', { id: 0, against: 0 })).toContain('another');
  expect(current?.source).toBe('file december.json');
});

test('a proposal that was replaced or dismissed meanwhile is not approved', async () => {
  const first = await bodyOf(fileOf(bookOf(entry('brand-new', '1', '1'))));
  const second = await bodyOf(fileOf(bookOf(entry('brand-new', '2', '2'))));
  const refused = (body: unknown) => relay.root.refused('POST', '/api/price_book/approve', body);
  expect(await refused(first)).toContain('Nothing was changed');
  expect(await refused({ ...second, chosen: [{ vendor: 'openai', model: 'misspelt' }] })).toContain('chosen.0');
  expect(await refused({ ...second, chosen: [{ vendor: 'unlisted' }] })).toContain('chosen.0');
  expect(await refused({ ...second, chosen: [] })).toContain('chosen');
  await relay.root.data('DELETE', `/api/price_book/proposal?id=${second.proposal}`);
  expect(await refused(second)).toContain('Nothing was changed');
  expect(await relay.root.refused('DELETE', `/api/price_book/proposal?id=${second.proposal}`)).toContain('Nothing');
  expect(await relay.root.refused('GET', '/api/price_book/proposal')).toBe('Record not found');
  expect(await status()).toMatchObject({ current: null, proposal: null });
});

test('a vendor is approved alone, the rest goes on waiting, and a model that the book lacks ends only where it is named', async () => {
  const google = entry('gemini-x', '1', '1', { vendor: 'gemini' });
  await approve(fileOf(bookOf(entry('brand-new', '1', '1'), entry('gpt-4', '1', '1'))));
  const next = fileOf(bookOf(entry('brand-new', '5', '5'), google));
  const differences = async () =>
    (await compared()).differences.map(({ kind, vendor, model }) => `${kind} ${vendor} ${model}`).toSorted();
  await approve(next, { chosen: [{ vendor: 'gemini' }], keep: true });
  expect(await costOf('brand-new')).toBe(dollars(1, 1));
  expect(await differences()).toEqual(['changed openai brand-new', 'removed openai gpt-4']);
  await approve(next, { keep: true });
  expect(await costOf('brand-new')).toBe(dollars(5, 5));
  expect(await costOf('gpt-4')).toBe(dollars(1, 1));
  const { proposal, against, differences: left } = await compared();
  expect(left).toMatchObject([{ kind: 'removed', model: 'gpt-4', after: null, effect: { calls: 1 } }]);
  const chosen = [{ vendor: 'openai', model: 'gpt-4' }];
  await relay.root.data('POST', '/api/price_book/approve', { proposal: proposal.id, against, chosen });
  expect(await costOf('gpt-4')).toBe(dollars(30, 60));
});

test('the shipped book is offered until it is decided about, and a proposal waits over a restart', async () => {
  expect(await status()).toMatchObject({ current: null, proposal: null, shipped: { is_new: true } });
  const { id: waiting } = await propose({ kind: 'shipped' });
  await relay.close();
  relay = await buildRelayApp({ database: db, frozen: true });
  expect(await status()).toMatchObject({
    proposal: { id: waiting, name: shippedBookName(), source: 'shipped', by: 'root' },
    shipped: { is_new: true },
  });
  expect((await compared()).differences.length).toBeGreaterThan(1500);
  await relay.root.data('DELETE', `/api/price_book/proposal?id=${waiting}`);
  expect(await status()).toMatchObject({ current: null, proposal: null, shipped: { is_new: false } });
});

test('the shipped book is not offered again once it was approved', async () => {
  await approve({ kind: 'shipped' });
  expect((await status()).shipped.is_new).toBe(false);
  expect(await costOf('gpt-4o')).toBe(dollars(2.5, 10));
});

test('an earlier edition is put in force again as a new one, and the last ten are kept with who approved them', async () => {
  const first = await approve(fileOf(bookOf(entry('brand-new', '1', '1')), 'one.json'));
  await approve(fileOf(bookOf(entry('brand-new', '2', '2'), entry('other', '1', '1')), 'two.json'));
  await restore(first.id);
  expect(await costOf('brand-new')).toBe(dollars(1, 1));
  const { current, editions } = await status();
  expect(current).toEqual(editions[0]);
  expect(editions.map(({ source, by }) => [source, by])).toEqual([
    [`edition ${first.id}`, 'root'],
    ['file two.json', 'root'],
    ['file one.json', 'root'],
  ]);
  const notes = await relay.app.db.read
    .selectFrom('audit')
    .select(['action', 'subject', 'detail'])
    .where('action', 'like', '%price_book')
    .orderBy('id')
    .execute();
  expect(notes.map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
    ['propose_price_book', '2026-12', '1 entries of file one.json'],
    ['approve_price_book', '2026-12', 'all of file one.json'],
    ['propose_price_book', '2026-12', '2 entries of file two.json'],
    ['approve_price_book', '2026-12', 'all of file two.json'],
    ['restore_price_book', '2026-12', `edition ${first.id}`],
  ]);
  const unknown = { id: 999_999, against: current?.id };
  expect(await relay.root.refused('POST', '/api/price_book/restore', unknown)).toBe('Record not found');
  for (let round = 0; round < 9; round += 1) await restore((await status()).current?.id ?? 0);
  expect((await status()).editions).toHaveLength(10);
  expect(await costOf('brand-new')).toBe(dollars(1, 1));
});

test('going back behind the first approval has the ratios of before count again', async () => {
  const before = await costOf('gpt-4');
  await approve(fileOf(bookOf(entry('gpt-4', '1', '2'))));
  expect(await costOf('gpt-4')).toBe(dollars(1, 2));
  await restore(0);
  expect(await costOf('gpt-4')).toBe(before);
  expect((await compare(fileOf(bookOf(entry('gpt-4', '1', '2'))))).differences).toMatchObject([
    { kind: 'added', built_in: true },
  ]);
});

test('the calls of an alias count for the model that its channel sends', async () => {
  await relay.addChannel({ models: 'alias', model_mapping: '{"alias":"brand-new"}' });
  await approve(fileOf(bookOf(entry('brand-new', '1', '1'))));
  for (const model of ['alias', 'brand-new', 'alias']) await costOf(model);
  const other = await relay.addUser();
  await relay.ask({ key: other.key, body: { model: 'alias' } });
  await relay.settled();
  const found = named(await compare(fileOf(bookOf(entry('brand-new', '2', '1')))), 'brand-new');
  expect(found).toMatchObject({
    kind: 'changed',
    members: ['rates.input'],
    offered: true,
    effect: {
      calls: 4,
      top: [{ calls: 3 }, { calls: 1 }],
      charged: 4 * dollars(1, 1),
      charge_after: 4 * dollars(2, 1),
      cost_before: 4 * (1000 * 1000 + 1000 * 100),
    },
  });
});

test('price books are for the super administrator alone', async () => {
  const admin = await relay.app.addUser('price-admin', role.admin);
  for (const [method, path] of [
    ['GET', '/api/price_book'],
    ['POST', '/api/price_book/proposal'],
    ['GET', '/api/price_book/proposal'],
    ['DELETE', '/api/price_book/proposal?id=1'],
    ['POST', '/api/price_book/approve'],
    ['POST', '/api/price_book/restore'],
  ] as const)
    expect((await admin.call(method, path, { body: method === 'POST' ? {} : undefined })).json).toEqual({
      success: false,
      message: 'Not permitted: insufficient permission',
    });
  expect((await relay.app.visitor().call('GET', '/api/price_book')).status).toBe(401);
});
