import { once } from 'node:events';
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { messageBytes } from '../../src/relay/upstream/open-socket.ts';
import { isJson, parseObject, type Json, objectOf, textOf } from '../parsing/json.ts';

/** How the next answers come. */
export interface RealtimeBehaviour {
  /** Deltas of the transcript; each goes with one of sound. */
  readonly pieces?: readonly string[];
  /** Base64 of the sound of each piece; absent: there is none. */
  readonly sound?: string;
  readonly usage?: unknown;
  readonly status?: string;
  /** The reported usage of the transcript of committed audio; absent: there is no transcript. */
  readonly transcript?: object;
  /** Closes after the last piece instead of ending the answer; 0: resets the connection. */
  readonly closeCode?: number;
  /** The answer pauses after its first piece until this resolves. */
  readonly until?: Promise<unknown>;
}

/** A strict upstream of OpenAI's Realtime API. */
export interface FakeRealtime {
  readonly url: string;
  /** Protocol violations of the client. */
  faults(): readonly string[];
  /** Addresses and headers of the handshakes. */
  handshakes(): readonly { readonly url: string; readonly headers: Readonly<Record<string, unknown>> }[];
  /** All events from clients, in order. */
  received(): readonly Json[];
  /** The close code of each session. */
  closed(): readonly number[];
  open(): number;
  /** Bytes that wait for a reader. */
  waiting(): number;
  behave(behaviour: RealtimeBehaviour): void;
  /** Refuses handshakes with this status from now on; null: accepts them again. */
  refuse(refusal: { readonly status: number; readonly body: string } | null): void;
  close(): Promise<void>;
}

const known = new Set([
  'session.update',
  'input_audio_buffer.append',
  'input_audio_buffer.commit',
  'conversation.item.create',
  'response.create',
  'response.cancel',
]);

/** Source: platform.openai.com, Realtime API reference. `keyHeader` is checked to have the key. */
export const startFakeRealtime = async (keyHeader: 'authorization' | 'api-key', key: string): Promise<FakeRealtime> => {
  const faults: string[] = [];
  const handshakes: { readonly url: string; readonly headers: Readonly<Record<string, unknown>> }[] = [];
  const received: Json[] = [];
  const closed: number[] = [];
  let behaviour: RealtimeBehaviour = {};
  let refusal: { readonly status: number; readonly body: string } | null = null;
  let count = 0;

  const http = createServer();
  const server = new WebSocketServer({ noServer: true });
  http.on('upgrade', (request, socket, head) => {
    const { url = '', headers } = request;
    handshakes.push({ url, headers });
    const expected = keyHeader === 'authorization' ? `Bearer ${key}` : key;
    const wrong = headers[keyHeader] === expected ? null : { status: 401, body: '{"error":{"message":"bad key"}}' };
    const answer = refusal ?? wrong;
    if (answer !== null) {
      const { status, body } = answer;
      socket.end(
        `HTTP/1.1 ${status} No\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
      return;
    }
    server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client, request));
  });

  const answer = async (socket: WebSocket): Promise<void> => {
    const { pieces = ['Hello, ', '世界', '!'], sound, usage, status = 'completed', closeCode, until } = behaviour;
    count += 1;
    const id = `resp_${count}`;
    const say = (event: object) =>
      socket.send(JSON.stringify({ event_id: `event_${count}`, response_id: id, ...event }));
    say({ type: 'response.created', response: { id, object: 'realtime.response', status: 'in_progress', output: [] } });
    for (const [index, delta] of pieces.entries()) {
      say({
        type: 'response.output_audio_transcript.delta',
        item_id: 'item_1',
        output_index: 0,
        content_index: 0,
        delta,
      });
      if (sound !== undefined) say({ type: 'response.output_audio.delta', item_id: 'item_1', delta: sound });
      if (index === 0) await until;
    }
    if (closeCode === 0) return socket.terminate();
    if (closeCode !== undefined) return socket.close(closeCode, 'as reported');
    say({ type: 'response.done', response: { id, object: 'realtime.response', status, output: [], usage } });
  };

  const commit = (socket: WebSocket): void => {
    const { transcript } = behaviour;
    const at = { event_id: 'e', item_id: 'item_0' };
    socket.send(JSON.stringify({ type: 'input_audio_buffer.committed', ...at }));
    const type = 'conversation.item.input_audio_transcription.completed';
    const reply = { type, ...at, content_index: 0, transcript: 'Hello', usage: transcript };
    if (transcript !== undefined) socket.send(JSON.stringify(reply));
  };

  server.on('connection', (socket: WebSocket) => {
    socket.on('error', () => undefined);
    socket.on('close', (code) => closed.push(code));
    socket.on('message', (data, binary) => {
      const event = binary ? {} : parseObject(messageBytes(data).toString());
      received.push(event);
      const type = textOf(event['type']);
      if (!known.has(type)) faults.push(`unknown event: ${type}`);
      if (type === 'session.update') {
        if (!isJson(event['session'])) faults.push('session is missing');
        socket.send(JSON.stringify({ type: 'session.updated', event_id: 'e', session: objectOf(event['session']) }));
      }
      if (type === 'input_audio_buffer.commit') commit(socket);
      if (type === 'response.create') answer(socket).catch((error: unknown) => faults.push(String(error)));
    });
    socket.send(
      JSON.stringify({
        type: 'session.created',
        event_id: 'event_0',
        session: { id: 'sess_1', object: 'realtime.session' },
      }),
    );
  });

  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    faults: () => faults,
    handshakes: () => handshakes,
    received: () => received,
    closed: () => closed,
    open: () => server.clients.size,
    waiting: () => [...server.clients].reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0),
    behave: (next) => void (behaviour = next),
    refuse: (next) => void (refusal = next),
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
};
