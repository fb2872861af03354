import { once } from 'node:events';
import { WebSocket } from 'ws';
import { messageBytes } from '../../src/relay/upstream/open-socket.ts';
import { type Json, parseObject } from '../parsing/json.ts';
import { until } from '../app/relay-app.ts';

export interface SessionOptions {
  readonly url: string;
  /** With its query. */
  readonly path: string;
  readonly key: string;
  /** Replaces the header with the key. */
  readonly protocols?: readonly string[];
}

/** A session as its client sees it. */
export interface HeldSession {
  readonly socket: WebSocket;
  readonly requestId: string;
  /** All received events, in order. */
  readonly events: readonly Json[];
  readonly ended: Promise<readonly [code: number, reason: string]>;
  send(event: object): void;
  /** Waits until `times` events of a type were received. */
  until(type: string, times?: number): Promise<Json>;
}

/** Opens a session and waits for the upstream's first event. */
export const openSession = async ({ url, path, key, protocols }: SessionOptions): Promise<HeldSession> => {
  const headers = { authorization: `Bearer ${key}` };
  const address = url.replace('http', 'ws') + path;
  const socket = protocols === undefined ? new WebSocket(address, { headers }) : new WebSocket(address, [...protocols]);
  const events: Json[] = [];
  let requestId = '';
  socket.on('upgrade', (response) => (requestId = String(response.headers['x-oneapi-request-id'])));
  socket.on('message', (data) => events.push(parseObject(messageBytes(data).toString())));
  const ended = new Promise<readonly [number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]));
  });
  await once(socket, 'open');
  socket.on('error', () => undefined);
  const find = (type: string, times: number) => events.filter((event) => event['type'] === type)[times - 1];
  const waitForEvent = async (type: string, times = 1): Promise<Json> => {
    await until(() => find(type, times) !== undefined);
    return find(type, times) ?? {};
  };
  await waitForEvent('session.created');
  return {
    socket,
    requestId,
    events,
    ended,
    send: (event) => socket.send(JSON.stringify(event)),
    until: waitForEvent,
  };
};
