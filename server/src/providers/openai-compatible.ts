import type { BodyChanges } from '../conversation/body-changes.ts';
import { isObject, parseJson } from '../conversation/json.ts';
import { joinPath } from './base-url.ts';
import { badBody, readFailure, reportedFailure } from './failure.ts';
import { outputOf, usageOf } from './openai-output.ts';
import { openAiStream, type StreamTraits } from './openai-stream.ts';
import type { ChannelFault, Provider, ProviderChannel, RelayCall, Translation, UpstreamRequest } from './provider.ts';

/** Where a vendor's API differs from OpenAI's: everything else is the same by definition of this file. */
export interface OpenAiTraits extends StreamTraits {
  /** Path and query to ask on the channel's host. */
  readonly path?: (call: RelayCall, channel: ProviderChannel) => string | ChannelFault;
  /** The authentication header and whatever the vendor wants beside it, names and values in turn. */
  readonly headers?: (call: RelayCall, channel: ProviderChannel) => readonly string[];
  /** Whether a stream may be asked for its usage; default: yes. */
  readonly asksStreamUsage?: (channel: ProviderChannel) => boolean;
  /** The member that bounds the output; default: by the model. */
  readonly limitMember?: 'max_tokens' | 'max_completion_tokens';
}

const versionPrefix = '/v1';

/** The inbound path on the channel's address (provider notes 2.1). */
const inboundPath = (call: RelayCall, channel: ProviderChannel): string | ChannelFault => {
  if (channel.base === null) return { kind: 'fault', message: 'the channel has no valid base URL' };
  return joinPath(channel.base, versionPrefix, call.path.slice(versionPrefix.length)) + call.query;
};

const bearer = (_: RelayCall, channel: ProviderChannel): readonly string[] => [
  'authorization',
  `Bearer ${channel.key}`,
];

/** OpenAI's reasoning models refuse `max_tokens`. */
const reasoning = /^(?:o\d|gpt-[5-9])/;

const limitMember = ({ model }: RelayCall, traits: OpenAiTraits) =>
  traits.limitMember ?? (reasoning.test(model) ? 'max_completion_tokens' : 'max_tokens');

const changesFor = (call: RelayCall, channel: ProviderChannel, traits: OpenAiTraits): BodyChanges => {
  const asksUsage = call.stream && !call.includeUsage && (traits.asksStreamUsage?.(channel) ?? true);
  return {
    ...(call.redirected && { model: call.model }),
    ...(asksUsage && { includeUsage: true }),
    ...(call.outputCap !== null && { outputLimit: { tokens: call.outputCap, member: limitMember(call, traits) } }),
  };
};

/** A key may have been pasted with line breaks or characters that no header carries. */
const unsafeKey = /[^\t\x20-\x7e\x80-\xff]/;

const request = (call: RelayCall, channel: ProviderChannel, traits: OpenAiTraits): UpstreamRequest | ChannelFault => {
  const path = (traits.path ?? inboundPath)(call, channel);
  if (typeof path !== 'string') return path;
  if (channel.base === null) return { kind: 'fault', message: 'the channel has no valid base URL' };
  if (unsafeKey.test(channel.key)) {
    return { kind: 'fault', message: 'the channel has a key that cannot be sent in a header' };
  }
  const headers = [
    'content-type',
    call.contentType === '' ? 'application/json' : call.contentType,
    'accept',
    call.accept === '' ? (call.stream ? 'text/event-stream' : 'application/json') : call.accept,
    ...(traits.headers ?? bearer)(call, channel),
  ];
  return {
    origin: channel.base.origin,
    path,
    method: 'POST',
    headers,
    body: call.body(changesFor(call, channel, traits)),
  };
};

/** Chat completions go as the client wrote them. */
const chat = (traits: OpenAiTraits): Translation => ({
  request: (call, channel) => request(call, channel, traits),
  response: (body) => {
    const parsed = parseJson(body.toString());
    if (!isObject(parsed))
      return { kind: 'failure', failure: badBody('the upstream answered something that is no JSON object') };
    const failure = reportedFailure(parsed) ?? traits.failureIn?.(parsed) ?? null;
    if (failure !== null) return { kind: 'failure', failure };
    if (!Array.isArray(parsed['choices']))
      return { kind: 'failure', failure: badBody('the upstream answered without choices') };
    return {
      kind: 'answer',
      body,
      usage: traits.usageIsDummy ? null : usageOf(parsed),
      output: () => outputOf(parsed),
    };
  },
  stream: (call) => openAiStream(call, traits),
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
});

/** A provider whose wire format is OpenAI's, but for the traits. */
export const openAiCompatible = (traits: OpenAiTraits = {}): Provider => ({ native: { 'openai-chat': chat(traits) } });
