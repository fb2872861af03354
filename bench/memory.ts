/**
 * 1,000 hostile calls on a gateway in a process of its own: large bodies, bodies that inflate or parse to much, whole answers and
 * single events of 60 MiB, by several users. Measures the memory of the process and how long `/api/status` takes meanwhile.
 * Beside these it measures how late the timers of an idle process are (the load of the machine), and the processor time that
 * the main thread takes at once, which the load does not change.
 *
 *   node bench/memory.ts [calls] [--write]
 *
 * Upstream and clients are another process. Needs Linux, and a quiet machine for the times.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type ManagementClient, signInTo } from '../server/test/clients/management-client.ts';
import { type Flood, floodWith, startHostileUpstream } from '../server/test/faults/memory-flood.ts';
import { rootPassword, startServer } from '../server/test/processes/server-process.ts';
import { circumstances, keepResult } from './circumstances.ts';
import { residentMb } from './contestant.ts';

const model = 'weir-bench';
const memoryMb = 256;
/** Three times the account of all calls, and the process itself (docs/operations.md). */
const residentMaxMb = 3 * memoryMb + 400;
const statusMaxMs = 100;
const parallel = 50;
const userCount = 5;
const pollMs = 20;

const heardFrom = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('message', resolve));

const spread = (times: readonly number[]) => {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return { median: at(0.5), p99: at(0.99), most: at(1) };
};

/** How late the timers of this process are, until it is told to stop. */
const measureLateness = (): void => {
  const late: number[] = [];
  let due = performance.now() + pollMs;
  setInterval(() => {
    late.push(performance.now() - due);
    due = performance.now() + pollMs;
  }, pollMs);
  process.on('message', () => {
    process.send?.(JSON.stringify(spread(late)));
    process.exit();
  });
  process.send?.('ready');
};

const prepare = async (root: ManagementClient, url: string, upstream: string): Promise<readonly string[]> => {
  const channel = { type: 8, name: 'hostile', key: 'sk-hostile', base_url: upstream, models: model, group: 'default' };
  await root.call('POST', '/api/channel/', channel);
  // A free model: nothing but the memory limits what it is called with.
  await root.call('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify({ [model]: 0 }) });
  const keys: string[] = [];
  for (let index = 0; index < userCount; index += 1) {
    const name = `user${index}`;
    await root.call('POST', '/api/user/', { username: name, password: rootPassword, display_name: name });
    const user = await signInTo(url, name, rootPassword);
    const token = await user.call<{ key: string }>('POST', '/api/token/', { name: 'bench', unlimited_quota: true });
    keys.push(`sk-${token.key}`);
  }
  return keys;
};

const figures = async (calls: number) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-memory-'));
  const turnTimes = join(dataDir, 'turn-times.json');
  const preload = `--import=${pathToFileURL(join(import.meta.dirname, 'turn-times.ts')).href}`;
  const env = { MEMORY_MB: String(memoryMb), NODE_OPTIONS: preload, TURN_TIMES: turnTimes };
  const server = await startServer({ dataDir, env });
  const attacker = fork(import.meta.filename, ['attacker']);
  const idle = fork(import.meta.filename, ['idle']);
  try {
    const [upstream] = await Promise.all([heardFrom(attacker), heardFrom(idle)]);
    const keys = await prepare(await signInTo(server.url, 'root', rootPassword), server.url, String(upstream));
    const idleMb = residentMb(server.pid);
    let mostMb = 0;
    const waits: number[] = [];
    let over = false;
    const watching = (async () => {
      while (!over) {
        const asked = performance.now();
        await (await fetch(`${server.url}/api/status`)).arrayBuffer();
        waits.push(performance.now() - asked);
        mostMb = Math.max(mostMb, residentMb(server.pid));
        await sleep(pollMs);
      }
    })();
    const began = performance.now();
    attacker.send({ url: server.url, keys, model, calls, parallel } satisfies Flood);
    const statuses: unknown = JSON.parse(String(await heardFrom(attacker)));
    over = true;
    await watching;
    idle.send('stop');
    const lateness: unknown = JSON.parse(String(await heardFrom(idle)));
    const atOnce: unknown = JSON.parse(readFileSync(turnTimes, 'utf8'));
    return {
      calls,
      parallel,
      users: userCount,
      seconds: Math.round((performance.now() - began) / 1000),
      statuses,
      memoryMb,
      residentMb: { idle: idleMb, most: mostMb },
      statusMs: spread(waits),
      /** Of the main thread. */
      processorMsAtOnce: atOnce,
      /** Of a process that does nothing. */
      timersLateMs: lateness,
      bars: { residentMb: residentMaxMb, statusMs: statusMaxMs },
    };
  } finally {
    attacker.kill('SIGKILL');
    idle.kill('SIGKILL');
    await server.stop('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const [first = '1000'] = process.argv.slice(2);
if (first === 'idle') measureLateness();
else if (first === 'attacker') {
  const upstream = await startHostileUpstream();
  process.on('message', (flood: Flood) => {
    void floodWith(flood).then((statuses) => process.send?.(JSON.stringify(statuses)));
  });
  process.send?.(upstream);
} else {
  const at = circumstances();
  const result = { ...at, ...(await figures(Number(first))) };
  console.log(JSON.stringify(result, null, 2));
  if (process.argv.includes('--write')) keepResult('memory', result);
  const { residentMb: resident, statusMs } = result;
  process.exitCode = resident.most <= residentMaxMb && statusMs.p99 <= statusMaxMs ? 0 : 1;
}
