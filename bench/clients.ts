/**
 * CPU time of an HTTP client for upstreams, per JSON call and per event of a stream: our own, undici's `dispatch` behind
 * the same interface, and `fetch` (decision 5).
 *
 *   node bench/clients.ts [rounds]
 *
 * The mock upstream is a separate process and not counted. The clients run in turn, each in a new process; the
 * table has medians. Needs Linux with two cores and a C compiler.
 */
import { execFileSync } from 'node:child_process';
import { createAddressGuard } from '../server/src/relay/upstream/address-guard.ts';
import { createUpstream, type Upstream } from '../server/src/relay/upstream/upstream.ts';
import { relayLimits } from '../server/src/relay/limits.ts';
import { createUndiciUpstream } from '../server/test/clients/undici-upstream.ts';
import { circumstances, keepResult } from './circumstances.ts';
import { model, startMock, upstreamKey } from './contestant.ts';
import { median } from './median.ts';

const eventsPerStream = 100;
const scenarios = {
  json: {
    mock: [],
    body: { model, messages: [{ role: 'user', content: 'x'.repeat(900) }] },
    calls: 20_000,
    parallel: 64,
  },
  stream: {
    mock: ['-n', String(eventsPerStream), '-i', '10000'],
    body: { model, stream: true, messages: [{ role: 'user', content: 'x' }] },
    calls: 1000,
    parallel: 200,
  },
} as const;
type Scenario = keyof typeof scenarios;

/** Sends one call and reads its answer to the end. */
type Call = (origin: string, body: Buffer) => Promise<void>;

const path = '/v1/chat/completions';
const headers = ['authorization', `Bearer ${upstreamKey}`, 'content-type', 'application/json'];

const callOver =
  (upstream: Upstream): Call =>
  (origin, body) =>
    new Promise((resolve, reject) => {
      upstream.send(
        { origin, path, method: 'POST', headers, body },
        {
          head: (status) => status !== 200 && reject(new Error(`answered with ${status}`)),
          data: () => undefined,
          end: resolve,
          fail: reject,
        },
      );
    });

const callByFetch: Call = async (origin, body) => {
  const headersOfFetch = { authorization: `Bearer ${upstreamKey}`, 'content-type': 'application/json' };
  const response = await fetch(origin + path, { method: 'POST', headers: headersOfFetch, body: new Uint8Array(body) });
  if (response.status !== 200) throw new Error(`answered with ${response.status}`);
  for await (const _ of response.body ?? []);
};

const deps = { guard: createAddressGuard('allow'), limits: relayLimits };
const clients = {
  own: () => callOver(createUpstream(deps)),
  undici: () => callOver(createUndiciUpstream(deps)),
  fetch: () => callByFetch,
} as const;
type Client = keyof typeof clients;

const isClient = (name: string): name is Client => name in clients;
const isScenario = (name: string): name is Scenario => name in scenarios;

/** CPU microseconds of this process per call. */
const measure = async (call: Call, scenario: Scenario, origin: string): Promise<number> => {
  const { calls, parallel } = scenarios[scenario];
  const body = Buffer.from(JSON.stringify(scenarios[scenario].body));
  const run = async (count: number) => {
    let left = count;
    const line = async () => {
      while (left > 0) {
        left -= 1;
        await call(origin, body);
      }
    };
    await Promise.all(Array.from({ length: parallel }, line));
  };
  // Just-in-time compilation is not counted.
  await run(calls / 2);
  const before = process.cpuUsage();
  await run(calls);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
};

const clientNames = ['own', 'undici', 'fetch'] as const;

/** Runs each client in its own process; resolves to CPU microseconds per call, by client. */
const playRound = (scenario: Scenario, port: number): Record<Client, number> => {
  const measured = (client: Client): number => {
    const args = ['-c', '0', process.execPath, import.meta.filename, client, scenario, String(port)];
    return Number(execFileSync('taskset', args, { encoding: 'utf8' }));
  };
  return { own: measured('own'), undici: measured('undici'), fetch: measured('fetch') };
};

const playRounds = async (scenario: Scenario, rounds: number): Promise<readonly Record<Client, number>[]> => {
  const mock = await startMock(scenarios[scenario].mock);
  try {
    return Array.from({ length: rounds }, () => playRound(scenario, mock.port));
  } finally {
    mock.child.kill('SIGKILL');
  }
};

const compare = async (rounds: number) => {
  const json = await playRounds('json', rounds);
  const stream = await playRounds('stream', rounds);
  return clientNames.map((client) => ({
    client,
    cpuUsPerJsonCall: Number(median(json.map((round) => round[client])).toFixed(1)),
    cpuUsPerStreamEvent: Number((median(stream.map((round) => round[client])) / eventsPerStream).toFixed(2)),
  }));
};

const [first = '5', scenario = '', port = ''] = process.argv.slice(2);
if (isClient(first) && isScenario(scenario)) {
  console.log(await measure(clients[first](), scenario, `http://127.0.0.1:${port}`));
  process.exit(0);
}
const rounds = Number(first);
const at = circumstances();
const rows = await compare(rounds);
console.table(rows);
keepResult('clients', { ...at, command: `node bench/clients.ts ${rounds}`, rounds, rows });
