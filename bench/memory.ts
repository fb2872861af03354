/**
 * 1,000 hostile calls on a gateway in a process of its own: large bodies, bodies that inflate, whole answers and single
 * events of 60 MiB. Measures the memory of the process and how long `/api/status` takes meanwhile.
 *
 *   node bench/memory.ts [calls] [--write]
 *
 * Upstream and clients are another process. Needs Linux.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signInTo } from '../server/test/clients/management-client.ts';
import { floodWith, startHostileUpstream } from '../server/test/faults/memory-flood.ts';
import { rootPassword, startServer } from '../server/test/processes/server-process.ts';
import { circumstances, keepResult } from './circumstances.ts';

const model = 'weir-bench';
const memoryMb = 256;
/** Twice the account of all calls, and the process itself (docs/operations.md). */
const residentMaxMb = 2 * memoryMb + 500;
const statusMaxMs = 100;
const parallel = 50;

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const heardFrom = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('message', resolve));

const figures = async (calls: number) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-memory-'));
  const server = await startServer({ dataDir, env: { MEMORY_MB: String(memoryMb) } });
  const attacker = fork(import.meta.filename, ['attacker']);
  try {
    const upstream = String(await heardFrom(attacker));
    const root = await signInTo(server.url, 'root', rootPassword);
    await root.call('POST', '/api/channel/', {
      type: 8,
      name: 'hostile',
      key: 'sk-hostile',
      base_url: upstream,
      models: model,
      group: 'default',
    });
    // A free model: nothing but the memory limits what it is called with.
    await root.call('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify({ [model]: 0 }) });
    const token = await root.call<{ key: string }>('POST', '/api/token/', { name: 'bench', unlimited_quota: true });
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
        await sleep(20);
      }
    })();
    const began = performance.now();
    attacker.send({ url: server.url, key: `sk-${token.key}`, model, calls, parallel });
    const statuses: unknown = JSON.parse(String(await heardFrom(attacker)));
    over = true;
    await watching;
    const sorted = waits.toSorted((one, other) => one - other);
    const at = (share: number) =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
    return {
      calls,
      parallel,
      seconds: Math.round((performance.now() - began) / 1000),
      statuses,
      memoryMb,
      residentMb: { idle: Math.round(idleMb), most: Math.round(mostMb) },
      statusMs: { median: at(0.5), p99: at(0.99), most: at(1) },
      bars: { residentMb: residentMaxMb, statusMs: statusMaxMs },
    };
  } finally {
    attacker.kill('SIGKILL');
    await server.stop('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const [first = '1000'] = process.argv.slice(2);
if (first === 'attacker') {
  const upstream = await startHostileUpstream();
  process.on('message', (flood: Parameters<typeof floodWith>[0]) => {
    void floodWith(flood).then((statuses) => process.send?.(JSON.stringify(statuses)));
  });
  process.send?.(upstream);
} else {
  const at = circumstances();
  const result = { ...at, ...(await figures(Number(first))) };
  console.log(JSON.stringify(result, null, 2));
  if (process.argv.includes('--write')) keepResult('memory', result);
  process.exitCode = result.residentMb.most <= residentMaxMb ? 0 : 1;
}
