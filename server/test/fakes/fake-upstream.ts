import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  checkChatRequest,
  type ParsedRequest,
  type ChatFault,
  type CheckInput,
  type KeyHeader,
} from './fake-upstream-check.ts';
import { openJournal, type UpstreamEntry } from './fake-upstream-journal.ts';
import { isJson } from '../parsing/json.ts';

/** How an upstream deviates from its default answer to one request. */
export interface Behaviour {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole answer as sent; absent: one made from the request. */
  readonly body?: string | Buffer;
  /** The events of a stream as sent, terminators included; absent: made from the request. */
  readonly events?: readonly (string | Buffer)[];
  /** A whole answer without its length in front. */
  readonly chunked?: true;
  /** Words of the made answer. */
  readonly words?: number;
  /** `usage` of the made answer: any shape; null: the answer has none. */
  readonly usage?: unknown;
  /** Sends the answer in pieces of this many bytes. */
  readonly pieceBytes?: number;
  /** The answer begins once this resolves. */
  readonly until?: Promise<unknown>;
  /** A stream pauses after this many events until this resolves. */
  readonly pause?: { readonly afterEvents: number; readonly until: Promise<unknown> };
  /** Milliseconds before the answer begins, and between events. */
  readonly delayMs?: number;
  readonly eventDelayMs?: number;
  /** Resets the connection after this many bytes of the body. */
  readonly cutAfterBytes?: number;
  /** Ends a stream cleanly after this many events, without the rest. */
  readonly endAfterEvents?: number;
}

/** A strict upstream on loopback, OpenAI-compatible unless another form is given, that keeps a journal of requests and answers. */
export interface FakeUpstream {
  readonly url: string;
  readonly key: string;
  /** Everything since the start, in order of arrival. */
  journal(): readonly UpstreamEntry[];
  /** Chooses the behaviour for each request; undefined: the default answer. */
  behave(decide: (request: ParsedRequest) => Behaviour | undefined): void;
  /** Requests being answered at this moment. */
  running(): number;
  close(): Promise<void>;
}

/** For answers that are read by a second request. */
export interface ReadLater {
  /** The answer to the first request, and the path of the second; null: the first gets the whole answer. */
  opening(
    request: ParsedRequest,
    origin: string,
  ): { readonly status: number; readonly body: string; readonly path: string } | null;
  /** Checks the second request; undefined: it is valid. */
  check(request: IncomingMessage, key: string): ChatFault | undefined;
}

/** The protocol of one vendor: its request checks and its answer format. */
export interface UpstreamForm {
  /** Absent: every answer comes at once. */
  readonly later?: ReadLater;
  /** Of a stream; absent: server-sent events. */
  readonly streamType?: string;
  /** Answers requests that are no conversation, such as one for a token; null: this is a conversation. */
  aside?(request: IncomingMessage, body: Buffer): { readonly status: number; readonly body: string } | null;
  /** Reads a request the way the real service does: every violation of the protocol is refused. */
  check(input: CheckInput): ParsedRequest | ChatFault;
  refusal(fault: ChatFault): string;
  /** The default answer; absent: every test must give one. */
  readonly whole?: (request: ParsedRequest, made: Made) => string;
  readonly events?: (request: ParsedRequest, made: Made) => readonly string[];
}

export interface FakeUpstreamOptions {
  /** Absent: OpenAI's chat completions. */
  readonly form?: UpstreamForm;
  readonly key?: string;
  /** File to append to, flushed to the disk before every answer; absent: memory only. */
  readonly journalPath?: string;
  readonly port?: number;
  /** The requested path, query included; absent: OpenAI's. */
  readonly path?: RegExp;
  /** Where the key is expected; absent: `authorization`, as a bearer token. */
  readonly keyHeader?: KeyHeader;
}

const bodyMaxBytes = 64 * 1024 * 1024;
const sleep = (ms: number) => (ms > 0 ? new Promise<void>((resolve) => setTimeout(resolve, ms)) : undefined);

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  const pieces: AsyncIterable<Buffer> = request;
  for await (const piece of pieces) {
    chunks.push(piece);
    length += piece.length;
    if (length > bodyMaxBytes) throw new Error('the request body is larger than any the gateway may send');
  }
  return Buffer.concat(chunks);
};

/** Counts words, so that a test can predict the cost of a request. */
export const upstreamTokens = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

const defaultWords = 12;
const vocabulary = ['river', 'stone', 'über', '水', 'dam', 'flow', 'gate', '🌊', 'measure', 'level', 'bank', 'spring'];
const wordAt = (index: number): string => vocabulary[index % vocabulary.length] ?? 'weir';

const madeWords = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => (index === 0 ? wordAt(0) : ` ${wordAt(index)}`));

/** The text of the first `count` generated words. */
export const madeText = (count: number): string => madeWords(count).join('');

/** An answer before it is put into a form. */
export interface Made {
  readonly id: string;
  readonly words: readonly string[];
  readonly usage: unknown;
}

const make = (request: ParsedRequest, { words = defaultWords, usage }: Behaviour): Made => {
  const count = request.maxTokens === null ? words : Math.min(words, request.maxTokens);
  const prompt = upstreamTokens(request.prompt);
  return {
    id: `chatcmpl-${randomUUID()}`,
    words: madeWords(count),
    usage:
      usage === undefined ? { prompt_tokens: prompt, completion_tokens: count, total_tokens: prompt + count } : usage,
  };
};

/** Unknown members, which the gateway must keep: they are in every answer. */
const unknownMembers = {
  system_fingerprint: 'fp_weir',
  x_vendor_extra: { exact: '1e400', nested: [null, { deep: true }] },
};

const wholeAnswer = (request: ParsedRequest, { id, words, usage }: Made): string =>
  JSON.stringify(
    {
      id,
      object: 'chat.completion',
      created: 1_790_000_000,
      model: request.model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: words.join(''), refusal: null },
          logprobs: null,
          finish_reason: request.maxTokens !== null && words.length >= request.maxTokens ? 'length' : 'stop',
        },
      ],
      ...(usage === null ? {} : { usage }),
      ...unknownMembers,
    },
    null,
    1,
  );

const streamEvents = (request: ParsedRequest, { id, words, usage }: Made): string[] => {
  const chunk = (members: object) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1_790_000_000, model: request.model, ...unknownMembers, ...members })}\n\n`;
  const delta = (content: object, finish: string | null = null) =>
    chunk({
      choices: [{ index: 0, delta: content, logprobs: null, finish_reason: finish }],
      ...(request.includeUsage ? { usage: null } : {}),
    });
  return [
    delta({ role: 'assistant', content: '' }),
    ...words.map((word) => delta({ content: word })),
    delta({}, request.maxTokens !== null && words.length >= request.maxTokens ? 'length' : 'stop'),
    ...(request.includeUsage && usage !== null ? [chunk({ choices: [], usage })] : []),
    'data: [DONE]\n\n',
  ];
};

const usageIn = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value['usage'] : undefined;
  } catch {
    return undefined;
  }
};

/** What the last of these texts that has a usage reports; undefined: none does. */
const reportedIn = (texts: readonly string[]): unknown =>
  texts.map((text) => usageIn(text.replace(/^data:/, ''))).findLast((usage) => usage !== undefined && usage !== null);

/** Waits for one of these events and forgets the others. */
const firstOf = async (response: ServerResponse, names: readonly string[]): Promise<void> => {
  const waiting = new AbortController();
  await Promise.race(names.map((name) => once(response, name, { signal: waiting.signal })));
  waiting.abort();
};

/** OpenAI's chat completions. */
const chatForm: UpstreamForm = {
  check: checkChatRequest,
  refusal: ({ fault, code }) =>
    JSON.stringify({ error: { message: fault, type: 'invalid_request_error', param: null, code } }),
  whole: wholeAnswer,
  events: streamEvents,
};

interface Sender {
  readonly form: UpstreamForm;
  readonly response: ServerResponse;
  readonly behaviour: Behaviour;
  readonly entry: UpstreamEntry;
}

/** Sends bytes as the behaviour says; false: the connection is gone, or was cut here. */
const send = async ({ response, behaviour, entry }: Sender, bytes: Buffer): Promise<boolean> => {
  const size = behaviour.pieceBytes ?? bytes.length;
  for (let start = 0; start < bytes.length; start += size) {
    if (response.destroyed) return false;
    const left = behaviour.cutAfterBytes === undefined ? Infinity : behaviour.cutAfterBytes - entry.bytesSent;
    const piece = bytes.subarray(start, Math.min(start + size, start + left));
    entry.heldBack = piece.length > 0 && !response.write(piece);
    if (entry.heldBack) await firstOf(response, ['drain', 'close']);
    entry.heldBack = false;
    entry.bytesSent += piece.length;
    if (entry.bytesSent >= (behaviour.cutAfterBytes ?? Infinity)) {
      await sleep(5);
      response.socket?.resetAndDestroy();
      return false;
    }
    // Pieces must leave the process one by one to reach the gateway one by one.
    if (behaviour.pieceBytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
  }
  return true;
};

/** Waits, but not for a connection that is gone. */
const unlessGone = async (response: ServerResponse, waiting: Promise<unknown> | undefined): Promise<void> => {
  if (waiting !== undefined && !response.destroyed) await Promise.race([waiting, firstOf(response, ['close'])]);
};

const answerStream = async (sender: Sender, request: ParsedRequest): Promise<void> => {
  const { form, response, behaviour, entry } = sender;
  response.writeHead(behaviour.status ?? 200, {
    'content-type': form.streamType ?? 'text/event-stream; charset=utf-8',
    ...behaviour.headers,
  });
  response.flushHeaders();
  const made = make(request, behaviour);
  entry.usage = behaviour.events === undefined ? made.usage : reportedIn(behaviour.events.map(String));
  const events = behaviour.events ?? form.events?.(request, made) ?? [];
  if (behaviour.events === undefined) entry.words = made.words.length;
  for (const event of events.slice(0, behaviour.endAfterEvents ?? events.length)) {
    if (!(await send(sender, Buffer.from(event)))) return;
    entry.eventsSent += 1;
    if (entry.eventsSent === behaviour.pause?.afterEvents) await unlessGone(response, behaviour.pause.until);
    await sleep(behaviour.eventDelayMs ?? 0);
  }
  entry.completed = behaviour.endAfterEvents === undefined;
  response.end();
};

const answerWhole = async (sender: Sender, request: ParsedRequest): Promise<void> => {
  const { form, response, behaviour, entry } = sender;
  const made = make(request, behaviour);
  entry.usage = behaviour.body === undefined ? made.usage : reportedIn([String(behaviour.body)]);
  const body = Buffer.from(behaviour.body ?? form.whole?.(request, made) ?? '');
  response.writeHead(behaviour.status ?? 200, {
    'content-type': 'application/json',
    ...(behaviour.chunked === true ? {} : { 'content-length': String(body.length) }),
    'x-request-id': made.id,
    ...behaviour.headers,
  });
  if (!(await send(sender, body))) return;
  entry.completed = (behaviour.status ?? 200) < 300;
  response.end();
};

/** An answer that is read later. */
interface Opened {
  readonly parsed: ParsedRequest;
  readonly behaviour: Behaviour;
  readonly entry: UpstreamEntry;
}

/** Starts the upstream. */
export const startFakeUpstream = async (options: FakeUpstreamOptions = {}): Promise<FakeUpstream> => {
  const key = options.key ?? `sk-upstream-${randomUUID()}`;
  const { form = chatForm, path = /^\/v1\/chat\/completions$/, keyHeader = 'authorization' } = options;
  const journal = openJournal(options.journalPath);
  let decide: (request: ParsedRequest) => Behaviour | undefined = () => undefined;
  let running = 0;
  let url = '';
  /** Answers that are read later, by their paths. */
  const opened = new Map<string, Opened>();

  const refuse = (response: ServerResponse, refused: ChatFault): void => {
    response.writeHead(refused.status, { 'content-type': 'application/json' });
    response.end(form.refusal(refused));
  };

  const serveLater = async (request: IncomingMessage, response: ServerResponse, open: Opened): Promise<void> => {
    const { parsed, behaviour, entry } = open;
    const wrong = form.later?.check(request, key);
    if (wrong === undefined) await answerStream({ form, response, behaviour, entry }, parsed);
    else refuse(response, wrong);
    journal.answered(entry, wrong?.status ?? 200);
  };

  /** Whether the answer was put off; its path is known from now on. */
  const putsOff = (response: ServerResponse, open: Opened): boolean => {
    const { parsed, behaviour } = open;
    const answersNow = behaviour.body !== undefined || (behaviour.status ?? 200) >= 300;
    const opening = answersNow ? null : (form.later?.opening(parsed, url) ?? null);
    if (opening === null) return false;
    opened.set(opening.path, open);
    response.writeHead(opening.status, { 'content-type': 'application/json' });
    response.end(opening.body);
    return true;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const open = opened.get(request.url ?? '');
    if (open !== undefined) return serveLater(request, response, open);
    const aside = form.aside?.(request, body) ?? null;
    if (aside !== null) {
      response.writeHead(aside.status, { 'content-type': 'application/json' });
      response.end(aside.body);
      return;
    }
    const parsed = form.check({ request, body, key, path, keyHeader });
    const entry = journal.received(request, body, parsed);
    if ('fault' in parsed) {
      refuse(response, parsed);
      journal.answered(entry, parsed.status);
      return;
    }
    const behaviour = decide(parsed) ?? {};
    if (putsOff(response, { parsed, behaviour, entry })) return;
    await unlessGone(response, behaviour.until);
    await sleep(behaviour.delayMs ?? 0);
    const plain = !parsed.stream || behaviour.body !== undefined || (behaviour.status ?? 200) >= 300;
    try {
      await (plain ? answerWhole : answerStream)({ form, response, behaviour, entry }, parsed);
    } finally {
      journal.answered(entry, behaviour.status ?? 200);
    }
  };

  const server = createServer((request, response) => {
    running += 1;
    serve(request, response)
      .catch(() => response.destroy())
      .finally(() => (running -= 1));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    key,
    journal: journal.entries,
    behave: (next) => (decide = next),
    running: () => running,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      journal.close();
    },
  };
};
