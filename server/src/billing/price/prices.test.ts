import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecrets } from '../../store/credentials/secrets.ts';
import type { Database } from '../../store/database.ts';
import { openChanges } from '../../store/nodes/changes.ts';
import { loadOptions } from '../../store/options.ts';
import { insertPriceBook } from '../../store/prices/price-books.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { readShippedBook } from './book/shipped-book.ts';
import { loadPrices, type Prices } from './prices.ts';

let db: TestDatabase;
let prices: Prices;
let statements = 0;
const close: (() => Promise<void> | void)[] = [];

/** Every statement begins with one of these. */
const counted = (read: Database['read']): Database['read'] =>
  new Proxy(read, {
    get: (target, name) => {
      statements += 1;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function'
        ? (...given: readonly unknown[]): unknown => Reflect.apply(member, target, given)
        : member;
    },
  });

beforeAll(async () => {
  db = await openTestDatabase();
  const book = readShippedBook();
  await db.write.transaction().execute((trx) => insertPriceBook(trx, { book, source: 'test', actorId: 0, at: 1 }));
  const changes = await openChanges({ databaseUrl: db.databaseUrl });
  const options = await loadOptions({ db, secrets: createSecrets(Buffer.alloc(32, 7)), changes, defaults: {} });
  const onError = (error: unknown) => {
    throw error;
  };
  prices = await loadPrices({ db: { ...db, read: counted(db.read) }, options, clock: { now: Date.now }, onError });
  close.push(prices.close, options.close, changes.close, db.close);
});
afterAll(async () => {
  for (const end of close) await end();
});

test('R5 the search for a price runs no statement, of models asked for before or for the first time', () => {
  const before = statements;
  expect(before).toBeGreaterThan(0);
  const models = readShippedBook()
    .entries.slice(0, 300)
    .map(({ model }) => model);
  for (let round = 0; round < 2; round++)
    for (const model of [...models, 'unknown-model'])
      for (const channelType of [1, 8, 14]) {
        const price = prices.current().price({ model, channelType, group: 'default', atMs: Date.now() });
        price.chosenFor({ prompt: 1000, completion: 10 }).quota({ prompt: 1000, completion: 10 });
      }
  expect(statements).toBe(before);
});

test('a book that is in force is read again only where another one is', async () => {
  const book = prices.book();
  await prices.reload();
  expect(prices.book()).toBe(book);
  const next = { name: 'next', entries: [] };
  await db.write
    .transaction()
    .execute((trx) => insertPriceBook(trx, { book: next, source: 'test', actorId: 0, at: 2 }));
  await prices.reload();
  expect(prices.book()).not.toBe(book);
});
