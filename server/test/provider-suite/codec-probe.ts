import type { StreamEvent } from '../../src/conversation/answer.ts';
import type { Conversation } from '../../src/conversation/conversation.ts';
import { isObject, parseJson } from '../../src/conversation/json.ts';
import { parseBaseUrl } from '../../src/providers/base-url.ts';
import type { Codec, Provider, ProviderChannel } from '../../src/providers/provider.ts';
import { plainConversation } from './conversation.ts';
import { providerCall } from './provider-call.ts';

export const codecOf = ({ codec }: Provider): Codec => {
  if (codec === undefined) throw new Error('this provider holds no conversations');
  return codec;
};

export const call = (model = 'm', stream = false) =>
  providerCall({ requestId: 'r', model, stream, credential: 'a-token', conversation: () => plainConversation });

export const channel = (key: string, other = '', base = 'http://127.0.0.1:9'): ProviderChannel => ({
  base: parseBaseUrl(base),
  key,
  other,
});

export interface ProbeInput {
  readonly conversation?: Partial<Conversation>;
  readonly model?: string;
  readonly stream?: boolean;
  readonly channel: ProviderChannel;
}

export const ask = (provider: Provider, { conversation = {}, model = 'm', stream = false, channel: at }: ProbeInput) =>
  codecOf(provider).request({ ...plainConversation, ...conversation }, call(model, stream), at);

export const sentRequest = (provider: Provider, chat: ProbeInput) => {
  const request = ask(provider, chat);
  if ('kind' in request) throw new Error(`no request: ${JSON.stringify(request)}`);
  const body = parseJson(request.body.toString());
  if (!isObject(body)) throw new Error('the body must be a JSON object');
  return { ...request, body };
};

/** The events of a stream, and whether it is complete. */
export const readEvents = (provider: Provider, data: readonly string[]) => {
  const reader = codecOf(provider).events(call('m', true));
  const steps = data.map((text) => reader.event(text, Buffer.from(text)));
  return {
    events: steps.flatMap((step): readonly StreamEvent[] => step.events),
    complete: steps.some(({ done }) => done) || reader.finished(),
    failure: steps.find(({ failure }) => failure)?.failure,
  };
};

/** A history with a tool call and its result. */
export const turns: Conversation['turns'] = [
  { role: 'user', parts: [{ kind: 'text', text: 'One' }] },
  { role: 'user', parts: [{ kind: 'text', text: 'Two' }] },
  {
    role: 'assistant',
    parts: [{ kind: 'tool_call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' }],
  },
  { role: 'tool', callId: 'call_1', name: '', parts: [{ kind: 'text', text: '18C' }], isError: false },
];
export const parameters = { type: 'object', properties: { city: { type: 'string' } } };
export const tools = [{ name: 'get_weather', description: 'Weather', parameters, strict: null }];
export const system = [{ kind: 'text', text: 'Be brief.' }] as const;
export const image = {
  kind: 'image',
  source: { kind: 'url', url: 'https://example.org/a.png' },
  detail: null,
} as const;

export const contentEvent = (kind: 'text' | 'reasoning', text: string): StreamEvent => ({ kind, text });
export const toolCallEvents = (id: string): readonly StreamEvent[] => [
  { kind: 'tool_start', index: 0, id, name: 'get_weather' },
  { kind: 'tool_arguments', index: 0, text: '{"city":"Paris"}' },
];
export const withoutUsage = (events: readonly StreamEvent[]) => events.filter(({ kind }) => kind !== 'usage');
export const lastUsage = (events: readonly StreamEvent[]) => events.findLast((event) => event.kind === 'usage')?.usage;
