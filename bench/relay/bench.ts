/**
 * Processor time, latency and memory of a relayed call beside nginx and the sockets of Node in the same run, and exactness;
 * the cost of converting a dialect (Anthropic's messages to OpenAI's chat completions) instead of passing calls through; and
 * any other gateway.
 *
 *   npm run bench -- [--rounds 3] [--only text] [--peer name=url,pid[+pid…],key[,limited key]]…
 *
 * A peer runs already: with one channel to http://127.0.0.1:9100 (`--upstream-port`), key sk-upstream, model gpt-4o-mini, whose base
 * URL is that of OpenAI in its place; with a key for plenty, and one whose balance is for 100 calls of `exactness.ts`. Each pid is
 * the root of a tree of processes that count.
 *
 * The process under test runs alone on core 0; upstream and load generator share core 1. Contestants run in turn in every
 * round, and the tables show medians, so that other load on the machine affects all of them alike. The result is printed, and
 * stored with `--write`. Needs Linux with at least two cores, a C compiler and nginx.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { circumstances, keepResult } from '../circumstances.ts';
import { type Contestant, model, startMock, startWeir } from '../contestant.ts';
import { median } from '../median.ts';
import { load, type LoadResult } from '../native/native.ts';
import { type Exactness, measureExactness, measureWeir } from './exactness.ts';
import { startBareSockets } from './bare-sockets.ts';
import { startNginx } from './nginx.ts';
import { pin, readPeer } from './peers.ts';
import { type Figures, type Report, type Row, toMarkdown, toSvg } from './report.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    peer: { type: 'string', multiple: true, default: [] },
    'upstream-port': { type: 'string', default: '9100' },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const peers = values.peer.map(readPeer);
const upstreamPort = peers.length === 0 ? undefined : Number(values['upstream-port']);

interface Scenario {
  readonly name: string;
  readonly unit: 'request' | 'event';
  readonly mock: readonly string[];
  readonly load: readonly string[];
}

/** A warm-up long enough for compilation: in a cold process every call includes the cost of the compiler. */
const json = (connections: number): Scenario => ({
  name: `JSON, 1 KB in, 1 KB out, ${connections} connections`,
  unit: 'request',
  mock: [],
  load: ['-c', String(connections), '-d', '4', '-w', '6'],
});
const scenarios: readonly Scenario[] = [
  json(64),
  json(256),
  {
    name: 'JSON, 64 KB in',
    unit: 'request',
    mock: [],
    load: ['-c', '128', '-d', '4', '-w', '12', '-B', '65536'],
  },
  {
    name: 'JSON, 250 KB in',
    unit: 'request',
    mock: [],
    load: ['-c', '64', '-d', '4', '-w', '12', '-B', '250000'],
  },
  {
    name: '200 streams of 100 events, 10 ms apart',
    unit: 'event',
    mock: ['-n', '100', '-i', '10000'],
    load: ['-c', '200', '-S', '-d', '4', '-w', '3', '-g', '1'],
  },
];

const chat = '/v1/chat/completions';
const contestants: readonly {
  readonly name: string;
  readonly path: string;
  readonly start: (upstreamPort: number, dir: string) => Promise<Contestant>;
}[] = [
  { name: 'nginx', path: chat, start: startNginx },
  { name: 'sockets of Node alone', path: chat, start: startBareSockets },
  { name: 'Weir', path: chat, start: startWeir },
  { name: 'Weir, converting', path: '/v1/messages', start: startWeir },
  ...peers.map((peer) => ({
    name: peer.name,
    path: chat,
    start: async () => {
      pin(peer);
      return peer;
    },
  })),
];

/** Runs `use` with an upstream and a contestant, and ends both. */
const using = async <Result>(
  { start }: (typeof contestants)[number],
  mockArgs: readonly string[],
  use: (contestant: Contestant) => Promise<Result>,
): Promise<Result> => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const mock = await startMock(mockArgs, upstreamPort);
  try {
    const contestant = await start(mock.port, dir);
    try {
      return await use(contestant);
    } finally {
      await contestant.stop();
    }
  } finally {
    mock.child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
};

const measure = (scenario: Scenario, contestant: (typeof contestants)[number]): Promise<LoadResult> =>
  using(contestant, scenario.mock, ({ url, pids, key }) => {
    const counted = pids.flatMap((pid) => ['-p', String(pid)]);
    return load([...scenario.load, ...counted, '-m', model, '-k', key, '-l', 'bench', url + contestant.path]);
  });

const summarize = ({ unit }: Scenario, results: readonly LoadResult[], reference: number | undefined): Figures => {
  const of = (read: (result: LoadResult) => number): number => median(results.map(read));
  const cost = (result: LoadResult) => (unit === 'request' ? result.sut_cpu_us_per_req : result.sut_cpu_us_per_event);
  const cpuUs = of(cost);
  return {
    cpuUs,
    ratio: cpuUs / (reference ?? cpuUs),
    perSecond: of((result) => (unit === 'request' ? result.rps : result.events_per_s)),
    p50Ms: of(({ lat_us: { p50 } }) => p50) / 1000,
    p99Ms: of(({ lat_us: { p99 } }) => p99) / 1000,
    firstByteMs: of(({ ttfb_us: { p50 } }) => p50) / 1000,
    peakMb: of((result) => result.sut_hwm_kb) / 1024,
    failures: results.reduce((sum, { errors, non200 }) => sum + errors + non200, 0),
    rounds: results.map(cost),
  };
};

const runScenario = async (scenario: Scenario): Promise<Row> => {
  const results = new Map<string, LoadResult[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of contestants) results.get(contestant.name)?.push(await measure(scenario, contestant));
  }
  let reference: number | undefined;
  const figures: Record<string, Figures> = {};
  for (const [name, measured] of results) {
    const summary = summarize(scenario, measured, reference);
    reference ??= summary.cpuUs;
    figures[name] = summary;
  }
  return { scenario: scenario.name, unit: scenario.unit, figures };
};

const runExactness = async (): Promise<Record<string, Exactness>> => {
  const measured: Record<string, Exactness> = {};
  for (const contestant of contestants) {
    const peer = peers.find(({ name }) => name === contestant.name);
    const key = peer?.limitedKey;
    if (contestant.name === 'Weir') measured['Weir'] = await using(contestant, [], measureWeir);
    else if (peer !== undefined && key !== undefined)
      measured[peer.name] = await using(contestant, [], ({ url }) => measureExactness({ url, key }));
  }
  return measured;
};

const before = circumstances();
const rows: Row[] = [];
for (const scenario of scenarios.filter(({ name }) => name.includes(values.only)))
  rows.push(await runScenario(scenario));
const report: Report = { circumstances: before, rounds, rows, exactness: await runExactness() };
process.stdout.write(toMarkdown(report));
if (values.write) {
  const results = join(import.meta.dirname, '..', 'results');
  keepResult('relay', report);
  writeFileSync(join(results, 'relay.md'), toMarkdown(report));
  writeFileSync(join(results, 'relay.svg'), toSvg(report));
}
