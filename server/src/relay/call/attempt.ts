import type { IncomingHttpHeaders } from 'node:http';
import { type Abridged, unabridged } from '../../conversation/abridged.ts';
import { adjust } from '../../conversation/adjust.ts';
import type { Dialect, Inbound, ReadFault } from '../../dialects/dialect.ts';
import { refusal } from '../../providers/failure.ts';
import type {
  ClientResponse,
  FollowUp,
  RequestBatches,
  Refusal,
  ProviderCall,
  RelayFailure,
  StreamStep,
  StreamTranslator,
  Translation,
  UpstreamRequest,
} from '../../providers/provider.ts';
import type { BodyRest } from '../upstream/body-rest.ts';
import type { Client } from '../client/client.ts';
import type { RelayLimits } from '../limits.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import { createSplitter } from '../upstream/splitter.ts';
import type { PrerequisiteLoader } from '../upstream/prerequisite-loader.ts';
import { ask, type PendingAnswer, type UpstreamAnswer, type Wanted } from '../upstream/upstream-answer.ts';
import { failureOf, UpstreamError } from '../upstream/upstream-error.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { Splitter, WireEvent } from '../upstream/wire-event.ts';

/** An event with what it means. */
export interface ReadEvent {
  readonly event: WireEvent;
  readonly step: StreamStep;
}

/** A stream whose first event is content: everything before it went well. */
export interface OpenStream {
  readonly kind: 'stream';
  readonly answer: UpstreamAnswer;
  readonly splitter: Splitter;
  readonly translator: StreamTranslator;
  /** What was read to find that out; taken out once it is passed on, as its bytes hold more memory than their own. */
  readonly first: ReadEvent[];
  readonly pending: PendingAnswer;
}

export interface PlainAnswer {
  readonly kind: 'plain';
  readonly answer: UpstreamAnswer;
  readonly response: Extract<ClientResponse, { kind: 'answer' }>;
}

export interface FailedAttempt {
  readonly kind: 'failed';
  /** 0: the upstream gave no status. */
  readonly status: number;
  readonly failure: RelayFailure;
  readonly retryAfter: string;
}

export type AttemptResult = OpenStream | PlainAnswer | FailedAttempt;

export interface Attempt {
  readonly upstream: Upstream;
  readonly limits: RelayLimits;
  readonly prerequisites: PrerequisiteLoader;
  readonly channel: RoutedChannel;
  readonly translation: Translation;
  readonly call: ProviderCall;
  /** What follows the call's body as it comes; absent: nothing. */
  readonly rest?: BodyRest | null;
  /** Whose going away aborts the attempt; null: nobody's. */
  readonly client: Pick<Client, 'onGone'> | null;
}

export interface CallFacts {
  readonly requestId: string;
  readonly dialect: Dialect;
  readonly inbound: Inbound;
  readonly channel: RoutedChannel;
  /** The client's; empty where it sent none. */
  readonly contentType: string;
  readonly accept: string;
  readonly headers: ProviderCall['headers'];
  readonly path: string;
  readonly query: string;
  /** Unix milliseconds. */
  readonly now: number;
  readonly gateway: ProviderCall['gateway'];
  readonly outputCap: number | null;
  readonly keep: NonNullable<ProviderCall['keep']>;
}

/** A body that has no neutral form. */
const refusedBy = ({ message, code }: ReadFault): Refusal => {
  const { failure } = refusal(message);
  return { kind: 'refusal', failure: { ...failure, error: { ...failure.error, code } } };
};

/** The conversation as this channel is asked it. */
const conversationOf = ({ inbound, channel, outputCap }: CallFacts): ReturnType<ProviderCall['conversation']> => {
  if (inbound.choices > 1) return refusal('this channel returns one answer per request: n must be 1', 'n');
  const conversation = inbound.conversation?.() ?? refusal('this endpoint does not take conversations');
  if (!('kind' in conversation)) return adjust(conversation, { systemPrompt: channel.systemPrompt, outputCap });
  return conversation.kind === 'refusal' ? conversation : refusedBy(conversation);
};

/** The same where long texts may be left out. */
const abridgedOf = (facts: CallFacts, call: Pick<ProviderCall, 'conversation'>): Abridged | Refusal => {
  const { inbound, channel, outputCap } = facts;
  if (inbound.choices > 1 || inbound.abridged === undefined) {
    const conversation = call.conversation();
    return 'kind' in conversation ? conversation : unabridged(conversation);
  }
  const asked = inbound.abridged();
  if ('kind' in asked) return refusedBy(asked);
  const { systemPrompt } = channel;
  return { ...asked, conversation: adjust(asked.conversation, { systemPrompt, outputCap }) };
};

const embeddingsOf = ({ inbound }: CallFacts): ReturnType<ProviderCall['embeddings']> => {
  const asked = inbound.embeddings?.() ?? refusal('this endpoint does not return embeddings');
  return 'kind' in asked && asked.kind === 'fault' ? refusedBy(asked) : asked;
};

/** The call as the provider of this channel sees it. */
export const callOn = (facts: CallFacts): ProviderCall => {
  const { inbound, channel } = facts;
  const { systemPrompt } = channel;
  const model = channel.redirect(inbound.model);
  let conversation: ReturnType<ProviderCall['conversation']> | undefined;
  let abridged: Abridged | Refusal | undefined;
  let embeddings: ReturnType<ProviderCall['embeddings']> | undefined;
  const call: ProviderCall = {
    requestId: facts.requestId,
    format: facts.dialect.format,
    path: facts.path,
    query: facts.query,
    contentType: facts.contentType,
    accept: facts.accept,
    headers: facts.headers,
    model,
    requestedModel: inbound.model,
    redirected: model !== inbound.model,
    stream: inbound.stream,
    includeUsage: inbound.includeUsage,
    gateway: facts.gateway,
    outputCap: facts.outputCap,
    now: facts.now,
    credential: '',
    keep: facts.keep,
    body: (changes) => inbound.edit(systemPrompt === '' ? changes : { ...changes, systemPrompt }),
    conversation: () => (conversation ??= conversationOf(facts)),
    abridged: () => (abridged ??= abridgedOf(facts, call)),
    embeddings: () => (embeddings ??= embeddingsOf(facts)),
  };
  return call;
};

/** A message must not carry the channel's own key, whatever the upstream wrote. */
const withoutKey = (failure: RelayFailure, key: string): RelayFailure => {
  if (key.length < 6 || !failure.error.message.includes(key)) return failure;
  return { ...failure, error: { ...failure.error, message: failure.error.message.replaceAll(key, '***') } };
};

const failed = ({ channel }: Attempt, failure: RelayFailure, answer?: UpstreamAnswer): FailedAttempt => ({
  kind: 'failed',
  status: answer?.status ?? 0,
  failure: withoutKey(failure, channel.key),
  retryAfter: answer?.headers['retry-after'] ?? '',
});

const broken = (message: string, code: string): RelayFailure => ({
  status: 502,
  error: { message, type: 'server_error', param: null, code },
  retryable: true,
});

const isSuccess = (status: number): boolean => status === 200 || status === 201;

/** A type of one JSON value: lines of values have names that begin like it. */
const oneValue = /^application\/json\s*(?:;|$)/;

/** A stream is read in pieces: what was asked for as one unless the type says otherwise, and what says it is one. */
const wantedOf =
  ({ call, limits, translation }: Attempt) =>
  (status: number, headers: IncomingHttpHeaders): Wanted => {
    if (!isSuccess(status)) return { kind: 'beginning', max: limits.failureMax };
    const type = (headers['content-type'] ?? '').toLowerCase();
    const isStream = type.startsWith('text/event-stream') && translation.alwaysStreams !== true;
    const stream = call.stream ? !oneValue.test(type) : isStream;
    return stream ? { kind: 'pieces' } : { kind: 'whole', max: limits.answerMax };
  };

/** Reads up to the first event with data: until then the attempt can fail without the client noticing. */
const openStream = async (attempt: Attempt, answer: UpstreamAnswer, pending: PendingAnswer): Promise<AttemptResult> => {
  const splitter = createSplitter(attempt.translation.framing ?? 'sse', attempt.limits.eventMax);
  const translator = attempt.translation.stream(attempt.call);
  const first: ReadEvent[] = [];
  const fail = (failure: RelayFailure) => {
    pending.abort();
    return failed(attempt, failure, answer);
  };
  for (;;) {
    const chunk = await answer.next();
    const rest = chunk === null ? splitter.rest() : null;
    const events = chunk === null ? (rest === null ? [] : [rest]) : splitter.push(chunk);
    if (events === null) return fail(broken('the upstream sent an event that is too large', 'bad_response_body'));
    for (const event of events) {
      const step = translator.event(event.data, event.bytes);
      if (step.failure !== undefined) return fail(step.failure);
      first.push({ event, step });
    }
    if (first.some(({ event }) => event.data !== null))
      return { kind: 'stream', answer, splitter, translator, first, pending };
    if (chunk === null) return fail(broken('the upstream ended the stream without an event', 'bad_response_body'));
  }
};

const judgeWhole = (attempt: Attempt, answer: UpstreamAnswer, body: Buffer): AttemptResult => {
  const { translation, call } = attempt;
  if (!isSuccess(answer.status)) return failed(attempt, translation.failure(answer.status, body), answer);
  const response = translation.response(body, call);
  return response.kind === 'failure' ? failed(attempt, response.failure, answer) : { kind: 'plain', answer, response };
};

/** Sends one request. Its answer may only say what to ask next. */
const sendOne = async (attempt: Attempt, request: UpstreamRequest): Promise<AttemptResult | FollowUp> => {
  const { channel, translation, call, upstream, limits } = attempt;
  const { rest = null } = attempt;
  const pending = ask(upstream, {
    request,
    rest,
    bufferMax: limits.bufferMax,
    times: channel.times,
    want: wantedOf(attempt),
  });
  attempt.client?.onGone(pending);
  try {
    const answer = await pending.answer;
    if (answer.whole === null) return await openStream(attempt, answer, pending);
    const next = isSuccess(answer.status) ? translation.followUp?.(answer.whole, call, channel) : null;
    return next ?? judgeWhole(attempt, answer, answer.whole);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // The rest of the body was at fault, not the upstream.
    if (error.fault === 'aborted') throw error.cause instanceof Error ? error.cause : error;
    return failed(attempt, failureOf(error));
  }
};

/** Waits, but no longer than the client does. */
const pause = (ms: number, client: Attempt['client']): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    client?.onGone({
      abort: () => {
        clearTimeout(timer);
        reject(new UpstreamError('aborted'));
      },
    });
  });

const send = async (attempt: Attempt): Promise<AttemptResult> => {
  const { channel, translation, call, client } = attempt;
  const request = translation.request(call, channel);
  if ('kind' in request) {
    const refused = request.kind === 'refusal';
    return failed(attempt, refused ? request.failure : broken(request.message, 'channel_incomplete'));
  }
  const started = performance.now();
  let result = await sendOne(attempt, request);
  while (!('kind' in result)) {
    const { afterMs, request: next } = result;
    if (performance.now() - started + afterMs > channel.times.totalMs)
      return failed(attempt, failureOf(new UpstreamError('timeout')));
    if (afterMs > 0) await pause(afterMs, client);
    result = await sendOne({ ...attempt, rest: null }, next);
  }
  return result;
};

/** Asks for the parts of a call one after another; the first that fails fails the call. */
const sendParts = async (attempt: Attempt, { split, join }: RequestBatches): Promise<AttemptResult> => {
  const [first = attempt.call, ...others] = split(attempt.call);
  if (others.length === 0) return send(attempt);
  let result = await send({ ...attempt, call: first });
  const bodies: Buffer[] = [];
  for (const call of [...others, null]) {
    if (result.kind !== 'plain') return result;
    bodies.push(result.answer.whole ?? Buffer.alloc(0));
    if (call !== null) result = await send({ ...attempt, call });
  }
  if (result.kind !== 'plain') return result;
  const response = join(bodies, attempt.call);
  return response.kind === 'failure' ? failed(attempt, response.failure, result.answer) : { ...result, response };
};

const sendWhole = (attempt: Attempt): Promise<AttemptResult> =>
  attempt.translation.batches === undefined ? send(attempt) : sendParts(attempt, attempt.translation.batches);

/** Sends the call with what its translation needs beside it. */
const sendWithPrerequisites = async (attempt: Attempt): Promise<AttemptResult> => {
  const { call, channel, client, prerequisites, translation } = attempt;
  const supplied = await prerequisites.load({ call, channel, client, prerequisites: translation.prerequisites ?? {} });
  if (supplied.kind === 'fault') return failed(attempt, broken(supplied.message, 'channel_incomplete'));
  if (supplied.kind === 'refusal') return failed(attempt, supplied.failure);
  return sendWhole({ ...attempt, call: supplied.call });
};

/** Once more with fresh credentials where those that were kept turn out to be stale. */
const tryWithPrerequisites = async (
  attempt: Attempt,
  needs: NonNullable<Translation['prerequisites']>,
): Promise<AttemptResult> => {
  const result = await sendWithPrerequisites(attempt);
  if (result.kind !== 'failed' || result.failure.staleCredential !== true) return result;
  attempt.prerequisites.forget(attempt.channel, needs);
  return sendWithPrerequisites(attempt);
};

/** One try of one channel. Rejects only when the client went away (`UpstreamError`, `aborted`). */
export const tryChannel = (attempt: Attempt): Promise<AttemptResult> => {
  const { prerequisites } = attempt.translation;
  return prerequisites === undefined ? sendWhole(attempt) : tryWithPrerequisites(attempt, prerequisites);
};
