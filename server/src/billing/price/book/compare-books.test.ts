import type { BookEntry, PriceBook } from '@weir/contract/prices/price-book';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approvedBook, compareBooks } from './compare-books.ts';

const today = '2026-11-24';

const entry = (model: string, input: string, more: Partial<BookEntry> = {}): BookEntry => ({
  vendor: 'openai',
  model,
  mode: 'chat',
  price: { rates: { input, output: '10' } },
  from: '2026-11-01',
  ...more,
});
const book = (...entries: BookEntry[]): PriceBook => ({ name: '2026-11', entries });
const kinds = (old: PriceBook | null, next: PriceBook) =>
  compareBooks(old, next, today).differences.map(({ kind, model, members }) => [kind, model, members]);

test('models that are new, other or gone are told apart, each with the members that differ', () => {
  const old = book(entry('gone', '1'), entry('same', '1.50'), entry('other', '1', { context: 1000 }));
  const next = book(
    entry('new', '2'),
    entry('same', '1.5'),
    entry('other', '1', {
      context: 2000,
      price: {
        rates: { input: '2', output: '10', cache_read: '0.2' },
        tiers: [{ above: 200_000, input: '4' }],
        classes: { batch: { input: '1' } },
        units: { search: '0.01' },
      },
    }),
  );
  expect(kinds(old, next)).toEqual([
    ['removed', 'gone', ['rates.input', 'rates.output', 'mode']],
    ['added', 'new', ['rates.input', 'rates.output', 'mode']],
    ['changed', 'other', ['rates.input', 'context', 'rates.cache_read', 'units.search', 'classes.batch', 'tiers']],
  ]);
  expect(compareBooks(old, next, today).unchanged).toBe(1);
});

test('without a book in force every model is new', () => {
  expect(kinds(null, book(entry('a', '1'), entry('b', '1'))).map(([kind]) => kind)).toEqual(['added', 'added']);
});

test('a price of a later day is a difference of that day, and an earlier one that is over is none', () => {
  const old = book(entry('m', '1', { from: '2026-01-01' }));
  const later = book(entry('m', '1', { from: '2026-06-01' }), entry('m', '3', { from: '2026-12-01' }));
  const { differences } = compareBooks(old, later, today);
  expect(differences).toMatchObject([{ kind: 'changed', day: '2026-12-01', members: ['rates.input'] }]);
  expect(differences[0]?.before?.price?.rates?.input).toBe('1');
  expect(differences[0]?.after?.price?.rates?.input).toBe('3');
  expect(kinds(book(entry('m', '9', { from: '2025-01-01' }), entry('m', '1')), book(entry('m', '1')))).toEqual([]);
});

test('a model that was only added for a later day stays without a price before it', () => {
  const next = approvedBook(null, book(entry('m', '1')), { chosen: 'all', from: '2026-12-24' });
  expect(next.entries.map(({ from }) => from)).toEqual(['2026-12-24']);
});

test('an approval from a day on keeps the old price for the days before, and ends a model from that day on', () => {
  const old = book(entry('m', '1'), entry('gone', '1'));
  const next = book(entry('m', '2'));
  const chosen = [
    { vendor: 'openai', model: 'm' },
    { vendor: 'openai', model: 'gone' },
  ];
  const { entries } = approvedBook(old, next, { chosen, from: '2026-12-01' });
  expect(entries.map(({ model, from, price }) => [model, from, price?.rates?.input])).toEqual([
    ['m', '2026-11-01', '1'],
    ['m', '2026-12-01', '2'],
    ['gone', '2026-11-01', '1'],
    ['gone', '2026-12-01', undefined],
  ]);
  expect(approvedBook(old, next, { chosen, from: null }).entries.map(({ model }) => model)).toEqual(['m']);
});

test('a model whose new price begins later keeps its price until then', () => {
  const next = approvedBook(book(entry('m', '1')), book(entry('m', '2', { from: '2026-12-01' })), {
    chosen: 'all',
    from: null,
  });
  expect(next.entries.map(({ from, price }) => [from, price?.rates?.input])).toEqual([
    ['2026-11-01', '1'],
    ['2026-12-01', '2'],
  ]);
});

const days = ['2026-10-01', '2026-11-01', '2026-11-24', '2026-12-01'];
const anyBook = fc
  .uniqueArray(
    fc.record({
      vendor: fc.constantFrom('openai', 'azure'),
      model: fc.constantFrom('a', 'b', 'c', 'd'),
      from: fc.constantFrom(...days),
      input: fc.constantFrom('1', '2', '3'),
    }),
    { selector: ({ vendor, model, from }) => `${vendor} ${model} ${from}`, maxLength: 16 },
  )
  .map((rows) => book(...rows.map(({ vendor, model, from, input }) => entry(model, input, { vendor, from }))));

/** The input price of a model on a day, looked up without the code under test. */
const priceOn = ({ entries }: PriceBook, vendor: string, model: string, day: string): string | undefined => {
  let latest: BookEntry | undefined;
  for (const each of entries) {
    if (each.vendor !== vendor || each.model !== model || each.from > day) continue;
    if (latest === undefined || each.from > latest.from) latest = each;
  }
  return latest?.price?.rates?.input;
};
const models = ['openai', 'azure'].flatMap((vendor) => ['a', 'b', 'c', 'd'].map((model) => ({ vendor, model })));
const futureDays = ['2026-11-24', '2026-11-30', '2026-12-01', '2027-01-01'];

test('approving all gives the new prices of all its models, none changes nothing, and some change exactly these', () => {
  fc.assert(
    fc.property(
      anyBook,
      anyBook,
      fc.subarray(models),
      fc.constantFrom(null, '2026-11-24', '2026-11-30'),
      (...given) => {
        const [old, next, chosen, from] = given;
        const none = approvedBook(old, next, { chosen: [], from });
        expect(compareBooks(old, { ...none, name: old.name }, today).differences).toEqual([]);
        expect(new Set(none.entries)).toEqual(new Set(old.entries));
        const all = approvedBook(old, next, { chosen: 'all', from: null });
        for (const each of next.entries) expect(all.entries).toContainEqual(each);
        const some = approvedBook(old, next, { chosen, from });
        for (const model of models) {
          const isChosen = chosen.includes(model);
          const isListed = next.entries.some((each) => each.vendor === model.vendor && each.model === model.model);
          for (const day of futureDays) {
            const source = isChosen && (from === null || day >= from) ? next : old;
            // A new price that has not begun leaves the old one in force.
            const expected = priceOn(source, model.vendor, model.model, day);
            const begun = source === old || !isListed || expected !== undefined;
            const wanted = begun ? expected : priceOn(old, model.vendor, model.model, day);
            expect(priceOn(some, model.vendor, model.model, day), `${model.model} ${day}`).toBe(wanted);
          }
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('every difference is gone once all of them are approved', () => {
  fc.assert(
    fc.property(anyBook, anyBook, (old, next) => {
      const { differences } = compareBooks(old, next, today);
      const result = approvedBook(old, next, { chosen: differences, from: null });
      expect(compareBooks(result, next, today).differences).toEqual([]);
    }),
  );
});
