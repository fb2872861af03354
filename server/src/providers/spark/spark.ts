import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import type { AssistantPart, Conversation, Turn } from '../../conversation/conversation.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { joinTexts } from '../../conversation/text.ts';
import { countOf, type Usage } from '../../conversation/usage.ts';
import { parseBaseUrl } from '../base-url.ts';
import { bounded, type ChatBounds } from '../chat-bounds.ts';
import { collectedAnswer } from '../collected-answer.ts';
import { badBody, readFailure, refusal } from '../failure.ts';
import { jsonEvents, type JsonEvents } from '../json-events.ts';
import type {
  ChannelFault,
  Codec,
  EventReader,
  Provider,
  ProviderChannel,
  ReadStep,
  Refusal,
  ProviderCall,
  UpstreamRequest,
} from '../provider.ts';
import { sparkFailure } from './spark-failure.ts';
import { type SparkModel, sparkModel } from './spark-models.ts';
import { signSpark } from './spark-signature.ts';
import { usableChannel } from '../usable-channel.ts';

interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Earlier tool calls become assistant text: this API takes none back. */
const assistantText = (parts: readonly AssistantPart[]): string =>
  parts
    .map((part) => {
      if (part.kind === 'tool_call') return JSON.stringify({ name: part.name, arguments: parseExact(part.arguments) });
      return part.kind === 'text' ? part.text : '';
    })
    .join('');

const messageOf = (turn: Turn): Message | null => {
  if (turn.role === 'assistant') return { role: 'assistant', content: assistantText(turn.parts) };
  if (turn.parts.some(({ kind }) => kind !== 'text')) return null;
  const text = joinTexts(turn.parts, '\n');
  return { role: 'user', content: turn.role === 'tool' ? `Result of the function call: ${text}` : text };
};

const withSystem = (system: string, messages: readonly Message[], takesSystem: boolean): readonly Message[] => {
  if (system === '') return messages;
  if (takesSystem) return [{ role: 'system', content: system }, ...messages];
  const [first, ...rest] = messages;
  if (first?.role !== 'user') return [{ role: 'user', content: system }, ...messages];
  return [{ role: 'user', content: `${system}\n\n${first.content}` }, ...rest];
};

/** The conversation in the format of this version. */
const fitted = (conversation: Conversation, { domain, takesTools }: SparkModel): Conversation => {
  const bounds: ChatBounds = {
    temperature: [0.01, domain === 'x1' ? 2 : 1],
    toolChoices: [],
    format: 'text',
    systemFirst: true,
  };
  return bounded(takesTools ? conversation : { ...conversation, tools: [] }, bounds);
};

const frame = (
  conversation: Conversation,
  messages: readonly Message[],
  { domain, takesTools }: SparkModel,
  appId: string,
) => {
  const { temperature, topK, outputLimit, tools, system } = conversation;
  return {
    header: { app_id: appId },
    parameter: {
      chat: {
        domain,
        ...(temperature !== null && { temperature }),
        ...(topK !== null && { top_k: Math.min(6, Math.max(1, topK)) }),
        ...(outputLimit !== null && { max_tokens: outputLimit }),
      },
    },
    payload: {
      message: { text: withSystem(joinTexts(system, '\n\n'), messages, takesTools) },
      ...(tools.length > 0 && {
        functions: {
          text: tools.map(({ name, description, parameters }) => ({
            name,
            description,
            parameters: parameters ?? { type: 'object', properties: {} },
          })),
        },
      }),
    },
  };
};

const address = parseBaseUrl('https://spark-api.xf-yun.com');

/** Base URLs are http(s); the WebSocket has the same host. */
const socketOrigin = (origin: string): string => origin.replace(/^http/, 'ws');

const request = (
  whole: Conversation,
  call: ProviderCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal => {
  const usable = usableChannel({ base: channel.base ?? address, key: channel.key, other: channel.other });
  if (usable.kind === 'fault') return usable;
  const [appId = '', apiSecret = '', apiKey = '', ...more] = usable.key.split('|');
  if (appId === '' || apiSecret === '' || apiKey === '' || more.length > 0)
    return { kind: 'fault', message: 'the key of this channel must be APPID|APISecret|APIKey' };
  const model = sparkModel(call.model, usable.other);
  if (model === null) return { kind: 'fault', message: `unknown model version of the channel: ${usable.other}` };
  const conversation = fitted(whole, model);
  const messages = conversation.turns.map(messageOf);
  if (messages.includes(null)) return refusal('this channel takes text only');
  const origin = socketOrigin(usable.base.origin);
  const signed = signSpark({ apiKey, apiSecret, origin, path: usable.base.path + model.path, now: call.now });
  const turns = messages.filter((turn) => turn !== null);
  return {
    origin,
    path: signed.slice(origin.length),
    method: 'GET',
    headers: [],
    body: Buffer.from(JSON.stringify(frame(conversation, turns, model, appId))),
  };
};

const usageIn = (body: Json): Usage | null => {
  const usage = objectAt(objectAt(body, 'payload'), 'usage')['text'];
  if (!isObject(usage)) return null;
  return { prompt: usage['prompt_tokens'], completion: usage['completion_tokens'], total: usage['total_tokens'] };
};

/** The vendor does not report that an answer ended at its limit. */
const finishOf = (called: boolean, usage: Usage | null, limit: number | null): Finish => {
  if (called) return 'tool_calls';
  return limit !== null && usage !== null && countOf(usage.completion) >= limit ? 'length' : 'stop';
};

/** Stateful: one answer, from its first frame to its last. */
class FrameReader implements JsonEvents {
  readonly failureIn = sparkFailure;
  private started = false;
  private calls = 0;
  private usage: Usage | null = null;
  private readonly call: ProviderCall;

  constructor(call: ProviderCall) {
    this.call = call;
  }

  finished(): boolean {
    return false;
  }

  read(body: Json): ReadStep {
    const events: StreamEvent[] = this.started ? [] : [{ kind: 'start', id: textAt(objectAt(body, 'header'), 'sid') }];
    this.started = true;
    const choices = objectAt(objectAt(body, 'payload'), 'choices');
    for (const text of objectsAt(choices, 'text')) this.readText(text, events);
    const usage = usageIn(body);
    if (usage !== null) {
      this.usage = usage;
      events.push({ kind: 'usage', usage });
    }
    if (choices['status'] !== 2) return { events };
    const conversation = this.call.conversation();
    const limit = 'kind' in conversation ? null : conversation.outputLimit;
    return { events: [...events, { kind: 'finish', finish: finishOf(this.calls > 0, this.usage, limit) }], done: true };
  }

  private readText(text: Json, events: StreamEvent[]): void {
    const reasoning = textAt(text, 'reasoning_content');
    if (reasoning !== '') events.push({ kind: 'reasoning', text: reasoning });
    const content = textAt(text, 'content');
    if (content !== '') events.push({ kind: 'text', text: content });
    const called = objectAt(text, 'function_call');
    const name = textAt(called, 'name');
    if (name === '') return;
    const index = this.calls;
    this.calls += 1;
    events.push({ kind: 'tool_start', index, id: `call_${this.call.requestId}_${index}`, name });
    events.push({ kind: 'tool_arguments', index, text: textAt(called, 'arguments') });
  }
}

const events = (call: ProviderCall): EventReader => jsonEvents(new FrameReader(call));

/** Answers are always frames: a whole answer is all of them. */
const answer = (body: Buffer, call: ProviderCall): Answer | Refusal => {
  const reader = events(call);
  const collected: StreamEvent[] = [];
  let done = false;
  for (const line of body.toString().split('\n')) {
    const step = reader.event(line, Buffer.alloc(0));
    if (step.failure !== undefined) return { kind: 'refusal', failure: step.failure };
    collected.push(...step.events);
    done ||= step.done === true;
  }
  if (!done) return { kind: 'refusal', failure: badBody('the upstream ended the response early') };
  return collectedAnswer(collected);
};

const codec: Codec = {
  framing: 'lines',
  request,
  answer,
  events,
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
};

/** iFlytek Spark over its WebSocket. Source: xfyun.cn, Spark web API. */
export const spark: Provider = { native: {}, codec };

/** Whether a channel uses the WebSocket: its key has several parts, and its base URL is not one of the HTTP API. */
export const isSparkSocket = ({ key, base }: ProviderChannel): boolean =>
  key.includes('|') && (base === null || !/\/\/spark-api-open|\/v[12]$/.test(base.origin + base.path));
