import type { Answer, Finish } from '../../conversation/answer.ts';
import { type Conversation, forcesTool, type Turn } from '../../conversation/conversation.ts';
import { type Json, objectsAt, textAt } from '../../conversation/json.ts';
import { joinTexts } from '../../conversation/text.ts';
import { bounded, type ChatBounds } from '../chat-bounds.ts';
import { badBody, refusal } from '../failure.ts';
import { geminiFailure, reportedGeminiFailure } from './gemini-failure.ts';
import { geminiCodec } from './gemini.ts';
import { jsonBody, jsonEvents } from '../json-events.ts';
import type {
  ChannelFault,
  Codec,
  Provider,
  ProviderChannel,
  Refusal,
  ProviderCall,
  UpstreamRequest,
} from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

/** Authors are numbers: 0 is the user, 1 the model. */
const messageOf = (turn: Turn): Json | null => {
  if (turn.parts.some(({ kind }) => kind !== 'text' && kind !== 'reasoning')) return null;
  return { author: turn.role === 'assistant' ? '1' : '0', content: joinTexts(turn.parts, '\n') };
};

const bounds: ChatBounds = { temperature: [0, 1], topP: [0, 1], format: 'text', systemFirst: true };

const request = (
  whole: Conversation,
  call: ProviderCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  if (forcesTool(whole.toolChoice)) return refusal('this channel has no tools', 'tool_choice');
  const { system, turns, temperature, topP, topK } = bounded(whole, bounds);
  const messages = turns.map(messageOf);
  if (messages.includes(null)) return refusal('this channel takes text only');
  const context = joinTexts(system, '\n\n');
  const model = call.model === 'PaLM-2' ? 'chat-bison-001' : call.model;
  const body = {
    prompt: { ...(context !== '' && { context }), messages },
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(topK !== null && { topK }),
  };
  return {
    origin: usable.base.origin,
    path: `${usable.base.path}/v1beta2/models/${encodeURIComponent(model)}:generateMessage`,
    method: 'POST',
    headers: ['content-type', 'application/json', 'x-goog-api-key', usable.key],
    body: Buffer.from(JSON.stringify(body)),
  };
};

interface Completion {
  readonly text: string;
  readonly finish: Finish;
}

const completionIn = (body: Json): Completion | null => {
  const [candidate] = objectsAt(body, 'candidates');
  if (candidate !== undefined) return { text: textAt(candidate, 'content'), finish: 'stop' };
  return objectsAt(body, 'filters').length > 0 ? { text: '', finish: 'content_filter' } : null;
};

const answer = (body: Buffer): Answer | Refusal => {
  const read = jsonBody(body, reportedGeminiFailure);
  if (read.kind === 'refusal') return read;
  const completion = completionIn(read.members);
  if (completion === null) return { kind: 'refusal', failure: badBody('the upstream response has no candidates') };
  return { id: '', parts: [{ kind: 'text', text: completion.text }], finish: completion.finish, usage: null };
};

/** This API does not stream: the client's dialect writes the whole answer as a stream. */
const events: Codec['events'] = () =>
  jsonEvents({
    failureIn: reportedGeminiFailure,
    read: () => ({ events: [], failure: badBody('the upstream sent an unexpected stream') }),
    finished: () => false,
  });

const failure: Codec['failure'] = (status, body) => {
  const judged = geminiFailure(status, body);
  if (judged.status !== 404) return judged;
  const message = `${judged.error.message} (PaLM 2 is retired: use a channel of type 24)`;
  return { ...judged, error: { ...judged.error, message, code: 'model_retired' } };
};

const older: Codec = { request, answer, events, failure };

const codecFor = ({ model }: ProviderCall): Codec => (/^(?:gemini|gemma)/.test(model) ? geminiCodec : older);

/** Google PaLM 2, retired by the vendor: the protocol is still spoken by private mirrors, and a key also works for Gemini. */
export const palm: Provider = {
  native: {},
  codec: {
    ...(geminiCodec.prerequisites && { prerequisites: geminiCodec.prerequisites }),
    request: (conversation, call, channel) => codecFor(call).request(conversation, call, channel),
    answer: (body, call) => codecFor(call).answer(body, call),
    events: (call) => codecFor(call).events(call),
    failure,
  },
};
