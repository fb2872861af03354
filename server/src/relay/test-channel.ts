import { logType } from '@weir/contract/logs';
import { openAiChat } from '../dialects/openai-chat.ts';
import type { Database } from '../store/database.ts';
import { insertLog } from '../store/logs.ts';
import { type AttemptResult, callOn, tryChannel } from './attempt.ts';
import type { RelayTools } from './job.ts';
import type { RoutedChannel } from './routing-table.ts';

/** What a test request through a channel found. */
export interface ChannelTestResult {
  readonly ok: boolean;
  /** Milliseconds; 0 on failure. */
  readonly timeMs: number;
  readonly modelName: string;
  /** The model's words, or why the test failed. */
  readonly message: string;
}

const prompt = 'Output only your specific model name with no additional text.';
const preferredModel = 'gpt-3.5-turbo';
const messageMax = 200;

/** The asked model if the channel lists it, else its first (wire contract 3.8). */
const modelToTest = (channel: RoutedChannel, asked: string): string => {
  const wanted = asked === '' ? preferredModel : asked;
  return channel.models.includes(wanted) ? wanted : (channel.models[0] ?? wanted);
};

const textOf = (result: AttemptResult): { readonly ok: boolean; readonly message: string } => {
  if (result.kind === 'plain') return { ok: true, message: result.response.output() };
  if (result.kind === 'stream') {
    result.pending.abort();
    return { ok: false, message: 'the upstream answered with a stream that nobody asked for' };
  }
  const { failure, status } = result;
  return {
    ok: false,
    message:
      status === 0 ? failure.error.message : `http status code: ${status}, error message: ${failure.error.message}`,
  };
};

interface Testing {
  readonly channel: RoutedChannel;
  readonly model: string;
  readonly requestId: string;
}

const ask = async (
  tools: RelayTools,
  { channel, model, requestId }: Testing,
): Promise<{ readonly ok: boolean; readonly message: string }> => {
  const translation = channel.provider === null ? null : tools.translations.of(openAiChat, channel.provider);
  if (translation === null)
    return { ok: false, message: 'chat completions are not supported by this channel type yet' };
  const asked = { path: '/v1/chat/completions', query: '', contentType: 'application/json' };
  const body = Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: prompt }] }));
  const inbound = openAiChat.read(body, asked);
  if (inbound.kind === 'fault') return { ok: false, message: inbound.message };
  const call = callOn({
    requestId,
    dialect: openAiChat,
    inbound,
    channel,
    ...asked,
    accept: 'application/json',
    headers: {},
    now: tools.clock.now(),
    gateway: tools.settings().gateway,
    outputCap: null,
  });
  const { upstream, limits } = tools;
  return textOf(await tryChannel({ upstream, limits, channel, translation, call, client: null }));
};

/** Sends one small request through a channel the way the relay would, and notes it in the log; nobody is charged. */
export const testChannel = async (
  tools: RelayTools,
  db: Database,
  {
    channel,
    asked,
    requestId,
  }: { readonly channel: RoutedChannel; readonly asked: string; readonly requestId: string },
): Promise<ChannelTestResult> => {
  const model = modelToTest(channel, asked);
  const startedMs = tools.clock.now();
  const { ok, message } = await ask(tools, { channel, model, requestId });
  const elapsed = Math.max(1, Math.round(tools.clock.now() - startedMs));
  const words = message.slice(0, messageMax);
  await insertLog(db, {
    user_id: 0,
    created_at: Math.floor(startedMs / 1000),
    type: logType.test,
    content: ok
      ? `channel ${channel.name} test succeeded, response: ${words}`
      : `channel ${channel.name} test failed, error: ${words}`,
    username: '',
    token_id: 0,
    token_name: '',
    model_name: channel.redirect(model),
    quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    channel_id: channel.id,
    request_id: requestId,
    elapsed_time: elapsed,
    is_stream: 0,
    system_prompt_reset: 0,
    detail: '',
  });
  return { ok, timeMs: ok ? elapsed : 0, modelName: model, message: words };
};
