import type { BodyChanges } from '../../conversation/body-changes.ts';
import type { Reasoning } from '../../conversation/conversation.ts';
import { wantsReasoning } from '../../conversation/reasoning-effort.ts';
import type { Json } from '../../conversation/json.ts';
import { joinPath } from '../base-url.ts';
import { readFailure } from '../failure.ts';
import { type ChatTraits, isReasoningModel } from './openai-chat-request.ts';
import type { OpenAiList } from './openai-models.ts';
import type { StreamTraits } from './openai-stream.ts';
import type {
  BaseUrl,
  ChannelFault,
  ProviderChannel,
  ProviderCall,
  RelayFailure,
  UpstreamRequest,
} from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

/** Where a vendor's API differs from OpenAI's. Everything else is the same. */
export interface OpenAiTraits extends StreamTraits, ChatTraits {
  /** Path and query on the channel's host. */
  readonly path?: (call: ProviderCall, channel: ProviderChannel) => string | ChannelFault;
  /** The base URL to use; default: the channel's. */
  readonly address?: (base: BaseUrl | null) => BaseUrl | null;
  /** The vendor's name for a model; default: unchanged. */
  readonly modelName?: (model: string) => string;
  /** Classifies failure statuses; default: as OpenAI's. */
  readonly failure?: (status: number, body: string) => RelayFailure;
  /** The authentication header and any others that the vendor requires: alternating names and values. */
  readonly headers?: (call: ProviderCall, channel: ProviderChannel) => readonly string[];
  /** Whether streams are requested with their usage; default: yes. */
  readonly requestsStreamUsage?: (channel: ProviderChannel) => boolean;
  /** Whether the vendor has OpenAI's responses API: always, or only some of its servers; absent: never. */
  readonly responses?: 'always' | 'sometimes';
  /** The calls whose model is served by the responses API only; absent: none. */
  readonly responsesOnly?: (call: ProviderCall) => boolean;
  /** The name of the model in a responses request; default: unchanged. */
  readonly responseModel?: (call: ProviderCall, channel: ProviderChannel) => string;
  /** The path of realtime sessions; absent: the vendor has none. */
  readonly realtimePath?: NonNullable<OpenAiTraits['path']>;
  /** The vendor has chat completions only. */
  readonly chatOnly?: true;
  /** Changes a client's chat completion request where the vendor refuses it, beyond `bounds`. */
  readonly native?: (body: Json, call: ProviderCall, channel: ProviderChannel) => Json;
  /** Whether a body may have what `native` changes, so that others are not read; absent: any may. */
  readonly needsNative?: (bytes: Buffer, call: ProviderCall, channel: ProviderChannel) => boolean;
  /** The models that refuse an `n` above 1; absent: none. */
  readonly oneAnswer?: (model: string) => boolean;
  /** The vendor's list of its models; false: it has none; absent: as OpenAI's. */
  readonly models?: OpenAiList | false;
  /** The member for the output limit; default: by the model. */
  readonly limitMember?: 'max_tokens' | 'max_completion_tokens';
}

/** The inbound path below the channel's base URL, with the vendor's version instead of OpenAI's (provider notes 2.1). */
export const pathBelow =
  (version: string): NonNullable<OpenAiTraits['path']> =>
  (call, { base }) => {
    if (base === null) return { kind: 'fault', message: 'the channel has an invalid base URL' };
    return joinPath(base, version, call.path.slice('/v1'.length)) + call.query;
  };

const inboundPath = pathBelow('/v1');

/** Whether to reason and how much, in the form of several vendors of OpenAI's format (provider notes 11.1). */
export const enableThinking = (reasoning: Reasoning): Json => {
  const on = wantsReasoning(reasoning);
  return { enable_thinking: on, ...(on && reasoning.budget !== null && { thinking_budget: reasoning.budget }) };
};

/** OpenAI's authentication header: alternating names and values. */
export const bearer = (_: ProviderCall, channel: ProviderChannel): readonly string[] => [
  'authorization',
  `Bearer ${channel.key}`,
];

/** The change of the model in a body, if it differs from the client's. */
export const renamed = (call: ProviderCall, { modelName }: OpenAiTraits): BodyChanges => {
  const model = modelName?.(call.model) ?? call.model;
  return call.redirected || model !== call.model ? { model } : {};
};

export const limitMember = ({ model }: ProviderCall, traits: OpenAiTraits) =>
  traits.limitMember ?? (isReasoningModel(model) ? 'max_completion_tokens' : 'max_tokens');

/** Whether to request the usage of a stream, even if the client did not. */
export const requestsUsage = (call: ProviderCall, channel: ProviderChannel, traits: OpenAiTraits): boolean =>
  call.stream && (traits.requestsStreamUsage?.(channel) ?? true);

/** The channel with the base URL to use. */
const addressed = (channel: ProviderChannel, { address }: OpenAiTraits): ProviderChannel =>
  address === undefined ? channel : { base: address(channel.base), key: channel.key, other: channel.other };

const failureMax = 16_384;

/** A body of a failure status. */
export const openAiFailure = (status: number, body: Buffer, traits: OpenAiTraits): RelayFailure =>
  (traits.failure ?? readFailure)(status, body.toString('utf8', 0, failureMax));

/** A request to a vendor of OpenAI's format; `body` is built only when the channel is complete. */
export const openAiRequest = (
  call: ProviderCall,
  channel: ProviderChannel,
  traits: OpenAiTraits,
  body: () => Buffer,
): UpstreamRequest | ChannelFault => {
  const usable = usableChannel(addressed(channel, traits));
  if (usable.kind === 'fault') return usable;
  const path = (traits.path ?? inboundPath)(call, usable);
  if (typeof path !== 'string') return path;
  const headers = [
    'content-type',
    call.contentType === '' ? 'application/json' : call.contentType,
    'accept',
    call.accept === '' ? (call.stream ? 'text/event-stream' : 'application/json') : call.accept,
    ...(traits.headers ?? bearer)(call, usable),
  ];
  return { origin: usable.base.origin, path, method: 'POST', headers, body: body() };
};
