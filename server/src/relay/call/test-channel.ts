import type { PriceTable } from '../../billing/price/price-table.ts';
import { acceptParts } from '../../billing/price/usage-parts.ts';
import { acceptUsage, type UsageBounds, type UsageReport } from '../../billing/price/usage.ts';
import { vendorCost } from '../../billing/price/vendor-cost.ts';
import { emptyLog, unknownCost } from '../../store/logs/log-columns.ts';
import { logType } from '@weir/contract/logs';
import { openAiChat } from '../../dialects/openai/openai-chat.ts';
import type { Database } from '../../store/database.ts';
import { insertLog } from '../../store/logs/logs.ts';
import { type Attempt, tryChannel } from './attempt.ts';
import { type AttemptResult, isFailed } from './attempt-result.ts';
import { type SentCall, toProviderCall } from './provider-call.ts';
import { attemptMemory } from '../upstream/attempt-memory.ts';
import { MemoryError } from '../memory/memory-budget.ts';
import type { RelayContext } from './relay-context.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import { GivenIds } from '../state/given-state.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';

/** Result of a test request through a channel. */
export interface ChannelTestResult {
  readonly ok: boolean;
  /** Milliseconds; 0 on failure. */
  readonly timeMs: number;
  readonly modelName: string;
  /** The model's text, or why the test failed. */
  readonly message: string;
  /** The upstream refuses the channel's key or account. */
  readonly refusesAccount: boolean;
  /** Of the key that was tested. */
  readonly keyDigest: string;
}

interface TestOrder {
  readonly channel: RoutedChannel;
  /** Empty: the channel's own choice. */
  readonly requestedModel: string;
  readonly requestId: string;
  readonly prices: Pick<PriceTable, 'cost'>;
  /** Ends the test early; it then rejects with the signal's reason. */
  readonly cancelled: AbortSignal;
}

const preferredModel = 'gpt-3.5-turbo';
const messageMax = 200;
/** Shorter than the console waits, which is a minute. */
const testMs = 50_000;

/** The requested model if the channel lists it, else its first (wire contract 3.8). */
const modelToTest = (channel: RoutedChannel, requested: string): string => {
  const model = requested === '' ? preferredModel : requested;
  return channel.models.includes(model) ? model : (channel.models[0] ?? model);
};

interface Outcome extends Pick<ChannelTestResult, 'ok' | 'message' | 'refusesAccount'> {
  /** As the upstream reports it. */
  readonly usage: UsageReport | null;
}

const failure = (message: string, refusesAccount = false): Outcome => ({
  ok: false,
  message,
  refusesAccount,
  usage: null,
});

/** Where the request went: only administrators see the result of a test. */
const hostOf = ({ base }: RoutedChannel): string => (base === null ? '' : ` (${new URL(base.origin).host})`);

const outcomeOf = (result: AttemptResult, channel: RoutedChannel): Outcome => {
  if (result.kind === 'plain') {
    const { response } = result;
    return { ok: true, message: response.output(), refusesAccount: false, usage: response.usage };
  }
  if (result.kind === 'stream') {
    result.pending.abort();
    return failure('the upstream sent an unrequested stream');
  }
  const { status } = result;
  const { error, refusesAccount = false } = result.failure;
  if (status === 0) return failure(error.message + hostOf(channel), refusesAccount);
  const { redirectTarget } = result;
  if (redirectTarget !== undefined) return failure(`${error.message} (${redirectTarget})`);
  // Some vendors report failures with a success status, which explains nothing.
  const message = status < 400 ? error.message : `http status code: ${status}, error message: ${error.message}`;
  return failure(message, refusesAccount);
};

/** Aborts an attempt as a client does that disconnects. */
const ownerOf = (signal: AbortSignal): Attempt['client'] => ({
  onGone: (call) => {
    if (signal.aborted) call.abort();
    else signal.addEventListener('abort', () => call.abort(), { once: true });
  },
});

/** One attempt. It ends early when it is cancelled or takes too long, and counts for the channel's health. */
const attempt = async (
  context: RelayContext,
  { requestId, cancelled }: TestOrder,
  test: Pick<Attempt, 'channel' | 'translation' | 'call' | 'received'>,
): Promise<Outcome> => {
  const { upstream, limits, prerequisites, clock } = context;
  const memory = context.memory.open(0);
  const client = ownerOf(AbortSignal.any([cancelled, AbortSignal.timeout(testMs)]));
  const started = clock.now();
  try {
    const result = await tryChannel({
      upstream,
      limits,
      prerequisites,
      client,
      memory: attemptMemory(memory),
      ...test,
    });
    const failed = isFailed(result) ? result : null;
    const headMs = isFailed(result) ? 0 : result.answer.headMs;
    const ms = Math.max(0, Math.round(clock.now() - started));
    const { channel, call } = test;
    const model = call.requestedModel;
    if (result.kind === 'plain') context.breaker.onSuccess(channel, model);
    context.observer.onAttempt({ channel, model, requestId, headMs, ms, failed, hasHealthySibling: false, test: true });
    return outcomeOf(result, channel);
  } catch (error) {
    cancelled.throwIfAborted();
    if (error instanceof MemoryError) return failure(error.message);
    if (error instanceof UpstreamError) return failure('the upstream timed out');
    throw error;
  } finally {
    memory.end();
  }
};

const testKey = async (context: RelayContext, order: TestOrder, model: string): Promise<Outcome> => {
  const { channel, requestId } = order;
  const translationOf = channel.provider === null ? null : context.translations.of(openAiChat, channel.provider);
  if (translationOf === null) return failure('chat completions are not supported by this channel type yet');
  const endpoint = { path: '/v1/chat/completions', query: '', contentType: 'application/json' };
  const body = Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: context.testPrompt }] }));
  const inbound = openAiChat.read(body, endpoint);
  if (inbound.kind === 'fault') return failure(inbound.message);
  const sent: SentCall = {
    ...endpoint,
    context,
    requestId,
    dialect: openAiChat,
    inbound,
    accept: 'application/json',
    headers: {},
    keepItem: () => undefined,
    givenIds: new GivenIds(),
  };
  const call = toProviderCall(sent, { channel, outputCap: null }, context.clock.now());
  return attempt(context, order, { channel, translation: translationOf(call), call, received: body });
};

/** The outcome of the first key whose account is not refused, or of the last key. */
const testKeys = async (context: RelayContext, order: TestOrder, model: string): Promise<Outcome> => {
  let outcome = failure('the channel has no key');
  for (const channel of order.channel.channelKeys) {
    outcome = await testKey(context, { ...order, channel }, model);
    if (!outcome.refusesAccount) return outcome;
  }
  return outcome;
};

/** Tokens of a test at most, on each side: its prompt is an option's text, its answer no longer than that of any model. */
const testTokensMax = 131_072;
const testBounds: UsageBounds = {
  allowsPrompt: (tokens) => tokens <= testTokensMax,
  allowsCompletion: (tokens) => tokens <= testTokensMax,
};

/** A test that was answered. */
interface Tested {
  readonly usage: UsageReport | null;
  /** As it is sent. */
  readonly model: string;
  readonly atMs: number;
}

/** What a test cost at its vendor, where that is known. */
const costOfTest = ({ prices, channel }: TestOrder, { usage, model, atMs }: Tested): number => {
  const { prompt, completion } = acceptUsage(usage, false, testBounds);
  if (prompt === null || completion === null) return unknownCost;
  const accepted = { prompt, completion, parts: acceptParts(usage?.parts, { prompt, completion }), estimated: false };
  const question = { model, channelType: channel.type, factor: channel.costFactor, atMs };
  return vendorCost(prices, question, { usage: accepted }) ?? unknownCost;
};

/** Sends one small request through a channel the way the relay would, and logs it. Free of charge; its vendor is paid. */
export const testChannel = async (
  context: RelayContext,
  db: Database,
  order: TestOrder,
): Promise<ChannelTestResult> => {
  const { channel, requestedModel, requestId } = order;
  const model = modelToTest(channel, requestedModel);
  const startedMs = context.clock.now();
  const { ok, message, refusesAccount, usage } = await testKeys(context, order, model);
  const elapsed = Math.max(1, Math.round(context.clock.now() - startedMs));
  const text = message.slice(0, messageMax);
  await insertLog(db, {
    ...emptyLog,
    created_at: Math.floor(startedMs / 1000),
    type: logType.test,
    content: ok
      ? `channel ${channel.name} test succeeded, response: ${text}`
      : `channel ${channel.name} test failed, error: ${text}`,
    username: '',
    token_id: 0,
    token_name: '',
    model_name: channel.redirect(model),
    channel_id: channel.id,
    request_id: requestId,
    elapsed_time: elapsed,
    cost: costOfTest(order, { usage, model: channel.redirect(model), atMs: startedMs }),
  });
  const { keyDigest } = channel;
  return { ok, timeMs: ok ? elapsed : 0, modelName: model, message: text, refusesAccount, keyDigest };
};
