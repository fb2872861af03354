import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startRaw } from '../clients/raw-client.ts';

const mebibyte = 1024 * 1024;

/** A whole answer, a single event or a stream of many tiny pieces, all far beyond what is useful. */
const answers: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
  whole: async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"choices":[{"index":0,"message":{"role":"assistant","content":"');
    await fill(response, 60);
    response.end('"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":5,"total_tokens":10}}');
  },
  event: async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"');
    await fill(response, 60);
    response.end('"},"finish_reason":null}]}\n\n');
  },
};

const block = Buffer.alloc(mebibyte, 'x');

const fill = async (response: ServerResponse, blocks: number): Promise<void> => {
  for (let sent = 0; sent < blocks && !response.destroyed; sent += 1) {
    if (!response.write(block)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
};

/** An upstream whose answers are as large as they may be, by the word in the prompt. Returns its address. */
export const startHostileUpstream = async (): Promise<string> => {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    let size = 0;
    request.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size < 4096) pieces.push(piece);
    });
    request.on('end', () => {
      const kind = /attack-(\w+)/.exec(Buffer.concat(pieces).toString())?.[1] ?? 'whole';
      void (answers[kind] ?? answers['whole'])?.(response).catch(() => response.destroy());
    });
    response.setMaxListeners(0);
    response.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
};

export interface Flood {
  readonly url: string;
  /** Of users in turn: each has bounds of its own. */
  readonly keys: readonly string[];
  readonly model: string;
  readonly calls: number;
  readonly parallel: number;
}

const bomb = (model: string): Buffer =>
  gzipSync(JSON.stringify({ model, messages: [{ role: 'user', content: 'x'.repeat(48 * mebibyte) }] }));

/** Each object is three bytes, and twenty times as much once it is parsed. */
const manyObjects = (model: string, count: number): Buffer =>
  Buffer.from(JSON.stringify({ model, messages: [] }).replace('[]', `[${'{},'.repeat(count - 1)}{}]`));

/** Hostile calls in turn: large bodies, bodies that inflate or parse to much, and prompts of large answers. Resolves to the statuses. */
export const floodWith = async ({
  url,
  keys,
  model,
  calls,
  parallel,
}: Flood): Promise<Readonly<Record<number, number>>> => {
  const statuses: Record<number, number> = {};
  const inflating = bomb(model);
  const prompt = (kind: string, stream: boolean) =>
    JSON.stringify({ model, stream, max_tokens: 16, messages: [{ role: 'user', content: `attack-${kind}` }] });
  const inline = Buffer.from(
    prompt('whole', false).replace('attack-whole', `attack-none ${'y'.repeat(20 * mebibyte)}`),
  );
  const bodies = [
    { body: Buffer.from(prompt('whole', false)), encoding: 'identity' },
    { body: Buffer.from(prompt('event', true)), encoding: 'identity' },
    { body: inflating, encoding: 'gzip' },
    { body: inline, encoding: 'identity' },
    { body: manyObjects(model, 900_000), encoding: 'identity' },
    { body: manyObjects(model, 8_000_000), encoding: 'identity' },
  ];
  let next = 0;
  const line = async () => {
    for (let index = next++; index < calls; index = next++) {
      const { body, encoding } = bodies[index % bodies.length] ?? { body: inline, encoding: 'identity' };
      const headers = {
        authorization: `Bearer ${keys[Math.floor(index / bodies.length) % keys.length] ?? ''}`,
        'content-type': 'application/json',
        ...(encoding === 'gzip' && { 'content-encoding': 'gzip' }),
      };
      // What is received is thrown away: the flood must not fall to its own weight.
      const call = startRaw({ url, path: '/v1/chat/completions', headers, body, cutAfterBytes: mebibyte });
      const { status } = await call.answer;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, line));
  return statuses;
};
