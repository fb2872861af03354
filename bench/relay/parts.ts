/**
 * Where the processor time of a relayed call goes, by part of the program:
 *
 *   node bench/relay/parts.ts [--rounds 3] [--body 1024] [--messages] [--profile FILE] [--write]
 *
 * A sample of the main thread counts for the file of this project that is nearest to the top of its stack: what a call of
 * Node or of a library takes counts for its caller. The shares are of the processor time of the thread, as the kernel has
 * measured it; other threads are whole. `--messages` has calls of `/v1/messages` converted, `--profile` keeps the last
 * round's profile, which a browser's developer tools show as a flame graph.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Profiler } from 'node:inspector';
import { circumstances, keepResult } from '../circumstances.ts';
import { type Contestant, model, startMock, startWeir } from '../contestant.ts';
import { median } from '../median.ts';
import { load } from '../native/native.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    body: { type: 'string', default: '1024' },
    messages: { type: 'boolean', default: false },
    profile: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const path = values.messages ? '/v1/messages' : '/v1/chat/completions';

/** The parts by the beginnings of their files; the first that fits counts. */
const parts: readonly (readonly [name: string, ...files: string[]])[] = [
  ['key', 'relay/client/token-check', 'store/token', 'http/subnet'],
  [
    'body: scanned, changed, converted',
    'dialects/',
    'conversation/',
    'providers/',
    'relay/call/convert',
    'relay/client/read-request',
  ],
  ['client: head, body and answer', 'http/', 'relay/client/'],
  ['route', 'relay/routing/'],
  ['rate limits and budgets', 'relay/rates/', 'relay/enter-', 'relay/limits', 'billing/budgets/'],
  ['hold and price', 'billing/', 'relay/call/call-funds'],
  ['upstream: request and answer', 'relay/upstream/', 'relay/call/attempt'],
  ['log record and settlement', 'store/', 'relay/call/consume-log', 'relay/call/settlement'],
  ['metrics and events', 'jobs/', 'relay/call/relay-observer'],
  ['course of the call', 'relay/'],
];
const collector = 'memory of JavaScript: collector';
const outside = 'Node: events, timers, streams';
const mainThread = 'main thread';
const helperThreads = 'threads of V8: collector, compiler';
const databaseThreads = 'threads of SQLite';

const partOf = (file: string): string =>
  parts.find(([, ...beginnings]) => beginnings.some((beginning) => file.startsWith(beginning)))?.[0] ?? outside;

/** A build has a comment with the name of each source where it begins: the source of a line, or undefined. */
const readSources = (url: string): ((line: number) => string | undefined) => {
  const begins: { readonly line: number; readonly file: string | undefined }[] = [];
  for (const [line, text] of readFileSync(fileURLToPath(url), 'utf8').split('\n').entries()) {
    const [, file] = /^\/\/ (\S+\.(?:[cm]?[jt]s|json))$/.exec(text) ?? [];
    if (file !== undefined) begins.push({ line, file: /^server\/src\/(.*)$/.exec(file)?.[1] });
  }
  return (line) => begins.findLast((begin) => begin.line <= line)?.file;
};

/** Share of each part in the time that the thread was at work. */
const sharesOf = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<string, number> => {
  const sources = new Map<string, ReturnType<typeof readSources>>();
  const ofNode = new Map<number, string | null>();
  /** Null: idle. */
  const visit = (node: Profiler.ProfileNode, above: string): void => {
    const { url, functionName, lineNumber } = node.callFrame;
    const own = url.endsWith('.mjs') && url.startsWith('file:') ? url : undefined;
    const source = own === undefined ? undefined : (sources.get(own) ?? readSources(own));
    if (own !== undefined && source !== undefined) sources.set(own, source);
    const file = source?.(lineNumber);
    const part = file === undefined ? above : partOf(file);
    const name = functionName === '(garbage collector)' ? collector : part;
    ofNode.set(node.id, functionName === '(idle)' ? null : name);
    for (const child of node.children ?? []) {
      const next = byId.get(child);
      if (next !== undefined) visit(next, part);
    }
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const [root] = nodes;
  if (root !== undefined) visit(root, outside);
  const times = new Map<string, number>();
  let whole = 0;
  for (const [index, sample] of samples.entries()) {
    const part = ofNode.get(sample) ?? null;
    const took = timeDeltas[index] ?? 0;
    if (part === null) continue;
    whole += took;
    times.set(part, (times.get(part) ?? 0) + took);
  }
  return new Map(Array.from(times, ([part, took]) => [part, took / whole]));
};

const threadsOf = (pid: number): number[] => readdirSync(`/proc/${pid}/task`).map(Number);

/** Puts all threads but the main one on a core; the main thread has the first. */
const placeOthers = (pid: number, core: '0' | '1'): void => {
  for (const thread of threadsOf(pid))
    execFileSync('taskset', ['-c', '-p', thread === pid ? '0' : core, String(thread)], { stdio: 'ignore' });
};

/** Microseconds of processor time of each kind of thread. */
const threadTimes = (pid: number): Map<string, number> => {
  const times = new Map<string, number>();
  for (const thread of threadsOf(pid)) {
    const read = (file: string) => readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8').trim();
    const otherThreads = read('comm').startsWith('V8') ? helperThreads : databaseThreads;
    const name = thread === pid ? mainThread : otherThreads;
    const [ran = '0'] = read('schedstat').split(' ');
    times.set(name, (times.get(name) ?? 0) + Number(ran) / 1000);
  }
  return times;
};

const recorded = async (file: string): Promise<Profiler.Profile> => {
  for (;;) {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (size > 0 && statSync(file).size === size) break;
  }
  // The inspector's own format, of this process's own gateway.
  // oxlint-disable-next-line typescript/no-unsafe-return
  return JSON.parse(readFileSync(file, 'utf8'));
};

/** Sends calls for some seconds; their number. */
const send = async ({ url, key }: Contestant): Promise<number> => {
  const { ok, non200, errors } = await load([
    '-c',
    '64',
    '-d',
    '6',
    '-w',
    '0',
    '-B',
    values.body,
    '-m',
    model,
    '-k',
    key,
    '-l',
    'parts',
    url + path,
  ]);
  if (non200 + errors > 0 || ok === 0) throw new Error(`${non200 + errors} of ${ok} calls failed`);
  return ok;
};

/** Microseconds of a call by kind of thread, all of them on one core, as the benchmark has it. */
const measureThreads = async (gateway: Contestant, pid: number): Promise<Map<string, number>> => {
  placeOthers(pid, '0');
  const before = threadTimes(pid);
  const calls = await send(gateway);
  return new Map(Array.from(threadTimes(pid), ([name, us]) => [name, (us - (before.get(name) ?? 0)) / calls]));
};

/**
 * Share of each part in the main thread's time. The thread has a core for itself: where another takes it, the profile has
 * that time at the place of the wait.
 */
const measureShares = async (gateway: Contestant, pid: number, file: string): Promise<Map<string, number>> => {
  placeOthers(pid, '1');
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  await send(gateway);
  process.kill(pid, 'SIGUSR2');
  return sharesOf(await recorded(file));
};

/** Microseconds of a call by part, of one round. */
const measureRound = async (gateway: Contestant, file: string): Promise<Map<string, number>> => {
  const [pid = 0] = gateway.pids;
  const { [mainThread]: main = 0, ...others } = Object.fromEntries(await measureThreads(gateway, pid));
  const shares = await measureShares(gateway, pid, file);
  return new Map([...Array.from(shares, ([part, share]) => [part, share * main] as const), ...Object.entries(others)]);
};

const before = circumstances();
const dir = mkdtempSync(join(tmpdir(), 'weir-parts-'));
const mock = await startMock([]);
const rounds: Map<string, number>[] = [];
try {
  const file = join(dir, 'profile.cpuprofile');
  const gateway = await startWeir(mock.port, dir, {
    BENCH_PROFILE: file,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'profiled.ts')}`,
  });
  try {
    // Warm: compiled.
    await send(gateway);
    await send(gateway);
    for (let round = 0; round < Number(values.rounds); round += 1) rounds.push(await measureRound(gateway, file));
    if (values.profile !== undefined) copyFileSync(file, values.profile);
  } finally {
    await gateway.stop();
  }
} finally {
  mock.child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
}
const names = [...new Set(rounds.flatMap((round) => [...round.keys()]))];
const figures = names
  .map((name) => ({ part: name, us: Number(median(rounds.map((round) => round.get(name) ?? 0)).toFixed(1)) }))
  .toSorted((one, other) => other.us - one.us);
for (const { part, us } of figures) console.log(`${us.toFixed(1).padStart(7)}  ${part}`);
console.log(
  `${figures
    .reduce((sum, { us }) => sum + us, 0)
    .toFixed(1)
    .padStart(7)}  all`,
);
if (values.write) {
  const what = `Processor time of a relayed call of ${values.body} bytes (${path}) by part of the program, microseconds`;
  const ofSize = values.body === '1024' ? 'parts' : `parts-${values.body}`;
  const name = values.messages ? `${ofSize}-converting` : ofSize;
  keepResult(name, { what, ...before, rounds: rounds.length, figures });
}
