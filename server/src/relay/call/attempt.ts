import type { IncomingHttpHeaders } from 'node:http';
import type {
  FollowUp,
  Prerequisites,
  ProviderCall,
  RelayFailure,
  RequestBatches,
  Translation,
  UpstreamRequest,
} from '../../providers/provider.ts';
import { parsedBytes } from '../../dialects/scan/json-weight.ts';
import type { RelayLimits } from '../limits.ts';
import type { AttemptMemory } from '../upstream/attempt-memory.ts';
import { giveBack } from '../memory/join-pieces.ts';
import { largeWork } from '../memory/large-work.ts';
import { mustHold } from '../memory/memory-budget.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import type { PrerequisiteLoader } from '../upstream/prerequisite-loader.ts';
import { redirected, redirectOf } from '../../providers/redirect.ts';
import { createSplitter } from '../upstream/events/splitter.ts';
import { ask, type PendingAnswer, untilReady, type UpstreamAnswer, type Wanted } from '../upstream/upstream-answer.ts';
import type { BodyRest, CallOwner } from '../upstream/upstream-call.ts';
import { retryAfterOf } from '../upstream/retry-after.ts';
import { failureOf, UpstreamError } from '../upstream/upstream-error.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { readEvents, translate } from './read-events.ts';
import type { AttemptResult, FailedAttempt, ReadEvent } from './attempt-result.ts';

export interface Attempt {
  readonly upstream: Upstream;
  readonly limits: RelayLimits;
  readonly prerequisites: PrerequisiteLoader;
  readonly channel: RoutedChannel;
  readonly translation: Translation;
  readonly call: ProviderCall;
  /** The part of the body that is still to arrive; absent: none. */
  readonly rest?: BodyRest | null;
  /** The body as the client sent it: a request made of other bytes is a copy. */
  readonly received: Buffer;
  readonly memory: AttemptMemory;
  /** The request was redirected once. */
  readonly redirected?: true;
  /** Aborts the attempt when it disconnects; null: nothing does. */
  readonly client: CallOwner | null;
}

/** A message must not contain the channel's key, whatever the upstream wrote. */
const withoutKey = (failure: RelayFailure, key: string): RelayFailure => {
  if (key.length < 6 || !failure.error.message.includes(key)) return failure;
  return { ...failure, error: { ...failure.error, message: failure.error.message.replaceAll(key, '***') } };
};

const failed = ({ channel }: Attempt, failure: RelayFailure, answer?: UpstreamAnswer): FailedAttempt => ({
  kind: 'failed',
  status: answer?.status ?? 0,
  failure: withoutKey(failure, channel.key),
  retryAfter: retryAfterOf(answer?.headers ?? {}, failure),
});

const broken = (message: string, code: string): RelayFailure => ({
  status: 502,
  error: { message, type: 'server_error', param: null, code },
  retryable: true,
});

const isSuccess = (status: number): boolean => status === 200 || status === 201;

/** A type of one JSON value: lines of values have names that begin like it. */
const oneValue = /^application\/json\s*(?:;|$)/;

const typeOf = (headers: IncomingHttpHeaders): string => (headers['content-type'] ?? '').toLowerCase();

/** Whether an answer is a stream although none was requested. */
const streamsUnasked = ({ call, translation }: Attempt, headers: IncomingHttpHeaders): boolean =>
  !call.stream && translation.alwaysStreams !== true && typeOf(headers).startsWith('text/event-stream');

/** Reads a stream that was not requested; null: it reaches the client as it is. */
const collector = ({ call, translation }: Attempt): Translation['collected'] | null =>
  call.choices > 1 ? null : translation.collected;

/** A stream is read in pieces: a requested one unless the type says otherwise, and one that no translation collects. */
const wantedOf =
  (attempt: Attempt) =>
  (status: number, headers: IncomingHttpHeaders): Wanted => {
    const { call, limits } = attempt;
    if (!isSuccess(status)) return { kind: 'beginning', max: limits.failureMax };
    const passesStream = streamsUnasked(attempt, headers) && !collector(attempt);
    const stream = call.stream ? !oneValue.test(typeOf(headers)) : passesStream;
    return stream ? { kind: 'pieces' } : { kind: 'whole', max: limits.answerMax };
  };

/** Collects the events of a stream up to the first content, or to the bounds of holding them back. */
class Opening {
  readonly events: ReadEvent[] = [];
  private hasContent = false;
  private bytes = 0;
  /** Infinity: no event with data has come. */
  private heldUntil = Infinity;
  private readonly limits: RelayLimits;

  constructor(limits: RelayLimits) {
    this.limits = limits;
  }

  add({ event, step }: ReadEvent): void {
    this.events.push({ event, step });
    this.bytes += event.bytes.length;
    if (event.data === null) return;
    if (this.heldUntil === Infinity) this.heldUntil = performance.now() + this.limits.openingMs;
    if (step.opening !== true) this.hasContent = true;
  }

  isOver(): boolean {
    return this.hasContent || (this.heldUntil < Infinity && this.bytes > this.limits.bufferMax);
  }

  /** Whether more arrives in time. */
  waits(answer: UpstreamAnswer): boolean | Promise<boolean> {
    return this.heldUntil === Infinity || answer.arrives(this.heldUntil - performance.now());
  }
}

/** Reads up to the first content: until then the attempt can fail without the client noticing. */
const openStream = async (attempt: Attempt, answer: UpstreamAnswer, pending: PendingAnswer): Promise<AttemptResult> => {
  const splitter = createSplitter(attempt.translation.framing ?? 'sse', attempt.limits.eventMax);
  const translator = attempt.translation.stream(attempt.call);
  const opening = new Opening(attempt.limits);
  const opened = () => ({ kind: 'stream', answer, splitter, translator, first: opening.events, pending }) as const;
  const fail = (failure: RelayFailure) => {
    pending.abort();
    return failed(attempt, failure, answer);
  };
  while (await opening.waits(answer)) {
    await untilReady(answer);
    const chunk = answer.next();
    // A first event may be a whole picture.
    mustHold(attempt.memory.events, splitter.kept() + (chunk?.length ?? 0));
    const rest = chunk === null ? splitter.rest() : null;
    const reading = { splitter, translator };
    const last = () => translate(reading, rest === null ? [] : [rest]);
    const events = chunk === null ? last() : await readEvents(reading, chunk);
    if (events === null) return fail(broken('the upstream sent an event that is too large', 'bad_response_body'));
    for (const { event, step } of events) {
      if (step.failure !== undefined) return fail(step.failure);
      opening.add({ event, step });
    }
    if (opening.isOver()) return opened();
    if (chunk === null) return fail(broken('the upstream ended the stream without content', 'bad_response_body'));
  }
  return opened();
};

const tooHeavy = broken('the upstream sent more lists and objects than can be read', 'bad_response_body');

/** Recordings are no text. */
const startsJson = (body: Buffer): boolean =>
  body[0] === 0x7b || body[0] === 0x5b || body[0] === 0x20 || body[0] === 0x0a;

const judgeWhole = (attempt: Attempt, answer: UpstreamAnswer, body: Buffer): AttemptResult => {
  const { translation, call, memory } = attempt;
  if (!isSuccess(answer.status)) return failed(attempt, translation.failure(answer.status, body), answer);
  const collected = streamsUnasked(attempt, answer.headers) ? collector(attempt) : null;
  const weight = collected === null && startsJson(body) ? parsedBytes(body) : 0;
  if (weight === null) return failed(attempt, tooHeavy, answer);
  mustHold(memory.answer, body.length + weight);
  const response = collected ? collected(body, call) : translation.response(body, call);
  if (response.kind === 'failure') return failed(attempt, response.failure, answer);
  mustHold(memory.converted, response.body === body ? 0 : response.body.length);
  return { kind: 'plain', answer, response };
};

const redirectFailure = broken(
  'the upstream redirects to another address: correct the base URL of the channel',
  'bad_response_body',
);

/** A redirect: the same request at another path of the host, or a failure that says where it leads. */
const followRedirect = (
  attempt: Attempt,
  request: UpstreamRequest,
  { answer, url }: { readonly answer: UpstreamAnswer; readonly url: URL },
): Promise<AttemptResult | FollowUp> | FailedAttempt => {
  const next = attempt.redirected === true || (attempt.rest ?? null) !== null ? null : redirected(request, url);
  if (next !== null) return sendOne({ ...attempt, redirected: true }, next);
  // Without its query, which may be confidential.
  return { ...failed(attempt, redirectFailure, answer), redirectTarget: url.origin + url.pathname };
};

const isCopy = ({ received }: Attempt, { body }: UpstreamRequest): boolean => body.buffer !== received.buffer;

/**
 * The answer is here and no other attempt follows: a body that this attempt wrote is not needed any more. Of large ones
 * the collector would make most of the work of a call.
 */
const forgetRequest = (attempt: Attempt, request: UpstreamRequest, pending: PendingAnswer): void => {
  if (!isCopy(attempt, request) || !pending.isSent()) return;
  giveBack(request.body);
  mustHold(attempt.memory.request, 0);
};

/** Sends one request. Its answer may only name the next one. */
const sendOne = async (attempt: Attempt, request: UpstreamRequest): Promise<AttemptResult | FollowUp> => {
  const { channel, translation, call, upstream, limits, memory } = attempt;
  const { rest = null } = attempt;
  mustHold(memory.request, isCopy(attempt, request) ? request.body.length : 0);
  const pending = ask(upstream, {
    request,
    rest,
    bufferMax: limits.bufferMax,
    memory: memory.answer,
    times: channel.times,
    proxy: channel.proxy,
    want: wantedOf(attempt),
  });
  attempt.client?.onGone(pending);
  try {
    const answer = await pending.answer;
    if (answer.whole === null) {
      const opened = await openStream(attempt, answer, pending);
      if (opened.kind === 'stream') forgetRequest(attempt, request, pending);
      return opened;
    }
    const url = redirectOf(request, answer.status, answer.headers);
    if (url !== null) return await followRedirect(attempt, request, { answer, url });
    const turn = largeWork.turn(answer.whole.length);
    if (turn !== null) await turn;
    const next = isSuccess(answer.status) ? translation.followUp?.(answer.whole, call, channel) : null;
    if (next !== null && next !== undefined) return next;
    const result = judgeWhole(attempt, answer, answer.whole);
    if (result.kind === 'plain') forgetRequest(attempt, request, pending);
    return result;
  } catch (error) {
    if (!(error instanceof UpstreamError)) {
      pending.abort();
      throw error;
    }
    // The client's body is at fault, not the upstream.
    if (error.fault === 'aborted') throw error.cause instanceof Error ? error.cause : error;
    return failed(attempt, failureOf(error));
  }
};

/** Waits, unless the client disconnects. */
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
  const turn = largeWork.turn(attempt.received.length);
  if (turn !== null) await turn;
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

/** Sends the batches of a call one after another; the first failure is the call's. */
const sendBatches = async (attempt: Attempt, { split, join }: RequestBatches): Promise<AttemptResult> => {
  const [first = attempt.call, ...others] = split(attempt.call);
  if (others.length === 0) return send(attempt);
  let result = await send({ ...attempt, call: first });
  const bodies: Buffer[] = [];
  for (const call of [...others, null]) {
    if (result.kind !== 'plain') return result;
    bodies.push(result.answer.whole ?? Buffer.alloc(0));
    mustHold(
      attempt.memory.batches,
      bodies.reduce((sum, { length }) => sum + length, 0),
    );
    if (call !== null) result = await send({ ...attempt, call });
  }
  if (result.kind !== 'plain') return result;
  const response = join(bodies, attempt.call);
  return response.kind === 'failure' ? failed(attempt, response.failure, result.answer) : { ...result, response };
};

const sendCall = (attempt: Attempt): Promise<AttemptResult> =>
  attempt.translation.batches === undefined ? send(attempt) : sendBatches(attempt, attempt.translation.batches);

/** Sends the call with the prerequisites of its translation. */
const sendWithPrerequisites = async (attempt: Attempt): Promise<AttemptResult> => {
  const { call, channel, client, prerequisites, translation } = attempt;
  const { contents } = attempt.memory;
  const needed = translation.prerequisites ?? {};
  const loaded = await prerequisites.load({
    call,
    channel,
    proxy: channel.proxy,
    client,
    contents,
    prerequisites: needed,
  });
  if (loaded.kind === 'fault') return failed(attempt, broken(loaded.message, 'channel_incomplete'));
  if (loaded.kind === 'refusal') return failed(attempt, loaded.failure);
  return sendCall({ ...attempt, call: loaded.call });
};

/** A second time with fresh credentials, where the kept ones turn out to be stale. */
const tryWithPrerequisites = async (attempt: Attempt, prerequisites: Prerequisites): Promise<AttemptResult> => {
  const result = await sendWithPrerequisites(attempt);
  if (result.kind !== 'failed' || result.failure.staleCredential !== true) return result;
  attempt.prerequisites.forget(attempt.channel, prerequisites);
  return sendWithPrerequisites(attempt);
};

/** One attempt. Rejects only when the client disconnected (`UpstreamError`, `aborted`) or there is no memory left. */
export const tryChannel = (attempt: Attempt): Promise<AttemptResult> => {
  const { prerequisites } = attempt.translation;
  return prerequisites === undefined ? sendCall(attempt) : tryWithPrerequisites(attempt, prerequisites);
};
