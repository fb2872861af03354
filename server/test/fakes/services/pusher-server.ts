import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isJson, type Json } from '../../parsing/json.ts';

/** A strict message pusher on loopback: it takes only what its protocol documents, with the right token. */
export interface PusherServer {
  /** The whole address of its one call. */
  readonly address: string;
  readonly token: string;
  /** Messages it took, oldest first. */
  readonly messages: readonly Json[];
  /** Requests it refused. */
  readonly refused: readonly string[];
  /** Refuses all messages from now on. */
  breakDown(): void;
  close(): Promise<void>;
}

const members = ['channel', 'content', 'description', 'title', 'token', 'url'];

const faultOf = (method: string | undefined, type: string | undefined, body: string, token: string): string | null => {
  if (method !== 'POST') return `method ${method}`;
  if (type !== 'application/json; charset=utf-8') return `type ${type}`;
  const message: unknown = JSON.parse(body);
  if (!isJson(message)) return 'no object';
  if (Object.keys(message).toSorted().join() !== members.join()) return `members ${Object.keys(message).join()}`;
  if (Object.values(message).some((value) => typeof value !== 'string')) return 'a member is no text';
  return message['token'] === token ? null : 'wrong token';
};

export const startPusherServer = async (): Promise<PusherServer> => {
  const token = 'pusher-token-canary';
  const messages: Json[] = [];
  const refused: string[] = [];
  let broken = false;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const fault =
      request.url === '/push/root?x=1' ? faultOf(request.method, request.headers['content-type'], body, token) : 'path';
    response.setHeader('content-type', 'application/json');
    if (fault !== null) refused.push(fault);
    else if (!broken) {
      const message: unknown = JSON.parse(body);
      if (isJson(message)) messages.push(message);
    }
    const success = fault === null && !broken;
    response.end(JSON.stringify({ success, message: success ? '' : (fault ?? 'out of order') }));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    address: `http://127.0.0.1:${address.port}/push/root?x=1`,
    token,
    messages,
    refused,
    breakDown: () => void (broken = true),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
