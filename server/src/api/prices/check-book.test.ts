import { comparePriceBook } from '@weir/contract/prices/book-updates';
import type { BookEntry } from '@weir/contract/prices/price-book';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelayApp, type RelayApp } from '../../../test/app/relay-app.ts';
import { type Counterpart, startCounterpart } from '../../../test/fakes/services/counterpart.ts';

let relay: RelayApp;

beforeAll(async () => {
  relay = await buildRelayApp();
});
afterAll(() => relay.close());

const entry = (model: string, input: string, output: string, more: Partial<BookEntry> = {}): BookEntry => ({
  vendor: 'openai',
  model,
  mode: 'chat',
  price: { rates: { input, output } },
  from: '2026-01-01',
  ...more,
});
const bookOf = (...entries: readonly unknown[]) => ({ name: '2026-12', entries });
const fileOf = (book: unknown) => ({ kind: 'file', name: 'december.json', content: JSON.stringify(book, null, 1) });
const refusedSource = (source: unknown) => relay.root.refused('POST', '/api/price_book/proposal', { source });
const propose = (source: unknown) => relay.root.data('POST', '/api/price_book/proposal', { source });

const bad = [
  ['line 16: entries.1.price.rates.input', [entry('a', '1', '1'), entry('b', '-1', '1')]],
  ['line 4: entries.0.from', [{ ...entry('a', '1', '1'), from: 'tomorrow' }]],
  ['line 4: entries.0.mode is missing', [{ vendor: 'x', model: 'a' }]],
  ['line 4: entries.0.model is malformed', [{ ...entry('a', '1', '1'), model: 'a\0' }]],
  ['line 4: entries.0', ['text']],
  ['line 16: entries.1 is there twice', [entry('a', '1', '1'), entry('a', '2', '2')]],
  ['line 20004: entries must be at most 20000', Array.from({ length: 20_001 }, () => 0)],
  ['line 3: entries is missing', []],
] as const;
test.each(bad)('a file is refused with the line and the path of its first fault: %s', async (path, entries) => {
  expect(await refusedSource(fileOf(bookOf(...entries)))).toContain(`Not a price book, ${path}`);
});

test('a file of 20,000 entries is compared; one above 5 MB, cut or of something else is refused', async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => entry(`model-${index}`, '1', '1'));
  const content = JSON.stringify(bookOf(...many));
  await propose({ kind: 'file', name: 'many.json', content });
  const { differences } = v.parse(comparePriceBook.data, await relay.root.data('GET', '/api/price_book/proposal'));
  expect(differences.filter(({ kind }) => kind === 'added')).toHaveLength(20_000);
  const wide = bookOf(entry('a', '1', '1', { source: 'x'.repeat(5 * 1024 * 1024) }));
  expect(await refusedSource(fileOf(wide))).toBe('A price book has at most 5 MB');
  const huge = { kind: 'file', name: 'huge.json', content: 'x'.repeat(11 * 1024 * 1024) };
  const answer = await relay.root.call('POST', '/api/price_book/proposal', { body: { source: huge } });
  expect(answer.status).toBe(413);
  for (const book of [null, [], 'text', { name: '', entries: [] }, { name: 'a\0', entries: [1] }, { name: 'a' }])
    expect(await refusedSource(fileOf(book))).toContain('Not a price book, line 1: ');
  const cut = { kind: 'file', name: 'cut.json', content: '{"name":"x",\n"entries":[\n{"vendor":' };
  expect(await refusedSource(cut)).toBe('Not a price book, line 3: JSON is malformed');
  for (const source of [{ kind: 'edition', id: 1 }, { kind: 'file', name: 'x' }, null, 7])
    expect(await refusedSource(source)).toContain('Invalid input');
});

test('an address must be https or of a private network, and answer with a price book', async () => {
  const ask = (url: string) => refusedSource({ kind: 'url', url });
  expect(await ask('')).toBe('Enter an address, or set PriceBookUrl');
  expect(await ask('http://prices.example/book.json')).toContain('not an https address');
  expect(await ask('http://127.0.0.1.example/book.json')).toContain('not an https address');
  expect(await ask('file:///etc/passwd')).toContain('not an https address');
  expect(await ask('https://169.254.169.254/book.json')).toContain('is not allowed');
  expect(await ask('https://127.0.0.1:1/book.json')).toContain('no response from 127.0.0.1:1');
  const book = bookOf(entry('brand-new', '4', '4'));
  const server: Counterpart = await startCounterpart({
    'GET /book.json': () => ({ body: book }),
    'GET /moved.json': () => ({ status: 302, headers: { location: '/book.json' } }),
    'GET /broken.json': () => ({ body: '{"name":"x",\n"entries":[7]}' }),
    'GET /long.json': () => ({ body: ' '.repeat(5 * 1024 * 1024 + 1) }),
  });
  expect(await ask(`${server.url}/moved.json`)).toContain('redirect 302');
  expect(await ask(`${server.url}/missing.json`)).toContain('status 404');
  expect(await ask(`${server.url}/broken.json`)).toBe('Not a price book, line 2: entries.0 has the wrong type');
  expect(await ask(`${server.url}/long.json`)).toContain('too long');
  await relay.setOption('PriceBookUrl', `${server.url}/book.json`);
  expect(await propose({ kind: 'url', url: '' })).toMatchObject({ name: '2026-12', source: `${server.url}/book.json` });
  await relay.setOption('PriceBookUrl', '');
  await server.close();
});
