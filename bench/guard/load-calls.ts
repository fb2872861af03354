import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { servedModel } from '../../server/test/processes/prepare-server.ts';

const connections = 32;
/** Code is compiled anew, and the heap grows, until about here. */
const warmUpCalls = 15_000;
const callsPerTurn = 3000;

const agent = new Agent({ keepAlive: true, maxSockets: connections });
const prompt = JSON.stringify({
  model: servedModel,
  max_tokens: 150,
  messages: [{ role: 'user', content: 'lorem ipsum dolor sit amet '.repeat(36) }],
});
const completion = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: servedModel,
  choices: [
    { index: 0, message: { role: 'assistant', content: 'lorem ipsum dolor '.repeat(35) }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 128, completion_tokens: 150, total_tokens: 278 },
});

/** A process under test: `GET /metrics` has its processor time. */
export interface Contestant {
  readonly url: string;
  readonly key: string;
}

const call = ({ url, key }: Contestant): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(prompt);
  });

const callMany = async (contestant: Contestant, count: number): Promise<void> => {
  let sent = 0;
  const worker = async () => {
    while (sent < count) {
      sent += 1;
      const status = await call(contestant);
      if (status !== 200) throw new Error(`a call was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
};

/** Seconds of processor time that the process has used. */
export const usedBy = async ({ url }: Contestant): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]);
};

export const warmUp = (contestant: Contestant): Promise<void> => callMany(contestant, warmUpCalls);

/** Microseconds of processor time for a call. */
export const costOf = async (contestant: Contestant): Promise<number> => {
  const before = await usedBy(contestant);
  await callMany(contestant, callsPerTurn);
  return (((await usedBy(contestant)) - before) * 1e6) / callsPerTurn;
};

/** The upstream of all contestants, in this process: it answers at once. */
export const startUpstream = async (ends: AsyncDisposableStack): Promise<string> => {
  const upstream = createServer((incoming, answer) => {
    incoming.resume();
    incoming.on('end', () => answer.writeHead(200, { 'content-type': 'application/json' }).end(completion));
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  ends.defer(() => {
    agent.destroy();
    upstream.closeAllConnections();
    upstream.close();
  });
  const address = upstream.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
};

/** The bare proxy of `reference.ts`. */
export const startReference = async (ends: AsyncDisposableStack, upstreamUrl: string): Promise<Contestant> => {
  const script = join(import.meta.dirname, 'reference.ts');
  const proxy = spawn(process.execPath, [script, upstreamUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  ends.defer(() => void proxy.kill('SIGKILL'));
  proxy.stdout.setEncoding('utf8');
  const port = await new Promise<string>((resolve) =>
    proxy.stdout.once('data', (line: string) => resolve(line.trim())),
  );
  return { url: `http://127.0.0.1:${port}`, key: 'unused' };
};
