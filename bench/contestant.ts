import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openReadOnly } from '../server/src/store/engine/read-only.ts';
import { verifyLedger } from '../server/src/store/ledger/verify.ts';
import { signInTo } from '../server/test/clients/management-client.ts';
import { freePort, rootPassword, startServer } from '../server/test/processes/server-process.ts';
import { build } from './native/native.ts';

export const model = 'gpt-4o-mini';
export const upstreamKey = 'sk-upstream';

/** The server under test, on the first core. */
export interface Contestant {
  readonly url: string;
  readonly pids: readonly number[];
  readonly key: string;
  stop(): Promise<void>;
}

/** The processes that a process has started. */
export const childPids = (pid: number): number[] =>
  execFileSync('sh', ['-c', `cat /proc/${pid}/task/*/children`], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);

/** Memory of a process in MB. */
export const residentMb = (pid: number): number => {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
};

/** What a stopped gateway's books say: calls that were charged, and the result of the ledger's verification. */
export const booked = async (dataDir: string) => {
  const db = openReadOnly({ dataDir, databaseUrl: undefined });
  try {
    const { count } = await db.read
      .selectFrom('logs')
      .where('type', '=', 2)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const { findings, figures } = await verifyLedger(db);
    return { charged: Number(count), openHolds: figures.holds, findings: findings.length };
  } finally {
    await db.close();
  }
};

/** The upstream of all contestants, on the second core. */
export const startMock = async (
  args: readonly string[],
  fixedPort?: number,
): Promise<{ port: number; child: ChildProcess }> => {
  const port = fixedPort ?? (await freePort());
  const child = spawn('taskset', ['-c', '1', build('mock-upstream'), '-p', String(port), '-k', upstreamKey, ...args]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return { port, child };
};

/** A new gateway with one channel and one unlimited token. */
export const startWeir = async (
  upstreamPort: number,
  dir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Contestant> => {
  const server = await startServer({ dataDir: join(dir, 'data'), env, prefix: ['taskset', '-c', '0'] });
  const root = await signInTo(server.url, 'root', rootPassword);
  await root.call('POST', '/api/channel/', {
    type: 8,
    name: 'bench',
    key: upstreamKey,
    base_url: `http://127.0.0.1:${upstreamPort}`,
    models: model,
    group: 'default',
  });
  const token = await root.call<{ key: string }>('POST', '/api/token/', { name: 'bench', unlimited_quota: true });
  return {
    url: server.url,
    pids: [server.pid],
    key: `sk-${token.key}`,
    stop: async () => {
      await server.stop('SIGTERM');
    },
  };
};
