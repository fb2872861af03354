/**
 * Holds and settlements per second if every flush to disk takes a millisecond longer, on SQLite; the result is stored in
 * `bench/results/`: `node bench/pairs.ts [pairs]` (Linux, needs cc).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../server/src/store/open-database.ts';
import { verifyLedger } from '../server/src/store/ledger/verify.ts';
import { addCaller, holdFor, settleFor, type Caller } from '../server/test/database/accounts.ts';
import { circumstances, keepResult, numberArgument } from './circumstances.ts';
import { buildSlowFlush } from './native/native.ts';

const pairs = numberArgument(20_000);
const flushMs = 1;
const wantedPerSecond = 2000;
/** Calls that run at the same time. */
const parallel = 256;

const measure = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const db = await openDatabase({ dataDir });
  const callers: Caller[] = [];
  for (let index = 0; index < 50; index += 1) callers.push(await addCaller(db, 1e12, 1e12));
  let count = 0;
  const pair = async () => {
    const caller = callers[count % callers.length];
    count += 1;
    if (caller === undefined) return;
    const requestId = `2026112105420000${String(count).padStart(16, '0')}`;
    await db.post(holdFor(caller, requestId, 100));
    await db.post(settleFor(caller, requestId, 60));
  };
  const run = async (total: number, atOnce: number): Promise<number> => {
    let left = total;
    const began = performance.now();
    const client = async () => {
      for (; left > 0; await pair()) left -= 1;
    };
    await Promise.all(Array.from({ length: atOnce }, client));
    return (performance.now() - began) / 1000;
  };
  await run(2000, parallel);
  const seconds = await run(pairs, parallel);
  const alone = await run(100, 1);
  const { findings } = await verifyLedger(db);
  await db.close();
  rmSync(dataDir, { recursive: true });
  return { pairsPerSecond: Math.round(pairs / seconds), alonePairMs: Number((alone * 10).toFixed(2)), findings };
};

if (process.env['LD_PRELOAD'] === undefined) {
  const env = { ...process.env, LD_PRELOAD: buildSlowFlush(), SLOW_FLUSH_US: String(flushMs * 1000) };
  const script = [import.meta.filename, String(pairs)];
  process.exitCode = spawnSync(process.execPath, script, { env, stdio: 'inherit' }).status ?? 1;
} else {
  const before = circumstances();
  const found = await measure();
  keepResult('pairs', {
    what: 'a hold and its settlement, each durable, where every flush takes 1 ms longer; SQLite',
    ...before,
    pairs,
    parallel,
    flushMs,
    wantedPerSecond,
    ...found,
  });
  console.log(`${found.pairsPerSecond} pairs/s, ${found.alonePairMs} ms for one alone`);
  // A pair alone takes two flushes; if it is faster, the preloaded library was not active.
  const slow = found.alonePairMs >= 2 * flushMs;
  process.exitCode = slow && found.pairsPerSecond >= wantedPerSecond && found.findings.length === 0 ? 0 : 1;
}
