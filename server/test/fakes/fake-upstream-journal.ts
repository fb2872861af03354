import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { RequestedChat, ChatFault } from './fake-upstream-check.ts';

/** One request as the upstream saw it: a witness that the gateway cannot influence. */
export interface UpstreamEntry {
  readonly id: number;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Undefined: the request was refused as malformed. */
  readonly asked: RequestedChat | undefined;
  readonly fault: string | undefined;
  status: number;
  usage: unknown;
  /** Of a stream of made words: how many it has (`madeText`); 0: something else is answered. */
  words: number;
  bytesSent: number;
  eventsSent: number;
  /** The reader takes nothing at the moment: the answer waits. */
  heldBack: boolean;
  /** The answer left this process whole and was a success. */
  completed: boolean;
}

export interface Journal {
  entries(): readonly UpstreamEntry[];
  asked(request: IncomingMessage, body: Buffer, asked: RequestedChat | ChatFault): UpstreamEntry;
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
    asked: (request, body, asked) => {
      const known = 'fault' in asked ? undefined : asked;
      const entry: UpstreamEntry = {
        id: entries.length,
        path: request.url ?? '',
        headers: request.headers,
        body,
        asked: known,
        fault: 'fault' in asked ? asked.fault : undefined,
        status: 0,
        usage: undefined,
        words: 0,
        bytesSent: 0,
        eventsSent: 0,
        heldBack: false,
        completed: false,
      };
      entries.push(entry);
      write({ event: 'asked', id: entry.id, nonce: known?.nonce, model: known?.model, fault: entry.fault });
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
