import { emptyLog } from '../../store/logs/log-columns.ts';
import { logType } from '@weir/contract/logs';
import { openAiChat } from '../../dialects/openai/openai-chat.ts';
import type { Database } from '../../store/database.ts';
import { insertLog } from '../../store/logs/logs.ts';
import { type Attempt, type AttemptResult, callOn, tryChannel } from './attempt.ts';
import type { RelayContext } from './relay-context.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';

/** What a test request through a channel found. */
export interface ChannelTestResult {
  readonly ok: boolean;
  /** Milliseconds; 0 on failure. */
  readonly timeMs: number;
  readonly modelName: string;
  /** The model's words, or why the test failed. */
  readonly message: string;
  /** The upstream refuses the channel's key or account. */
  readonly refusesAccount: boolean;
  /** Of the key that was tested. */
  readonly keyDigest: string;
}

interface TestOrder {
  readonly channel: RoutedChannel;
  /** Empty: the channel's own choice. */
  readonly asked: string;
  readonly requestId: string;
  /** Ends the test early; it then rejects with the signal's reason. */
  readonly cancelled: AbortSignal;
}

const preferredModel = 'gpt-3.5-turbo';
const messageMax = 200;
/** Whoever asked waits no longer: the console gives up after a minute. */
const testMs = 50_000;

/** The asked model if the channel lists it, else its first (wire contract 3.8). */
const modelToTest = (channel: RoutedChannel, asked: string): string => {
  const wanted = asked === '' ? preferredModel : asked;
  return channel.models.includes(wanted) ? wanted : (channel.models[0] ?? wanted);
};

type Words = Pick<ChannelTestResult, 'ok' | 'message' | 'refusesAccount'>;

const fails = (message: string, refusesAccount = false): Words => ({ ok: false, message, refusesAccount });

const wordsOf = (result: AttemptResult): Words => {
  if (result.kind === 'plain') return { ok: true, message: result.response.output(), refusesAccount: false };
  if (result.kind === 'stream') {
    result.pending.abort();
    return fails('the upstream sent an unrequested stream');
  }
  const { failure, status } = result;
  const { message } = failure.error;
  const refusesAccount = failure.refusesAccount === true;
  return fails(status === 0 ? message : `http status code: ${status}, error message: ${message}`, refusesAccount);
};

/** Ends an attempt as a client does that goes away. */
const leaving = (signal: AbortSignal): Attempt['client'] => ({
  onGone: (call) => {
    if (signal.aborted) call.abort();
    else signal.addEventListener('abort', () => call.abort(), { once: true });
  },
});

type TestedCall = Pick<Attempt, 'channel' | 'translation' | 'call'>;

/** One attempt that ends when it was cancelled or took too long, and counts for the channel's health. */
const attempt = async (
  context: RelayContext,
  { requestId, cancelled }: TestOrder,
  asked: TestedCall,
): Promise<Words> => {
  const { upstream, limits, prerequisites, clock } = context;
  const client = leaving(AbortSignal.any([cancelled, AbortSignal.timeout(testMs)]));
  const started = clock.now();
  try {
    const result = await tryChannel({ upstream, limits, prerequisites, client, ...asked });
    const failed = result.kind === 'failed' ? result : null;
    const headMs = result.kind === 'failed' ? 0 : result.answer.headMs;
    const ms = Math.max(0, Math.round(clock.now() - started));
    const { channel, call } = asked;
    const model = call.requestedModel;
    if (failed === null) context.breaker.onSuccess(channel, model);
    context.observer.onAttempt({ channel, model, requestId, headMs, ms, failed, hasHealthySibling: false, test: true });
    return wordsOf(result);
  } catch (error) {
    cancelled.throwIfAborted();
    if (error instanceof UpstreamError) return fails('the upstream timed out');
    throw error;
  }
};

const ask = async (context: RelayContext, order: TestOrder, model: string): Promise<Words> => {
  const { channel, requestId } = order;
  const translationOf = channel.provider === null ? null : context.translations.of(openAiChat, channel.provider);
  if (translationOf === null) return fails('chat completions are not supported by this channel type yet');
  const head = { path: '/v1/chat/completions', query: '', contentType: 'application/json' };
  const body = Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: context.testPrompt }] }));
  const inbound = openAiChat.read(body, head);
  if (inbound.kind === 'fault') return fails(inbound.message);
  const call = callOn({
    requestId,
    dialect: openAiChat,
    inbound,
    channel,
    ...head,
    accept: 'application/json',
    headers: {},
    keep: () => undefined,
    now: context.clock.now(),
    gateway: context.settings().gateway,
    outputCap: null,
  });
  return attempt(context, order, { channel, translation: translationOf(call), call });
};

/** With the first key whose account is not refused; the words of the last where all are. */
const askEach = async (context: RelayContext, order: TestOrder, model: string): Promise<Words> => {
  let words = fails('the channel has no key');
  for (const channel of order.channel.channelKeys) {
    words = await ask(context, { ...order, channel }, model);
    if (!words.refusesAccount) return words;
  }
  return words;
};

/** Sends one small request through a channel the way the relay would, and notes it in the log; nobody is charged. */
export const testChannel = async (
  context: RelayContext,
  db: Database,
  order: TestOrder,
): Promise<ChannelTestResult> => {
  const { channel, asked, requestId } = order;
  const model = modelToTest(channel, asked);
  const startedMs = context.clock.now();
  const { ok, message, refusesAccount } = await askEach(context, order, model);
  const elapsed = Math.max(1, Math.round(context.clock.now() - startedMs));
  const words = message.slice(0, messageMax);
  await insertLog(db, {
    ...emptyLog,
    created_at: Math.floor(startedMs / 1000),
    type: logType.test,
    content: ok
      ? `channel ${channel.name} test succeeded, response: ${words}`
      : `channel ${channel.name} test failed, error: ${words}`,
    model_name: channel.redirect(model),
    channel_id: channel.id,
    request_id: requestId,
    elapsed_time: elapsed,
  });
  const { keyDigest } = channel;
  return { ok, timeMs: ok ? elapsed : 0, modelName: model, message: words, refusesAccount, keyDigest };
};
