import type { BodyChanges } from '../../conversation/body-changes.ts';
import type { Reasoning } from '../../conversation/conversation.ts';
import { wantsReasoning } from '../../conversation/effort.ts';
import type { Json } from '../../conversation/json.ts';
import { joinPath } from '../base-url.ts';
import { readFailure } from '../failure.ts';
import { type ChatTraits, isReasoningModel } from './openai-chat-request.ts';
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

/** Where a vendor's API differs from OpenAI's: everything else is the same by definition of these files. */
export interface OpenAiTraits extends StreamTraits, ChatTraits {
  /** Path and query to ask on the channel's host. */
  readonly path?: (call: ProviderCall, channel: ProviderChannel) => string | ChannelFault;
  /** The address to ask, where it is not the channel's; default: the channel's. */
  readonly address?: (base: BaseUrl | null) => BaseUrl | null;
  /** The vendor's name for a model; default: its own. */
  readonly modelName?: (model: string) => string;
  /** Judges failure statuses; default: as OpenAI's. */
  readonly failure?: (status: number, body: string) => RelayFailure;
  /** The authentication header and whatever the vendor wants beside it, names and values in turn. */
  readonly headers?: (call: ProviderCall, channel: ProviderChannel) => readonly string[];
  /** Whether a stream may be asked for its usage; default: yes. */
  readonly asksStreamUsage?: (channel: ProviderChannel) => boolean;
  /** Whether the vendor takes OpenAI's responses: for certain, or perhaps; absent: it does not. */
  readonly responses?: 'taken' | 'perhaps';
  /** The calls whose model the vendor serves as a response alone, whatever they ask for; absent: none. */
  readonly responsesOnly?: (call: ProviderCall) => boolean;
  /** The name of the model in a request for a response; default: its own. */
  readonly responseModel?: (call: ProviderCall, channel: ProviderChannel) => string;
  /** The vendor holds sessions over WebSockets, on such a path; default: it does not. */
  readonly realtimePath?: NonNullable<OpenAiTraits['path']>;
  /** The vendor's surface has chat completions alone. */
  readonly chatOnly?: true;
  /** The member that bounds the output; default: by the model. */
  readonly limitMember?: 'max_tokens' | 'max_completion_tokens';
}

/** The inbound path on the channel's address, with the vendor's version instead of OpenAI's (provider notes 2.1). */
export const pathBelow =
  (version: string): NonNullable<OpenAiTraits['path']> =>
  (call, { base }) => {
    if (base === null) return { kind: 'fault', message: 'the channel has no valid base URL' };
    return joinPath(base, version, call.path.slice('/v1'.length)) + call.query;
  };

const inboundPath = pathBelow('/v1');

/** Whether to think and how long, as several vendors of OpenAI's format have it (provider notes 11.1). */
export const enableThinking = (reasoning: Reasoning): Json => {
  const on = wantsReasoning(reasoning);
  return { enable_thinking: on, ...(on && reasoning.budget !== null && { thinking_budget: reasoning.budget }) };
};

/** The key as OpenAI takes it, names and values in turn. */
export const bearer = (_: ProviderCall, channel: ProviderChannel): readonly string[] => [
  'authorization',
  `Bearer ${channel.key}`,
];

/** What names the model in a body where it is not the client's own. */
export const renamed = (call: ProviderCall, { modelName }: OpenAiTraits): BodyChanges => {
  const model = modelName?.(call.model) ?? call.model;
  return call.redirected || model !== call.model ? { model } : {};
};

export const limitMember = ({ model }: ProviderCall, traits: OpenAiTraits) =>
  traits.limitMember ?? (isReasoningModel(model) ? 'max_completion_tokens' : 'max_tokens');

/** A stream whose client did not ask for usage is asked for it all the same, where the vendor lets it. */
export const asksUsage = (call: ProviderCall, channel: ProviderChannel, traits: OpenAiTraits): boolean =>
  call.stream && (traits.asksStreamUsage?.(channel) ?? true);

/** The channel at the address that is asked. */
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
