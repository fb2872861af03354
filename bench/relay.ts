/**
 * CPU time per relayed request and per streamed event, compared with nginx in the same run; and the cost of converting
 * a dialect (Anthropic's messages to OpenAI's chat completions) instead of passing calls through.
 *
 *   node bench/relay.ts [rounds]
 *
 * The process under test runs alone on core 0; mock upstream and load generator share core 1. Contestants run in
 * turn in every round and the table shows medians, so that other load on the machine affects all of them equally.
 * Needs Linux with at least two cores, a C compiler and nginx.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../server/test/processes/server-process.ts';
import { childPids, type Contestant, model, startMock, startWeir, upstreamKey } from './contestant.ts';
import { load, type LoadResult } from './native/native.ts';
import { median } from './median.ts';

const rounds = Number(process.argv[2] ?? 3);

interface Scenario {
  readonly name: string;
  readonly unit: 'request' | 'event';
  readonly mock: readonly string[];
  readonly load: readonly string[];
}

/**
 * Enough connections to keep the core busy while answers wait for the disk, and a warm-up long enough for compilation:
 * below saturation every request includes the cost of a wake-up, and in a cold process that of the compiler.
 */
const scenarios: readonly Scenario[] = [
  { name: 'JSON, 1 KB in, 1 KB out', unit: 'request', mock: [], load: ['-c', '256', '-d', '4', '-w', '6'] },
  { name: 'JSON, 64 KB in', unit: 'request', mock: [], load: ['-c', '128', '-d', '4', '-w', '12', '-B', '65536'] },
  {
    name: '200 streams of 100 events, 10 ms apart',
    unit: 'event',
    mock: ['-n', '100', '-i', '10000'],
    load: ['-c', '200', '-S', '-d', '4', '-w', '3', '-g', '1'],
  },
];

const startNginx = async (upstreamPort: number, dir: string): Promise<Contestant> => {
  const port = await freePort();
  const config = join(dir, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${dir}/nginx.pid; error_log ${dir}/error.log;
events { worker_connections 4096; }
http { access_log off; client_body_temp_path ${dir}; proxy_temp_path ${dir}; client_body_buffer_size 128k;
  upstream mock { server 127.0.0.1:${upstreamPort}; keepalive 256; keepalive_requests 1000000; }
  keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://mock; proxy_http_version 1.1; proxy_buffering off;
    proxy_set_header Connection ""; proxy_set_header Authorization "Bearer ${upstreamKey}"; } } }`,
  );
  const child = spawn('taskset', ['-c', '0', 'nginx', '-p', dir, '-c', config], { stdio: 'ignore' });
  await new Promise((resolve) => setTimeout(resolve, 300));
  return {
    url: `http://127.0.0.1:${port}`,
    pids: [child.pid ?? 0, ...childPids(child.pid ?? 0)],
    key: 'unused',
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

const chat = '/v1/chat/completions';
const contestants = {
  nginx: { start: startNginx, path: chat },
  weir: { start: startWeir, path: chat },
  converted: { start: startWeir, path: '/v1/messages' },
} as const;
type Name = keyof typeof contestants;
const names: readonly Name[] = ['nginx', 'weir', 'converted'];

const measure = async (scenario: Scenario, name: Name): Promise<LoadResult> => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const mock = await startMock(scenario.mock);
  try {
    const { start, path } = contestants[name];
    const contestant = await start(mock.port, dir);
    try {
      const pids = contestant.pids.flatMap((pid) => ['-p', String(pid)]);
      return await load([
        ...scenario.load,
        ...pids,
        '-m',
        model,
        '-k',
        contestant.key,
        '-l',
        name,
        contestant.url + path,
      ]);
    } finally {
      await contestant.stop();
    }
  } finally {
    mock.child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
};

const cost = (scenario: Scenario, result: LoadResult): number =>
  scenario.unit === 'request' ? result.sut_cpu_us_per_req : result.sut_cpu_us_per_event;

interface Row {
  readonly scenario: string;
  readonly unit: string;
  readonly cpuUs: Record<Name, number>;
  /** Ratio of Weir to nginx. */
  readonly ratio: number;
  /** Ratio of a converted call to one that is passed through. */
  readonly conversion: number;
  readonly rps: Record<Name, number>;
  readonly ttfbP50Us: Record<Name, number>;
  readonly peakMb: Record<Name, number>;
  readonly failures: Record<Name, number>;
}

const pick = (results: Record<Name, LoadResult[]>, read: (result: LoadResult) => number): Record<Name, number> => ({
  nginx: median(results.nginx.map(read)),
  weir: median(results.weir.map(read)),
  converted: median(results.converted.map(read)),
});

const runScenario = async (scenario: Scenario): Promise<Row> => {
  const results: Record<Name, LoadResult[]> = { nginx: [], weir: [], converted: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results[name].push(await measure(scenario, name));
  }
  const cpuUs = pick(results, (result) => cost(scenario, result));
  return {
    scenario: scenario.name,
    unit: scenario.unit,
    cpuUs,
    ratio: cpuUs.weir / cpuUs.nginx,
    conversion: cpuUs.converted / cpuUs.weir,
    rps: pick(results, (result) => result.rps),
    ttfbP50Us: pick(results, (result) => result.ttfb_us.p50),
    peakMb: pick(results, (result) => result.sut_hwm_kb / 1024),
    failures: pick(results, (result) => result.errors + result.non200),
  };
};

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  node: process.version,
  loadAverage: readFileSync('/proc/loadavg', 'utf8').split(' ', 1)[0],
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  date: new Date().toISOString().slice(0, 10),
  rounds,
};

const table = (rows: readonly Row[]): string =>
  [
    '| what | CPU µs, nginx | CPU µs, Weir | ratio | CPU µs, Weir converting | to passing on | requests/s, nginx | requests/s, Weir | first byte p50 µs, nginx | first byte p50 µs, Weir | peak MB, Weir |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      (row) =>
        `| ${row.scenario}, per ${row.unit} | ${row.cpuUs.nginx.toFixed(1)} | ${row.cpuUs.weir.toFixed(1)} | **${row.ratio.toFixed(2)} ×** | ${row.cpuUs.converted.toFixed(1)} | **${row.conversion.toFixed(2)} ×** | ${Math.round(row.rps.nginx)} | ${Math.round(row.rps.weir)} | ${Math.round(row.ttfbP50Us.nginx)} | ${Math.round(row.ttfbP50Us.weir)} | ${Math.round(row.peakMb.weir)} |`,
    ),
  ].join('\n');

const rows: Row[] = [];
for (const scenario of scenarios) rows.push(await runScenario(scenario));
const report = `# Relay cost beside nginx

\`npm run bench\`: everything on (token check, reservation, durable settlement before the last byte, log row and rollup), SQLite.
The process under test has one core, all its threads count. Medians of ${rounds} rounds, ${machine.date}, commit ${machine.commit}, Node ${machine.node},
${machine.cpu}, ${machine.cores} cores, load average at the start ${machine.loadAverage}.

${table(rows)}

Weir converting: Anthropic's messages, converted for an upstream with OpenAI's chat completions.

Failed or refused requests: ${names.map((name) => `${name} ${rows.map((row) => row.failures[name]).join(', ')}`).join('; ')}.
`;
process.stdout.write(report);
const resultsDir = join(import.meta.dirname, 'results');
writeFileSync(join(resultsDir, 'relay.md'), report);
writeFileSync(join(resultsDir, 'relay.json'), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
