import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import { calledTools } from '../../conversation/called-tools.ts';
import type { AssistantPart, Conversation, Turn, UserPart } from '../../conversation/conversation.ts';
import { isObject, type Json, objectAt, parseJson, textAt } from '../../conversation/json.ts';
import { joinTexts } from '../../conversation/text.ts';
import type { Usage } from '../../conversation/usage.ts';
import { baiduEmbedder } from './baidu-embedder.ts';
import { baiduFailure } from './baidu-failure.ts';
import { baiduEndpoint } from './baidu-models.ts';
import { readAccessToken } from '../access-token.ts';
import { bounded, type ChatBounds } from '../chat-bounds.ts';
import { badBody, readFailure, refusal } from '../failure.ts';
import { jsonBody, jsonEvents, type JsonEvents } from '../json-events.ts';
import type {
  ChannelFault,
  Codec,
  CredentialExchange,
  Provider,
  ProviderChannel,
  ReadStep,
  Refusal,
  ProviderCall,
  UpstreamRequest,
} from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

/** An access token is valid for 30 days; it is renewed an hour early. */
const readToken = readAccessToken(3_600_000);

const credential = (channel: ProviderChannel): CredentialExchange | ChannelFault => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  const [id = '', secret = '', ...more] = usable.key.split('|');
  if (id === '' || secret === '' || more.length > 0)
    return { kind: 'fault', message: 'the key of this channel must be APIKey|SecretKey' };
  const query = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const { origin } = usable.base;
  const path = `${usable.base.path}/oauth/2.0/token?${query.toString()}`;
  const headers = ['content-type', 'application/json', 'accept', 'application/json'];
  return {
    name: origin + path,
    request: () => ({ origin, path, method: 'POST', headers, body: Buffer.alloc(0) }),
    read: readToken,
  };
};

interface Message {
  readonly role: 'user' | 'assistant' | 'function';
  readonly members: Json;
}

const onlyText = (parts: readonly UserPart[]): string | null =>
  parts.every(({ kind }) => kind === 'text') ? joinTexts(parts, '\n') : null;

const assistantMessage = (parts: readonly AssistantPart[]): Message => {
  const [call] = parts.filter((part) => part.kind === 'tool_call');
  const content = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const called = call === undefined ? {} : { function_call: { name: call.name, arguments: call.arguments } };
  return { role: 'assistant', members: { content, ...called } };
};

const messageOf = (turn: Turn, names: ReadonlyMap<string, string>): Message | null => {
  if (turn.role === 'assistant') return assistantMessage(turn.parts);
  const content = onlyText(turn.parts);
  if (content === null) return null;
  if (turn.role !== 'tool') return { role: 'user', members: { content } };
  const name = turn.name === '' ? (names.get(turn.callId) ?? turn.callId) : turn.name;
  return { role: 'function', members: { name, content } };
};

const textOf = ({ members }: Message): string => textAt(members, 'content');

/** One message of two. Of parallel calls the vendor knows the first alone: the results of the others follow its own. */
const joined = (last: Message, message: Message): Message => {
  const content = `${textOf(last)}\n${textOf(message)}`;
  const members = last.role === 'function' ? last.members : { ...last.members, ...message.members };
  return { role: last.role, members: { ...members, content } };
};

/** Roles must alternate, and function results take the user's turn. */
const alternating = (messages: readonly Message[]): readonly Json[] => {
  const whole: Message[] = [];
  for (const message of messages) {
    const last = whole.at(-1);
    if (last?.role !== message.role) whole.push(message);
    else whole[whole.length - 1] = joined(last, message);
  }
  return whole.map(({ role, members }) => ({ role, ...members }));
};

const penalty = ({ frequencyPenalty, presencePenalty }: Conversation): number | null => {
  const most = Math.max(frequencyPenalty ?? 0, presencePenalty ?? 0);
  return most > 0 ? Math.min(2, 1 + most / 2) : null;
};

const outputMin = 2;

const bodyOf = (conversation: Conversation, messages: readonly Message[], stream: boolean): Json => {
  const { system, tools, toolChoice, temperature, topP, stop, outputLimit, answerFormat, user } = conversation;
  const text = joinTexts(system, '\n\n');
  const penalised = penalty(conversation);
  return {
    messages: alternating(messages),
    stream,
    ...(text !== '' && { system: text }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(penalised !== null && { penalty_score: penalised }),
    ...(stop.length > 0 && { stop }),
    ...(outputLimit !== null && { max_output_tokens: Math.max(outputMin, outputLimit) }),
    ...(answerFormat.kind !== 'text' && { response_format: 'json_object' }),
    ...(tools.length > 0 && {
      functions: tools.map(({ name, description, parameters }) => ({
        name,
        // The vendor requires this member for every function.
        description: description || name,
        parameters: parameters ?? { type: 'object', properties: {} },
      })),
    }),
    ...(toolChoice?.kind === 'tool' && { tool_choice: { type: 'function', function: { name: toolChoice.name } } }),
    ...(user !== null && { user_id: user }),
  };
};

const post = (
  call: ProviderCall,
  channel: ProviderChannel,
  path: string,
  body: object,
): UpstreamRequest | ChannelFault => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  const query = new URLSearchParams({ access_token: call.credential });
  return {
    origin: usable.base.origin,
    path: `${usable.base.path}/rpc/2.0/ai_custom/v1/wenxinworkshop/${path}?${query.toString()}`,
    method: 'POST',
    headers: ['content-type', 'application/json'],
    body: Buffer.from(JSON.stringify(body)),
  };
};

const bounds: ChatBounds = {
  temperature: [0.01, 1],
  topP: [0, 1],
  stopMax: 4,
  toolChoices: ['tool'],
  format: 'json',
  systemFirst: true,
  modelAnswers: true,
};

const request = (
  whole: Conversation,
  call: ProviderCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal => {
  const conversation = bounded(whole, bounds);
  const names = calledTools(conversation.turns);
  const messages: Message[] = [];
  for (const turn of conversation.turns) {
    const message = messageOf(turn, names);
    if (message === null) return refusal('this channel takes text only');
    messages.push(message);
  }
  const endpoint = encodeURIComponent(baiduEndpoint(call.model));
  return post(call, channel, `chat/${endpoint}`, bodyOf(conversation, messages, call.stream));
};

const usageIn = (body: Json): Usage | null => {
  const usage = body['usage'];
  if (!isObject(usage)) return null;
  return { prompt: usage['prompt_tokens'], completion: usage['completion_tokens'], total: usage['total_tokens'] };
};

const finishOf = (body: Json): Finish => {
  const reason = textAt(body, 'finish_reason');
  if (isObject(body['function_call']) || reason === 'function_call') return 'tool_calls';
  if (body['need_clear_history'] === true || reason === 'content_filter') return 'content_filter';
  return body['is_truncated'] === true || reason === 'length' ? 'length' : 'stop';
};

const calledIn = (body: Json, requestId: string) => {
  const called = objectAt(body, 'function_call');
  const name = textAt(called, 'name');
  return name === '' ? null : { id: `call_${requestId}_0`, name, arguments: textAt(called, 'arguments') };
};

const answer = (body: Buffer, { requestId }: ProviderCall): Answer | Refusal => {
  const read = jsonBody(body, baiduFailure);
  if (read.kind === 'refusal') return read;
  const { members } = read;
  if (typeof members['result'] !== 'string')
    return { kind: 'refusal', failure: badBody('the upstream response has no result') };
  const text = members['result'];
  const call = calledIn(members, requestId);
  return {
    id: textAt(members, 'id'),
    parts: [
      ...(text === '' ? [] : [{ kind: 'text', text } as const]),
      ...(call === null ? [] : [{ kind: 'tool_call', ...call } as const]),
    ],
    finish: finishOf(members),
    usage: usageIn(members),
  };
};

/** Stateful: one answer, from its first event to the one marked as last. */
class SentenceReader implements JsonEvents {
  readonly failureIn = baiduFailure;
  private started = false;
  private readonly requestId: string;

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  finished(): boolean {
    return false;
  }

  read(event: Json): ReadStep {
    const events: StreamEvent[] = this.started ? [] : [{ kind: 'start', id: textAt(event, 'id') }];
    this.started = true;
    const text = textAt(event, 'result');
    if (text !== '') events.push({ kind: 'text', text });
    const call = calledIn(event, this.requestId);
    if (call !== null) {
      events.push({ kind: 'tool_start', index: 0, id: call.id, name: call.name });
      events.push({ kind: 'tool_arguments', index: 0, text: call.arguments });
    }
    const usage = usageIn(event);
    if (usage !== null) events.push({ kind: 'usage', usage });
    if (event['is_end'] !== true) return { events };
    return { events: [...events, { kind: 'finish', finish: finishOf(event) }], done: true };
  }
}

const codec: Codec = {
  prerequisites: { credential },
  request,
  answer,
  events: ({ requestId }) => jsonEvents(new SentenceReader(requestId)),
  failure: (status, body) => {
    const text = body.toString('utf8', 0, 16_384);
    const parsed = parseJson(text);
    const failure = (isObject(parsed) ? baiduFailure(parsed) : null) ?? readFailure(status, text);
    // The vendor has announced the end of this API; its successor requires another kind of key.
    if (status !== 404 && status !== 410) return failure;
    const message = 'the provider has retired this API: use a key of its V2 API (bce-v3/…) for the channel';
    return { ...failure, error: { ...failure.error, message, code: 'upstream_retired' } };
  },
};

/** Baidu Wenxin's older API. Source: cloud.baidu.com, Wenxin workshop API reference. */
export const baidu: Provider = { native: {}, codec, embedder: baiduEmbedder(codec, post) };
