import { isObject, type Json, objectAt, objectsAt, parseJson, textAt } from '../../conversation/json.ts';
import { reportedAnthropicFailure, anthropicFailure } from './anthropic-failure.ts';
import { anthropicUsage } from './anthropic-usage.ts';
import { badBody } from '../failure.ts';
import type { BaseUrl, ProviderChannel, ProviderCall, StreamStep, StreamTranslator, Translation } from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

/** Path and headers of a vendor's Messages API. */
export interface AnthropicTraits {
  /** Path and query on the channel's host. */
  readonly path: (call: ProviderCall, base: BaseUrl) => string;
  /** Authentication and any other headers that the vendor requires: alternating names and values. */
  readonly headers: (call: ProviderCall, channel: ProviderChannel) => readonly string[];
}

const blockText = (block: Json): string =>
  textAt(block, 'text') +
  textAt(block, 'thinking') +
  (block['type'] === 'tool_use' ? textAt(block, 'name') + JSON.stringify(block['input'] ?? {}) : '');

const deltaText = (delta: Json): string =>
  textAt(delta, 'text') + textAt(delta, 'thinking') + textAt(delta, 'partial_json');

const event = (data: Json): string => `event: ${textAt(data, 'type')}\ndata: ${JSON.stringify(data)}\n\n`;
const stop = Buffer.from(event({ type: 'message_stop' }));

/** Blocks that begin empty. */
const filledLater = new Set<unknown>(['text', 'thinking']);

/** Forwards events unchanged and reads usage and output from them. Stateful: one stream. */
const messageStream = (): StreamTranslator => {
  let startUsage: Json = {};
  let openBlock: number | null = null;
  let finished = false;

  const opens = (index: number | null, bytes: Buffer) => () => {
    openBlock = index;
    return bytes;
  };
  const read = (data: Json, bytes: Buffer): StreamStep => {
    const step = { forward: 'same', output: '' } as const;
    switch (data['type']) {
      case 'ping':
        return { ...step, opening: true };
      case 'message_start':
        startUsage = objectAt(objectAt(data, 'message'), 'usage');
        return { ...step, usage: anthropicUsage(startUsage), opening: true };
      case 'content_block_start': {
        const block = objectAt(data, 'content_block');
        const forward = opens(Number(data['index'] ?? 0), bytes);
        const output = textAt(block, 'name') + textAt(block, 'text');
        return { forward, output, ...(output === '' && filledLater.has(block['type']) && { opening: true }) };
      }
      case 'content_block_delta':
        return { ...step, output: deltaText(objectAt(data, 'delta')) };
      case 'content_block_stop':
        return { ...step, forward: opens(null, bytes) };
      case 'message_delta':
        finished ||= typeof objectAt(data, 'delta')['stop_reason'] === 'string';
        return { ...step, usage: anthropicUsage(objectAt(data, 'usage'), startUsage) };
      case 'message_stop':
        return { ...step, done: true };
      default:
        return step;
    }
  };

  return {
    event: (text, bytes) => {
      if (text === null) return { forward: 'same', output: '' };
      const data = parseJson(text);
      const failure = isObject(data)
        ? reportedAnthropicFailure(data)
        : badBody('the upstream sent an event that is not a JSON object');
      if (failure !== null || !isObject(data))
        return { forward: 'none', output: '', ...(failure !== null && { failure }) };
      return read(data, bytes);
    },
    finished: () => finished,
    lengthEnd: (usage) => {
      const closing = openBlock === null ? '' : event({ type: 'content_block_stop', index: openBlock });
      const delta = { stop_reason: 'max_tokens', stop_sequence: null };
      const counted = { output_tokens: usage?.completion ?? 0 };
      return Buffer.from(closing + event({ type: 'message_delta', delta, usage: counted }));
    },
    terminator: () => stop,
  };
};

export const defaultVersion = '2023-06-01';

/** The headers of every request in this format, besides authentication. */
export const anthropicHeaders = (call: ProviderCall): readonly string[] => {
  const beta = call.headers['anthropic-beta'];
  return [
    'content-type',
    'application/json',
    'accept',
    call.stream ? 'text/event-stream' : 'application/json',
    'anthropic-version',
    call.headers['anthropic-version'] ?? defaultVersion,
    ...(beta === undefined ? [] : ['anthropic-beta', beta]),
  ];
};

/** Reads answers that reach the client as they are. */
export const passedMessages: Pick<Translation, 'response' | 'stream' | 'failure'> = {
  response: (body) => {
    const parsed = parseJson(body.toString());
    if (!isObject(parsed)) return { kind: 'failure', failure: badBody('the upstream response is not a JSON object') };
    const failure = reportedAnthropicFailure(parsed);
    if (failure !== null) return { kind: 'failure', failure };
    if (!Array.isArray(parsed['content']))
      return { kind: 'failure', failure: badBody('the upstream response has no content') };
    const usage = parsed['usage'];
    return {
      kind: 'answer',
      body,
      usage: isObject(usage) ? anthropicUsage(usage) : null,
      output: () => objectsAt(parsed, 'content').map(blockText).join(''),
    };
  },
  stream: messageStream,
  failure: anthropicFailure,
};

/** Anthropic's messages, passed through to a vendor with the same API. */
export const anthropicNative = ({ path, headers }: AnthropicTraits): Translation => ({
  ...passedMessages,
  request: (call, channel) => {
    const usable = usableChannel(channel);
    if (usable.kind === 'fault') return usable;
    const body = call.body({
      ...(call.redirected && { model: call.model }),
      ...(call.outputCap !== null && { outputLimit: { tokens: call.outputCap, member: 'max_tokens' } }),
    });
    return {
      origin: usable.base.origin,
      path: path(call, usable.base),
      method: 'POST',
      headers: [...anthropicHeaders(call), ...headers(call, channel)],
      body,
    };
  },
});

/** Anthropic's token count endpoint: no cost and no output. */
export const anthropicCount = (traits: AnthropicTraits): Translation => ({
  ...anthropicNative({
    ...traits,
    path: (call, base) => {
      const [path = '', query] = traits.path(call, base).split('?', 2);
      return `${path}/count_tokens${query === undefined ? '' : `?${query}`}`;
    },
  }),
  response: (body) => {
    const parsed = parseJson(body.toString());
    const counted = isObject(parsed) && typeof parsed['input_tokens'] === 'number';
    return counted
      ? { kind: 'answer', body, usage: null, output: () => '' }
      : { kind: 'failure', failure: badBody('the upstream response has no count') };
  },
});
