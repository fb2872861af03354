import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../../test/clients/raw-client.ts';
import { type Client, createClient } from './client.ts';
import { createBatchPerTick } from '../upstream/batch-per-tick.ts';

let answerWith: (client: Client) => void = () => undefined;
const batchPerTick = createBatchPerTick();
const server = createServer((request, response) => {
  request.resume();
  const client = createClient({ request, response, headers: [], stalledMs: 1000, batchPerTick });
  client.startStream(['content-type', 'text/event-stream']);
  answerWith(client);
});
let url = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
});
afterAll(() => void server.close());

const streamed = async (act: (client: Client) => void) => {
  answerWith = act;
  const { text, complete } = await sendRaw({ url, path: '/', body: '{}' });
  return { text, complete };
};
const nothing = Buffer.alloc(0);

test('S1 RELAY-01 a piece of no bytes ends no stream', async () => {
  const act = (client: Client) => {
    void client.write(nothing);
    setImmediate(() => {
      void client.write(Buffer.from('a'));
      client.end(nothing);
    });
  };
  expect(await streamed(act)).toEqual({ text: 'a', complete: true });
});

test('S1 RELAY-01 a stream that breaks off has no end, with or without pending output', async () => {
  for (const last of [nothing, Buffer.from('b')]) {
    const act = (client: Client) => {
      void client.write(Buffer.from('a'));
      setImmediate(() => client.breakOff(last));
    };
    expect(await streamed(act)).toEqual({ text: `a${last.toString()}`, complete: false });
  }
});
