import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { ParsedRequest, ChatFault } from './fake-upstream-check.ts';

/** One request as the upstream received it, recorded independently of the gateway. */
export interface UpstreamEntry {
  readonly id: number;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Undefined: the request was refused as malformed. */
  readonly request: ParsedRequest | undefined;
  readonly fault: string | undefined;
  status: number;
  usage: unknown;
  /** Of a stream of made words: how many it has (`madeText`); 0: something else is answered. */
  words: number;
  bytesSent: number;
  eventsSent: number;
  /** The client is not reading: the answer waits. */
  heldBack: boolean;
  /** The answer was a success and was sent in full. */
  completed: boolean;
}

export interface Journal {
  entries(): readonly UpstreamEntry[];
  received(request: IncomingMessage, body: Buffer, parsed: ParsedRequest | ChatFault): UpstreamEntry;
  answered(entry: UpstreamEntry, status: number): void;
  close(): void;
}

/** Opens the journal; with a path every line is on the disk before the upstream goes on. */
export const openJournal = (path: string | undefined): Journal => {
  const entries: UpstreamEntry[] = [];
  const file = path === undefined ? undefined : openSync(path, 'a');
  const write = (line: object): void => {
    if (file === undefined) return;
    writeSync(file, `${JSON.stringify(line)}\n`);
    fdatasyncSync(file);
  };
  return {
    entries: () => entries,
    received: (request, body, parsed) => {
      const known = 'fault' in parsed ? undefined : parsed;
      const entry: UpstreamEntry = {
        id: entries.length,
        path: request.url ?? '',
        headers: request.headers,
        body,
        request: known,
        fault: 'fault' in parsed ? parsed.fault : undefined,
        status: 0,
        usage: undefined,
        words: 0,
        bytesSent: 0,
        eventsSent: 0,
        heldBack: false,
        completed: false,
      };
      entries.push(entry);
      write({ event: 'received', id: entry.id, nonce: known?.nonce, model: known?.model, fault: entry.fault });
      return entry;
    },
    answered: (entry, status) => {
      entry.status = status;
      const { id, usage, bytesSent, eventsSent, completed } = entry;
      write({ event: 'answered', id, status, usage, bytesSent, eventsSent, completed });
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
};
