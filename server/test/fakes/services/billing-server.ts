import { once } from 'node:events';
import { createServer } from 'node:http';

/** What a vendor's billing API answers at one address. */
export interface BillingAnswer {
  readonly status?: number;
  readonly body: unknown;
}

/** A vendor's billing API on loopback: it answers the given addresses alone, to GETs with the right key. */
export interface BillingServer {
  readonly url: string;
  readonly key: string;
  /** Requested paths, queries included. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export const startBillingServer = async (
  answers: Readonly<Record<string, BillingAnswer>>,
  /** How the key must be sent. */
  keyHeader: 'bearer' | 'api-key' = 'bearer',
): Promise<BillingServer> => {
  const key = 'sk-billing-canary';
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request;
    requests.push(url);
    const right = keyHeader === 'bearer' ? headers.authorization === `Bearer ${key}` : headers['api-key'] === key;
    const alone = keyHeader === 'bearer' || headers.authorization === undefined;
    const answer = method === 'GET' && right && alone ? answers[url] : { status: 401, body: {} };
    const { status = 200, body } = answer ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    key,
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
