import { Client } from 'pg';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open-database.ts';
import { buildTestApp } from '../app/app.ts';
import { addChannel, holdFor, settleFor, type Caller } from '../database/accounts.ts';
import { createTestStorage } from '../database/database.ts';
import { isJson } from '../parsing/json.ts';

const editsEach = 60;
const callsAtOnce = 16;

/** The deadlocks that the server counted: complete once every connection has ended. */
const countDeadlocks = async (databaseUrl: string): Promise<number> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  await client.end();
  return Number(rows[0]?.deadlocks);
};

test('M3 edits of keys and accounts beside their calls never meet in a deadlock, and none of them fails', async () => {
  const storage = await createTestStorage();
  const database = { ...(await openDatabase(storage)), ...storage };
  const app = await buildTestApp({ database });
  const root = await app.root();
  const owner = await app.addUser('owner');
  const grant = { opKey: 'grant', userId: owner.id, amount: 1e9, actorId: 0, reason: '', at: 1, log: null };
  await database.post({ kind: 'credit', entry: 'grant', ...grant });
  const channelId = await addChannel(database);
  const tokens: number[] = [];
  for (const name of ['one', 'two', 'three']) {
    const made = await owner.data('POST', '/api/token/', { name, remain_quota: 1e6 });
    tokens.push(isJson(made) ? Number(made['id']) : 0);
  }

  let editing = true;
  const callUntilEdited = async (client: number): Promise<void> => {
    for (let index = 0; editing; index += 1) {
      const tokenId = tokens[(client + index) % tokens.length] ?? 0;
      const caller: Caller = { userId: owner.id, tokenId, channelId, tokenLimited: true };
      const requestId = `client${client}request${index}`;
      await database.post(holdFor(caller, requestId, 50));
      await database.post({ ...settleFor(caller, requestId, 20), held: 50 });
    }
  };
  const repeat = async (edit: (index: number) => Promise<unknown>): Promise<void> => {
    for (let index = 0; index < editsEach; index += 1) await edit(index);
  };
  const editToken = (offset: number) => (index: number) => {
    const id = tokens[(offset + index) % tokens.length];
    return owner.data('PUT', '/api/token/', { id, name: `key ${index}`, remain_quota: 1e6 + index });
  };
  const edits = [
    repeat(editToken(0)),
    repeat(editToken(1)),
    repeat((index) => root.data('PUT', '/api/user/', { id: owner.id, quota: 1e9 + index })),
    repeat(async (index) => {
      const made = await owner.data('POST', '/api/token/', { name: `new ${index}`, remain_quota: 5 });
      if (isJson(made)) await owner.data('DELETE', `/api/token/${String(made['id'])}`);
    }),
  ];
  const calls = Array.from({ length: callsAtOnce }, (_, client) => callUntilEdited(client));
  const outcomes = await Promise.allSettled(edits);
  editing = false;
  await Promise.all(calls);
  await app.close();
  await database.close();
  const deadlocks = storage.databaseUrl === undefined ? 0 : await countDeadlocks(storage.databaseUrl);
  await storage.remove();
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(deadlocks).toBe(0);
}, 240_000);
