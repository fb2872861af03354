import type { WebSocket } from 'ws';

/** One side closed its socket. */
export interface SocketEnd {
  readonly by: 'client' | 'upstream';
  readonly code: number;
  readonly reason: string;
}

/** Why a session ended. */
export type SessionEnd =
  | SocketEnd
  /**
   * The balance is used up, the token was refused, this node stops, the session reached its longest duration, or there is
   * no memory for what one of the sides sends.
   */
  | { readonly by: 'balance' | 'access' | 'stop' | 'time' | 'memory' }
  | { readonly by: 'fault'; readonly error: unknown };

/** How long a peer may take to close. */
const closingMs = 2000;
const closeCodes = { balance: 1008, access: 1008, stop: 1001, time: 1001, memory: 1013, fault: 1011 } as const;

const errors = {
  balance: { type: 'insufficient_quota', code: 'insufficient_user_quota', message: 'user quota is not enough' },
  access: { type: 'invalid_request_error', code: 'token_refused', message: 'the token is no longer valid' },
  stop: { type: 'server_error', code: 'stopping', message: 'the gateway is restarting, try again' },
  time: {
    type: 'invalid_request_error',
    code: 'session_expired',
    message: 'the session exceeded the maximum duration',
  },
  memory: { type: 'server_error', code: 'memory', message: 'the messages of a session take more memory than there is' },
  fault: { type: 'server_error', code: 'internal', message: 'internal error' },
  lost: { type: 'server_error', code: 'upstream_truncated', message: 'the upstream connection was lost' },
} as const;

/** RFC 6455, 7.4: the other codes only describe what happened to a connection. */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);
const noCode = 1005;

/** Closes a socket, by force where the peer does not answer. */
export const closeWith = (socket: WebSocket, code: number, reason: string): void => {
  if (socket.readyState === socket.CLOSED) return;
  const timer = setTimeout(() => socket.terminate(), closingMs);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
  if (code === noCode) socket.close();
  else if (isSendable(code)) socket.close(code, reason);
  else socket.terminate();
};

/** Sends the client the reason of the end: the upstream's own code, or an error in the upstream's form. */
export const reportEnd = (client: WebSocket, requestId: string, end: SessionEnd): void => {
  if (end.by === 'client') return;
  if (end.by === 'upstream' && (isSendable(end.code) || end.code === noCode))
    return closeWith(client, end.code, end.reason);
  const by = end.by === 'upstream' ? 'lost' : end.by;
  const { type, code, message } = errors[by];
  const error = { type, code, message: `${message} (request id: ${requestId})`, param: null, event_id: null };
  client.send(JSON.stringify({ type: 'error', event_id: `event_${requestId}`, error }), () => undefined);
  closeWith(client, by === 'lost' ? closeCodes.fault : closeCodes[by], code);
};
