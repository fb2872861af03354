import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../server/src/store/open-database.ts';
import type { Database } from '../server/src/store/database.ts';
import type { SettlePosting } from '../server/src/store/ledger/postings.ts';
import { addCaller, holdFor, settleFor, type Caller } from '../server/test/database/accounts.ts';

/** Cost of the postings of requests: `node bench/postings.ts [callers]`, with DATABASE_URL on PostgreSQL. */
const callerCount = Number(process.argv[2] ?? 50);
const plenty = 1e12;

interface Run {
  readonly name: string;
  readonly requests: number;
  /** Requests that run at the same time. */
  readonly parallel: number;
  readonly request: (caller: Caller, requestId: string) => Promise<unknown>;
}

let started = 0;
/** Request ids as in the relay: the time, then digits. */
const nextRequestId = (): string => `20261121054200${String((started += 1)).padStart(9, '0')}12345678`;

const measure = async (callers: readonly Caller[], { name, requests, parallel, request }: Run): Promise<void> => {
  let left = requests;
  const client = async (index: number) => {
    while (left > 0) {
      left -= 1;
      const caller = callers[(index + left) % callers.length];
      if (caller !== undefined) await request(caller, nextRequestId());
    }
  };
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await Promise.all(Array.from({ length: parallel }, (_, index) => client(index)));
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const perRequest = (microseconds: number) => (microseconds / requests).toFixed(1).padStart(6);
  const rate = Math.round(requests / seconds)
    .toLocaleString('en')
    .padStart(8);
  console.log(
    `${name.padEnd(34)} ${String(parallel).padStart(5)} parallel ${rate}/s  CPU ${perRequest(user + system)} us (system ${perRequest(system)})`,
  );
};

const openFresh = async (): Promise<Database & { readonly remove: () => Promise<void> }> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const server = process.env['DATABASE_URL'];
  const name = `weir_bench_${process.pid}`;
  const administrate = async (text: string) => {
    const client = new Client({ connectionString: server });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  let databaseUrl: string | undefined;
  if (server !== undefined) {
    await administrate(`create database ${name}`);
    databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  }
  const db = await openDatabase({ dataDir, databaseUrl });
  const remove = async () => {
    await db.close();
    rmSync(dataDir, { recursive: true });
    if (server !== undefined) await administrate(`drop database ${name} with (force)`);
  };
  return { ...db, remove };
};

const db = await openFresh();
const callers: Caller[] = [];
for (let index = 0; index < callerCount; index += 1) callers.push(await addCaller(db, plenty, plenty));

const models = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet', 'gemini-flash', 'deepseek-chat'];
/** Every caller has its own token and user name, and uses the models in turn. */
const settlement = (caller: Caller, requestId: string): SettlePosting => {
  const posting = settleFor(caller, requestId, 60);
  const names = { username: `user${caller.userId}`, token_name: `token${caller.tokenId}` };
  const model_name = models[started % models.length] ?? '';
  return {
    ...posting,
    log: posting.log && { ...posting.log, ...names, model_name, content: 'model ratio 2.5, group ratio 1' },
  };
};

const both = async (caller: Caller, requestId: string) => {
  await db.post(holdFor(caller, requestId, 100));
  await db.post(settlement(caller, requestId));
};
/** As in the relay on SQLite with a deferred hold and a fast answer. */
const settleAlone = (caller: Caller, requestId: string) => db.post({ ...settlement(caller, requestId), unheld: true });
console.log(`${db.kind}, ${callerCount} callers`);
await measure(callers, { name: 'warm-up', requests: 20_000, parallel: 512, request: both });
for (const parallel of [1024, 256, 64, 1]) {
  const requests = parallel === 1 ? 2000 : 60_000;
  await measure(callers, { name: 'hold, then settlement', requests, parallel, request: both });
  await measure(callers, { name: 'settlement alone', requests, parallel, request: settleAlone });
}
await db.remove();
