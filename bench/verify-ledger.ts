/**
 * Time of `npm run verify` on a ledger with many entries, and of a start with many open holds, on SQLite. The result is
 * stored in `bench/results/`: `node bench/verify-ledger.ts [entries] [holds]`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../server/src/store/open-database.ts';
import { addCaller, holdFor, settleFor, type Caller } from '../server/test/database/accounts.ts';
import { circumstances, keepResult } from './circumstances.ts';

const [entries = 1_000_000, holds = 10_000] = process.argv.slice(2).map(Number);
const atOnce = 10_000;
const secondsMax = 2;
const before = circumstances();
const dataDir = mkdtempSync(join(tmpdir(), 'weir-bench-'));
const secondsSince = (began: number): number => Number(((performance.now() - began) / 1000).toFixed(2));

const fill = async (): Promise<void> => {
  const db = await openDatabase({ dataDir });
  const callers: Caller[] = [];
  for (let index = 0; index < 1000; index += 1) callers.push(await addCaller(db, 1e9, 1e9));
  const callerOf = (index: number): Caller => {
    const caller = callers[index % callers.length];
    if (caller === undefined) throw new Error('there are no callers');
    return caller;
  };
  for (let first = 0; first < entries; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, entries - first) }, (_, index) => {
      const requestId = `2026112105420000${String(first + index).padStart(16, '0')}`;
      return db.post({ ...settleFor(callerOf(index), requestId, 60), unheld: true, log: null });
    });
    await Promise.all(some);
  }
  const open = Array.from({ length: holds }, (_, index) => [
    db.post(holdFor(callerOf(index), `open${index}`, 10)),
    ...(index % 2 === 0 ? [db.post({ kind: 'progress' as const, requestId: `open${index}`, progress: 4 })] : []),
  ]);
  await Promise.all(open.flat());
  await db.close();
};

await fill();
const script = join(import.meta.dirname, '..', 'server', 'src', 'verify.ts');
const verify = () => {
  const began = performance.now();
  const { status, stdout } = spawnSync(process.execPath, [script, dataDir], { encoding: 'utf8' });
  return { status, seconds: secondsSince(began), said: stdout.trim() };
};
verify();
const runs = [verify(), verify(), verify()];
const began = performance.now();
const again = await openDatabase({ dataDir });
const recoverySeconds = secondsSince(began);
const left = await again.read.selectFrom('holds').select('request_id').limit(1).execute();
await again.close();
rmSync(dataDir, { recursive: true });
const verifySeconds = Math.min(...runs.map(({ seconds }) => seconds));
keepResult('verify-ledger', {
  what: '`npm run verify` as a process of its own, the best of three, and a start that ends what was left open; SQLite',
  ...before,
  entries,
  verifyRuns: runs,
  verifySeconds,
  holds,
  recoverySeconds,
  secondsMax,
});
console.log(`${entries} entries verified in ${verifySeconds} s, ${holds} holds recovered in ${recoverySeconds} s`);
const agreed = runs.every(({ status }) => status === 0) && left.length === 0;
process.exitCode = agreed && verifySeconds <= secondsMax && recoverySeconds <= secondsMax ? 0 : 1;
