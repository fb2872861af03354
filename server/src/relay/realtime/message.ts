import type { RawData, WebSocket } from 'ws';
import type { Upgrade } from '../client/client-request.ts';

export interface Message {
  readonly data: RawData;
  readonly binary: boolean;
}

/** An open socket. */
export interface OpenSocket {
  /** Paused. */
  readonly socket: WebSocket;
  /** The connection below it. */
  readonly connection: Upgrade['socket'];
}
