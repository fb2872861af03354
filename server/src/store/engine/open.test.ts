import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestStorage, testDatabaseKind } from '../../../test/database/database.ts';
import { StartError } from '../../errors.ts';
import { openDatabase } from '../open-database.ts';
import type { DatabaseOptions } from '../database.ts';

/** The message to the operator when the start is refused. */
const refusal = async (options: DatabaseOptions): Promise<string> => {
  const error: unknown = await openDatabase(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  return error instanceof StartError ? error.message : '';
};

test('a second process on the same data directory is refused with one line', async () => {
  const place = await createTestStorage();
  const db = await openDatabase(place);
  expect(await refusal(place)).toBe(`Another process is using the data directory ${place.dataDir}`);
  await db.read.selectFrom('users').selectAll().execute();
  await db.close();
  await (await openDatabase(place)).close();
  await place.remove();
});

test('a data directory that cannot be written is refused with one line', async () => {
  const place = await createTestStorage();
  const file = join(place.dataDir, 'file');
  writeFileSync(file, '');
  const message = await refusal({ ...place, dataDir: join(file, 'data') });
  expect(message).toMatch(/^The data directory .* cannot be written: ENOTDIR$/);
  mkdirSync(join(place.dataDir, 'weir.lock'));
  expect(await refusal(place)).toMatch(/^The data directory .* cannot be locked: [^\n]*$/);
  await place.remove();
});

test('another secret key than at the first start is refused', async () => {
  const place = await createTestStorage();
  await (await openDatabase({ ...place, secretFingerprint: 'one' })).close();
  await (await openDatabase({ ...place, secretFingerprint: 'one' })).close();
  expect(await refusal({ ...place, secretFingerprint: 'two' })).toContain('SECRET_KEY does not match this database');
  await (await openDatabase({ ...place, secretFingerprint: 'one' })).close();
  await place.remove();
});

test('every start has an epoch of its own, node by node', async () => {
  const place = await createTestStorage();
  for (const nodeName of ['a', 'a', 'b']) await (await openDatabase({ ...place, nodeName })).close();
  const db = await openDatabase({ ...place, nodeName: 'a' });
  const epochs = db.read.selectFrom('instance').selectAll().where('key', 'like', 'epoch:%').orderBy('key');
  expect(await epochs.execute()).toEqual([
    { key: 'epoch:a', value: '3' },
    { key: 'epoch:b', value: '1' },
  ]);
  await db.close();
  await place.remove();
});

if (testDatabaseKind === 'sqlite') {
  test('a file that is no database is refused with one line', async () => {
    const place = await createTestStorage();
    writeFileSync(join(place.dataDir, 'weir.db'), 'This is a text and no database at all. '.repeat(100));
    expect(await refusal(place)).toMatch(/^The database .*weir\.db cannot be used: [^\n]*$/);
    await place.remove();
  });
} else {
  test('a second process with the same node name is refused, one with another name is not', async () => {
    const place = await createTestStorage();
    const second = await createTestStorage();
    const db = await openDatabase({ ...place, nodeName: 'a' });
    const elsewhere = { dataDir: second.dataDir, databaseUrl: place.databaseUrl };
    expect(await refusal({ ...elsewhere, nodeName: 'a' })).toContain('Another process is running as node a');
    await (await openDatabase({ ...elsewhere, nodeName: 'b' })).close();
    await db.close();
    await place.remove();
    await second.remove();
  });

  test('a PostgreSQL that is not there is refused with one line', async () => {
    const place = await createTestStorage();
    const message = await refusal({ ...place, databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing' });
    expect(message).toMatch(/^PostgreSQL cannot be used: [^\n]*$/);
    await place.remove();
  });

  test('several nodes that start together on an empty database all start', async () => {
    const places = await Promise.all([createTestStorage(), createTestStorage(), createTestStorage()]);
    const databaseUrl = places[0]?.databaseUrl;
    const nodes = await Promise.all(
      places.map(({ dataDir }, index) => openDatabase({ dataDir, databaseUrl, nodeName: `node${index}` })),
    );
    for (const node of nodes) expect(await node.read.selectFrom('users').selectAll().execute()).toEqual([]);
    for (const node of nodes) await node.close();
    for (const place of places) await place.remove();
  });
}
