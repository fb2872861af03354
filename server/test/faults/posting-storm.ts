import { writeSync } from 'node:fs';
import { openDatabase } from '../../src/store/open-database.ts';
import { addCaller, holdFor, settleFor } from '../database/accounts.ts';

/**
 * A process of its own that moves money until it is killed, and prints what is durable by the answers it got:
 * `node posting-storm.ts <data directory> <round>`.
 */
const [dataDir = '', round = ''] = process.argv.slice(2);
const parallel = 40;

/** Writes synchronously, so that no output is lost with the process; waits for a full pipe. */
const say = (line: string): void => {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
};

const onFatal = (): never => {
  say('fatal');
  process.exit(1);
};

const db = await openDatabase({ dataDir, databaseUrl: process.env['DATABASE_URL'], onFatal });
const callers = [await addCaller(db, 1e9, 1e9), await addCaller(db, 1e9)];

const run = async (client: number): Promise<never> => {
  for (let index = 0; ; index += 1) {
    const caller = callers[(client + index) % callers.length];
    if (caller === undefined) throw new Error('no caller');
    const requestId = `round${round}client${client}request${index}`;
    const hold = holdFor(caller, requestId, 50);
    const known = client % 2 === 0 ? { held: 50 } : {};
    if (index % 3 === 0) {
      await db.post({ ...settleFor(caller, requestId, 20), unheld: true });
      say(`settled ${requestId}`);
      continue;
    }
    await db.post(hold);
    say(`held ${requestId}`);
    await db.post({ kind: 'progress', requestId, progress: 7, ...known });
    say(`progressed ${requestId}`);
    if (index % 3 === 1) continue;
    await db.post({ ...settleFor(caller, requestId, 60), ...known });
    say(`settled ${requestId}`);
  }
};

say('started');
await Promise.all(Array.from({ length: parallel }, (_, client) => run(client)));
