import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRaw } from '../../../test/clients/raw-client.ts';
import { uncounted } from '../memory/memory-budget.ts';
import { ClientGoneError, readBody } from './request-body.ts';

const server = createServer();
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => void server.close());

test('RELAY-10 the body of a client that left before it was read is not awaited', async () => {
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
    const call = startRaw({ url, path: '/', headers, body: '{"model":"m"}' });
    const request = await new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
    // The first query of the database takes a while.
    const gone = new Promise((resolve) => request.once('close', resolve));
    call.request.destroy();
    await gone;
    await expect(readBody(request, 1000, uncounted)).rejects.toThrow(ClientGoneError);
  }
});
