/**
 * Where the processor time of a relayed call goes: what is saved by switching a part off, and what optional parts add.
 *
 *   node bench/features.ts
 *
 * Every variant is a process of its own, all of them warm and loaded in turns; the best turn of each counts, as the guard of
 * `guard/` does it. Stored in `bench/results/features.json`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signInTo } from '../server/test/clients/management-client.ts';
import { prepareServer, servedModel } from '../server/test/processes/prepare-server.ts';
import { freePort, rootPassword, startServer } from '../server/test/processes/server-process.ts';
import { circumstances, keepResult } from './circumstances.ts';
import { type Contestant, costOf, startReference, startUpstream, warmUp } from './guard/load-calls.ts';

const turns = 9;

type Root = Awaited<ReturnType<typeof signInTo>>;

interface Variant {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly prepare?: (root: Root) => Promise<unknown>;
}

const option = (key: string, value: unknown) => (root: Root) =>
  root.call('PUT', '/api/option/', { key, value: typeof value === 'string' ? value : JSON.stringify(value) });

await using ends = new AsyncDisposableStack();
const before = circumstances();
const upstreamUrl = await startUpstream(ends);
const collectorPort = await freePort();
const collector = createServer((incoming, answer) => {
  incoming.resume();
  incoming.on('end', () => answer.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
}).listen(collectorPort, '127.0.0.1');
ends.defer(() => {
  collector.closeAllConnections();
  collector.close();
});

const variants: readonly Variant[] = [
  { name: 'everything on' },
  { name: 'no log record (LogConsumeEnabled off)', prepare: option('LogConsumeEnabled', 'false') },
  {
    name: 'a model that costs nothing, no log record: no hold, no charge',
    prepare: async (root) => {
      await option('ModelRatio', { [servedModel]: 0 })(root);
      await option('LogConsumeEnabled', 'false')(root);
    },
  },
  {
    name: 'three rate limits and a budget of the user',
    prepare: async (root) => {
      for (const metric of ['requests', 'tokens', 'concurrent'])
        await root.call('POST', '/api/rate-limit/', {
          scope: 'user',
          metric,
          ...(metric !== 'concurrent' && { period: 'minute' }),
          amount: 1_000_000_000,
        });
      await root.call('POST', '/api/budget/', {
        scope: 'user',
        subject_id: 1,
        period: 'day',
        zone: 'UTC',
        amount: 1_000_000_000_000,
      });
    },
  },
  {
    name: 'traces and metrics by OpenTelemetry',
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}` },
  },
];

const start = async ({ env = {}, prepare }: Variant): Promise<Contestant> => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  ends.defer(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startServer({ dataDir: folder, env });
  ends.defer(async () => void (await server.stop('SIGKILL')));
  const key = await prepareServer(server, { url: upstreamUrl, key: 'unused' });
  await prepare?.(await signInTo(server.url, 'root', rootPassword));
  return { url: server.url, key };
};

const contestants = [{ name: 'a bare proxy of Node', contestant: await startReference(ends, upstreamUrl) }];
for (const variant of variants) contestants.push({ name: variant.name, contestant: await start(variant) });
for (const { contestant } of contestants) await warmUp(contestant);
const best = new Map(contestants.map(({ name }) => [name, Infinity]));
for (let turn = 0; turn < turns; turn += 1) {
  for (const { name, contestant } of contestants)
    best.set(name, Math.min(best.get(name) ?? Infinity, await costOf(contestant)));
}
const whole = best.get('everything on') ?? Number.NaN;
const figures = Array.from(best, ([name, us]) => ({
  name,
  us: Number(us.toFixed(1)),
  beside: Number((us - whole).toFixed(1)),
}));
for (const { name, us, beside } of figures)
  console.log(`${us.toFixed(1).padStart(7)} ${beside.toFixed(1).padStart(7)}  ${name}`);
keepResult('features', {
  what: 'Processor time of a relayed call of 1 KB, microseconds, and the difference to everything on',
  ...before,
  turns,
  figures,
});
