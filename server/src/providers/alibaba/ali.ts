import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { isObject, type Json, numberAt, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { isMoreThanText } from '../../conversation/text.ts';
import type { Usage } from '../../conversation/usage.ts';
import { aliModels } from './ali-compatible.ts';
import { aliEmbedder, aliRerank, readAliFailure } from './ali-endpoints.ts';
import { aliFailure } from './ali-failure.ts';
import { aliBody, aliModel, isMultimodal } from './ali-request.ts';
import { badBody, refusal } from '../failure.ts';
import { jsonBody, jsonEvents, type JsonEvents } from '../json-events.ts';
import type {
  ChannelFault,
  Choices,
  Codec,
  Provider,
  ProviderChannel,
  ReadStep,
  Refusal,
  ProviderCall,
  UpstreamRequest,
} from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

const textPath = '/api/v1/services/aigc/text-generation/generation';
const multimodalPath = '/api/v1/services/aigc/multimodal-generation/generation';

const request = (
  conversation: Conversation,
  call: ProviderCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  const { base, key, other } = usable;
  const multimodal = isMultimodal(aliModel(call.model));
  if (!multimodal && conversation.turns.some(isMoreThanText)) return refusal('this model takes text only');
  return {
    origin: base.origin,
    path: base.path + (multimodal ? multimodalPath : textPath),
    method: 'POST',
    headers: [
      'content-type',
      'application/json',
      'authorization',
      `Bearer ${key}`,
      ...(call.stream ? ['x-dashscope-sse', 'enable', 'accept', 'text/event-stream'] : []),
      ...(other === '' ? [] : ['x-dashscope-plugin', other]),
    ],
    body: Buffer.from(JSON.stringify(aliBody(conversation, call))),
  };
};

const usageIn = (body: Json): Usage | null => {
  const usage = body['usage'];
  if (!isObject(usage)) return null;
  const input = objectAt(usage, 'input_tokens_details');
  const prompt = objectAt(usage, 'prompt_tokens_details');
  const output = objectAt(usage, 'output_tokens_details');
  return {
    prompt: usage['input_tokens'],
    completion: usage['output_tokens'],
    total: usage['total_tokens'],
    parts: {
      cacheRead: prompt['cached_tokens'] ?? input['cached_tokens'],
      cacheWrite: prompt['cache_creation_input_tokens'],
      imagePrompt: input['image_tokens'] ?? usage['image_tokens'],
      reasoning: output['reasoning_tokens'],
    },
  };
};

/** A text, or the list of texts that multimodal models answer. */
const contentOf = (message: Json): string => {
  const { content } = message;
  if (typeof content === 'string') return content;
  return objectsAt(message, 'content')
    .map((part) => textAt(part, 'text'))
    .join('');
};

interface Choice {
  readonly message: Json;
  /** Empty until the answer ends. */
  readonly reason: string;
}

/** The answer as a message; older models return a plain text. */
const choiceIn = (body: Json): Choice | null => {
  const output = objectAt(body, 'output');
  const [choice] = objectsAt(output, 'choices');
  const reasonOf = (reason: string) => (reason === 'null' ? '' : reason);
  if (choice !== undefined)
    return { message: objectAt(choice, 'message'), reason: reasonOf(textAt(choice, 'finish_reason')) };
  if (typeof output['text'] !== 'string') return null;
  return { message: { content: output['text'] }, reason: reasonOf(textAt(output, 'finish_reason')) };
};

const finishOf = (reason: string, called: boolean): Finish => {
  if (reason === 'length') return 'length';
  return called || reason === 'tool_calls' ? 'tool_calls' : 'stop';
};

const answer = (body: Buffer, { requestId }: ProviderCall): Answer | Refusal => {
  const read = jsonBody(body, aliFailure);
  if (read.kind === 'refusal') return read;
  const choice = choiceIn(read.members);
  if (choice === null) return { kind: 'refusal', failure: badBody('the upstream response has no output') };
  const { message, reason } = choice;
  const calls = objectsAt(message, 'tool_calls').map((call, index) => {
    const called = objectAt(call, 'function');
    const id = textAt(call, 'id') || `call_${requestId}_${index}`;
    return { kind: 'tool_call', id, name: textAt(called, 'name'), arguments: textAt(called, 'arguments') } as const;
  });
  const reasoning = textAt(message, 'reasoning_content');
  const text = contentOf(message);
  return {
    id: textAt(read.members, 'request_id'),
    parts: [
      ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning, signature: '' } as const]),
      ...(text === '' ? [] : [{ kind: 'text', text } as const]),
      ...calls,
    ],
    finish: finishOf(reason, calls.length > 0),
    usage: usageIn(read.members),
  };
};

/** Stateful: one stream of pieces. It ends when the connection closes after a finish reason. */
class PieceReader implements JsonEvents {
  readonly failureIn = aliFailure;
  private started = false;
  private isFinished = false;
  private readonly calls = new Map<unknown, number>();
  private readonly requestId: string;

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  finished(): boolean {
    return this.isFinished;
  }

  read(body: Json): ReadStep {
    const events: StreamEvent[] = this.started ? [] : [{ kind: 'start', id: textAt(body, 'request_id') }];
    this.started = true;
    const choice = choiceIn(body);
    if (choice !== null) this.readMessage(choice.message, events);
    const usage = usageIn(body);
    if (usage !== null) events.push({ kind: 'usage', usage });
    const reason = choice?.reason ?? '';
    if (reason === '' || this.isFinished) return { events };
    this.isFinished = true;
    return { events: [...events, { kind: 'finish', finish: finishOf(reason, this.calls.size > 0) }] };
  }

  private readMessage(message: Json, events: StreamEvent[]): void {
    const reasoning = textAt(message, 'reasoning_content');
    if (reasoning !== '') events.push({ kind: 'reasoning', text: reasoning });
    const text = contentOf(message);
    if (text !== '') events.push({ kind: 'text', text });
    for (const call of objectsAt(message, 'tool_calls')) this.readCall(call, events);
  }

  /** Later pieces of a tool call have its index and an empty id. */
  private readCall(call: Json, events: StreamEvent[]): void {
    const called = objectAt(call, 'function');
    const key = call['index'] ?? 0;
    let index = this.calls.get(key);
    if (index === undefined) {
      index = this.calls.size;
      this.calls.set(key, index);
      const id = textAt(call, 'id') || `call_${this.requestId}_${index}`;
      events.push({ kind: 'tool_start', index, id, name: textAt(called, 'name') });
    }
    const text = textAt(called, 'arguments');
    if (text !== '') events.push({ kind: 'tool_arguments', index, text });
  }
}

/** Source: `n` of the DashScope API reference. */
const choicesMax = 4;

/** Pieces name their choice; whole answers list them in order. */
const onlyChoice: Choices['only'] = (body, index) => {
  const output = objectAt(body, 'output');
  const all = objectsAt(output, 'choices');
  const own = all.filter((choice, at) => (numberAt(choice, 'index') ?? at) === index);
  if (index === 0) return all.length === 0 ? body : { ...body, output: { ...output, choices: own } };
  const { usage: _, ...others } = body;
  return own.length === 0 ? null : { ...others, output: { ...output, choices: own } };
};

const codec: Codec = {
  choices: { max: choicesMax, only: onlyChoice },
  request,
  answer,
  events: ({ requestId }) => jsonEvents(new PieceReader(requestId)),
  failure: readAliFailure,
};

/** Alibaba's DashScope in its own format. Source: Model Studio, DashScope API reference. */
export const ali: Provider = { native: { rerank: aliRerank }, codec, embedder: aliEmbedder, models: aliModels };
