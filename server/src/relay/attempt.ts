import type { ChatRequest } from '../dialects/openai-chat.ts';
import type {
  ClientResponse,
  Provider,
  RelayCall,
  RelayFailure,
  StreamStep,
  StreamTranslator,
} from '../providers/provider.ts';
import type { RelayLimits } from './limits.ts';
import type { RoutedChannel } from './routing-table.ts';
import { createSseSplitter, type SseEvent, type SseSplitter } from './sse.ts';
import { ask, type PendingAnswer, type UpstreamAnswer } from './upstream-answer.ts';
import { failureOf, UpstreamError } from './upstream-error.ts';
import type { Upstream } from './upstream.ts';

/** An event with what it means. */
export interface ReadEvent {
  readonly event: SseEvent;
  readonly step: StreamStep;
}

/** A stream whose first event is content: everything before it went well. */
export interface OpenStream {
  readonly kind: 'stream';
  readonly answer: UpstreamAnswer;
  readonly splitter: SseSplitter;
  readonly translator: StreamTranslator;
  /** What was read to find that out. */
  readonly first: readonly ReadEvent[];
  abort(): void;
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
  readonly channel: RoutedChannel;
  readonly provider: Provider;
  readonly call: RelayCall;
  /** Told what to abort when the client goes away. */
  onPending(pending: PendingAnswer): void;
}

export interface CallFacts {
  readonly chat: ChatRequest;
  readonly channel: RoutedChannel;
  readonly headers: { readonly contentType: string; readonly accept: string };
  readonly query: string;
  readonly gateway: RelayCall['gateway'];
  readonly outputCap: number | null;
}

/** The call as the provider of this channel sees it. */
export const callOn = ({ chat, channel, headers, query, gateway, outputCap }: CallFacts): RelayCall => {
  const model = channel.redirect(chat.model);
  const { systemPrompt } = channel;
  return {
    path: '/v1/chat/completions',
    query,
    ...headers,
    model,
    redirected: model !== chat.model,
    stream: chat.stream,
    includeUsage: chat.includeUsage,
    gateway,
    outputCap,
    body: (changes) => chat.edit(systemPrompt === '' ? changes : { ...changes, systemPrompt }),
  };
};

const failed = (failure: RelayFailure, status = 0, retryAfter = ''): FailedAttempt => ({
  kind: 'failed',
  status,
  failure,
  retryAfter,
});

/** A message must not carry the channel's own key, whatever the upstream wrote. */
const withoutKey = (failure: RelayFailure, key: string): RelayFailure => {
  if (key.length < 6 || !failure.error.message.includes(key)) return failure;
  return { ...failure, error: { ...failure.error, message: failure.error.message.replaceAll(key, '***') } };
};

const typeOf = (answer: UpstreamAnswer): string => (answer.headers['content-type'] ?? '').toLowerCase();

const isStream = (answer: UpstreamAnswer, asked: boolean): boolean =>
  asked ? !typeOf(answer).startsWith('application/json') : typeOf(answer).startsWith('text/event-stream');

const broken = (message: string): RelayFailure => ({
  status: 502,
  error: { message, type: 'server_error', param: null, code: 'bad_response_body' },
  retryable: true,
});

/** Reads up to the first event with data: until then the attempt can fail without the client noticing. */
const openStream = async (
  { provider, call, limits }: Attempt,
  answer: UpstreamAnswer,
  abort: () => void,
): Promise<AttemptResult> => {
  const splitter = createSseSplitter(limits.eventMax);
  const translator = provider.stream(call);
  const first: ReadEvent[] = [];
  for (;;) {
    const chunk = await answer.next();
    const rest = chunk === null ? splitter.rest() : null;
    const events = chunk === null ? (rest === null ? [] : [rest]) : splitter.push(chunk);
    if (events === null) {
      abort();
      return failed(broken('the upstream sent an event that is too large'), answer.status);
    }
    for (const event of events) {
      const step = translator.event(event.data);
      if (step.failure !== undefined) {
        abort();
        return failed(step.failure, answer.status);
      }
      first.push({ event, step });
    }
    if (first.some(({ event }) => event.data !== null))
      return { kind: 'stream', answer, splitter, translator, first, abort };
    if (chunk === null) return failed(broken('the upstream ended its stream without an event'), answer.status);
  }
};

const readPlain = async ({ provider, call, limits }: Attempt, answer: UpstreamAnswer): Promise<AttemptResult> => {
  const response = provider.response(await answer.whole(limits.answerMax), call);
  return response.kind === 'failure' ? failed(response.failure, answer.status) : { kind: 'plain', answer, response };
};

const readFailure = async ({ provider, limits }: Attempt, answer: UpstreamAnswer): Promise<FailedAttempt> => {
  const body = await answer.beginning(limits.failureMax);
  return failed(provider.failure(answer.status, body), answer.status, answer.headers['retry-after'] ?? '');
};

const run = async (attempt: Attempt): Promise<AttemptResult> => {
  const { channel, provider, call, upstream, limits } = attempt;
  const request = provider.request(call, channel);
  if ('kind' in request) {
    return failed({
      status: 502,
      error: { message: request.message, type: 'server_error', param: null, code: 'channel_incomplete' },
      retryable: true,
    });
  }
  const pending = ask(upstream, request, limits.bufferMax);
  attempt.onPending(pending);
  const answer = await pending.answer;
  if (answer.status !== 200 && answer.status !== 201) return readFailure(attempt, answer);
  return isStream(answer, call.stream) ? openStream(attempt, answer, pending.abort) : readPlain(attempt, answer);
};

/** One try of one channel. Rejects only when the client went away (`UpstreamError`, `aborted`). */
export const tryChannel = async (attempt: Attempt): Promise<AttemptResult> => {
  try {
    const result = await run(attempt);
    return result.kind === 'failed' ? { ...result, failure: withoutKey(result.failure, attempt.channel.key) } : result;
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.fault === 'aborted') throw error;
    return failed(failureOf(error));
  }
};
