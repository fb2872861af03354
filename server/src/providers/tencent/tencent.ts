import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import type { AssistantPart, Conversation, Tool, ToolChoice, Turn, UserPart } from '../../conversation/conversation.ts';
import { urlOf } from '../../conversation/data-url.ts';
import { wantsReasoning } from '../../conversation/reasoning-effort.ts';
import { type Json, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { joinTexts, textsOf } from '../../conversation/text.ts';
import type { Usage } from '../../conversation/usage.ts';
import { bounded, type ChatBounds } from '../chat-bounds.ts';
import { badBody, readFailure, refusal } from '../failure.ts';
import { jsonBody, jsonEvents, type JsonEvents } from '../json-events.ts';
import type {
  ChannelFault,
  Codec,
  Provider,
  ProviderChannel,
  ReadStep,
  Refusal,
  ProviderCall,
  UpstreamRequest,
} from '../provider.ts';
import { tencentEmbedder } from './tencent-embedder.ts';
import { tencentFailure } from './tencent-failure.ts';
import { signTencent } from './tencent-signature.ts';
import { usableChannel } from '../usable-channel.ts';

const version = '2023-09-01';
const contentType = 'application/json';

const contentsOf = (parts: readonly UserPart[]): readonly Json[] | null =>
  parts.every((part) => part.kind === 'text')
    ? null
    : parts.flatMap((part): readonly Json[] => {
        if (part.kind === 'text') return [{ Type: 'text', Text: part.text }];
        return part.kind === 'image' ? [{ Type: 'image_url', ImageUrl: { Url: urlOf(part.source) } }] : [];
      });

const userMessage = (parts: readonly UserPart[]): Json => {
  const contents = contentsOf(parts);
  return { Role: 'user', ...(contents === null ? { Content: joinTexts(parts, '\n') } : { Contents: contents }) };
};

const assistantMessage = (parts: readonly AssistantPart[]): Json => {
  const calls = parts.flatMap((part) =>
    part.kind === 'tool_call'
      ? [{ Id: part.id, Type: 'function', Function: { Name: part.name, Arguments: part.arguments } }]
      : [],
  );
  const reasoning = textsOf(parts, 'reasoning');
  return {
    Role: 'assistant',
    Content: textsOf(parts, 'text'),
    ...(reasoning !== '' && { ReasoningContent: reasoning }),
    ...(calls.length > 0 && { ToolCalls: calls }),
  };
};

/** The vendor rejects neighbouring messages of one role: they are merged. */
const joined = (turns: readonly Turn[]): readonly Turn[] => {
  const whole: Turn[] = [];
  for (const turn of turns) {
    const last = whole.at(-1);
    if (turn.role === 'user' && last?.role === 'user')
      whole[whole.length - 1] = { role: 'user', parts: [...last.parts, ...turn.parts] };
    else if (turn.role === 'assistant' && last?.role === 'assistant')
      whole[whole.length - 1] = { role: 'assistant', parts: [...last.parts, ...turn.parts] };
    else whole.push(turn);
  }
  return whole;
};

const messageOf = (turn: Turn): Json => {
  switch (turn.role) {
    case 'user':
      return userMessage(turn.parts);
    case 'assistant':
      return assistantMessage(turn.parts);
    case 'tool':
      return { Role: 'tool', ToolCallId: turn.callId, Content: joinTexts(turn.parts, '\n') };
    // Never reached: the bounds move system messages to the front.
    case 'system':
      return userMessage(turn.parts);
  }
};

/** The schema is a string. */
const toolOf = ({ name, description, parameters }: Tool): Json => ({
  Type: 'function',
  Function: {
    Name: name,
    ...(description !== '' && { Description: description }),
    Parameters: JSON.stringify(parameters ?? { type: 'object', properties: {} }),
  },
});

const choiceOf = (choice: ToolChoice, tools: readonly Tool[]): Json => {
  if (choice.kind !== 'tool' && choice.kind !== 'required') return { ToolChoice: choice.kind };
  const [first] = choice.kind === 'tool' ? tools.filter(({ name }) => name === choice.name) : tools;
  return first === undefined ? {} : { ToolChoice: 'custom', CustomTool: toolOf(first) };
};

const bounds: ChatBounds = {
  temperature: [0, 2],
  topP: [0, 1],
  format: 'text',
  systemFirst: true,
  modelAnswers: true,
};

const bodyOf = (whole: Conversation, { model, stream }: ProviderCall): Json => {
  const conversation = bounded(whole, bounds);
  const { system, turns, tools, toolChoice, temperature, topP, seed, stop, reasoning } = conversation;
  const text = joinTexts(system, '\n\n');
  return {
    Model: model,
    Messages: [...(text === '' ? [] : [{ Role: 'system', Content: text }]), ...joined(turns).map(messageOf)],
    Stream: stream,
    ...(temperature !== null && { Temperature: temperature }),
    ...(topP !== null && { TopP: topP }),
    ...(seed !== null && { Seed: Math.min(10_000, Math.max(1, seed)) }),
    ...(stop.length > 0 && { Stop: stop }),
    ...(tools.length > 0 && { Tools: tools.map(toolOf) }),
    ...(tools.length > 0 && toolChoice !== null && choiceOf(toolChoice, tools)),
    ...(reasoning !== null && { EnableThinking: wantsReasoning(reasoning) }),
  };
};

/** A signed request of an action. */
const signedRequest = (
  { now }: ProviderCall,
  channel: ProviderChannel,
  action: string,
  members: object,
): UpstreamRequest | ChannelFault => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  const [, secretId, secretKey, ...more] = usable.key.split('|');
  if (secretId === undefined || secretKey === undefined || more.length > 0)
    return { kind: 'fault', message: 'the key of this channel must be AppId|SecretId|SecretKey' };
  const body = Buffer.from(JSON.stringify(members));
  const timestamp = Math.floor(now / 1000);
  const { host } = new URL(usable.base.origin);
  const signed = { secretId, secretKey, service: 'hunyuan', host, contentType, action, timestamp, payload: body };
  return {
    origin: usable.base.origin,
    path: `${usable.base.path}/`,
    method: 'POST',
    headers: [
      'content-type',
      contentType,
      'x-tc-action',
      action,
      'x-tc-version',
      version,
      'x-tc-timestamp',
      String(timestamp),
      'authorization',
      signTencent(signed),
    ],
    body,
  };
};

const request = (
  conversation: Conversation,
  call: ProviderCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal =>
  conversation.turns.length === 0
    ? refusal('the conversation has no messages')
    : signedRequest(call, channel, 'ChatCompletions', bodyOf(conversation, call));

const usageIn = (body: Json): Usage | null => {
  const usage = objectAt(body, 'Usage');
  const { PromptTokens: prompt, CompletionTokens: completion, TotalTokens: total } = usage;
  if (prompt === undefined && completion === undefined) return null;
  return { prompt, completion, total, parts: { cacheRead: objectAt(usage, 'PromptTokensDetails')['CachedTokens'] } };
};

const finishOf = (reason: string, called: boolean): Finish => {
  if (reason === 'sensitive') return 'content_filter';
  if (reason === 'length') return 'length';
  return called || reason === 'tool_calls' ? 'tool_calls' : 'stop';
};

const answer = (body: Buffer): Answer | Refusal => {
  const read = jsonBody(body, tencentFailure);
  if (read.kind === 'refusal') return read;
  const response = objectAt(read.members, 'Response');
  const [choice] = objectsAt(response, 'Choices');
  if (choice === undefined) return { kind: 'refusal', failure: badBody('the upstream response has no choices') };
  const message = objectAt(choice, 'Message');
  const calls = objectsAt(message, 'ToolCalls').map((call) => {
    const called = objectAt(call, 'Function');
    const [id, name, argumentsText] = [textAt(call, 'Id'), textAt(called, 'Name'), textAt(called, 'Arguments')];
    return { kind: 'tool_call', id, name, arguments: argumentsText } as const;
  });
  const reasoning = textAt(message, 'ReasoningContent');
  const text = textAt(message, 'Content');
  return {
    id: textAt(response, 'Id'),
    parts: [
      ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning, signature: '' } as const]),
      ...(text === '' ? [] : [{ kind: 'text', text } as const]),
      ...calls,
    ],
    finish: finishOf(textAt(choice, 'FinishReason'), calls.length > 0),
    usage: usageIn(response),
  };
};

/** Stateful: one stream of chunks. It ends with a finish reason; some versions add `[DONE]`. */
class ChunkReader implements JsonEvents {
  readonly failureIn = tencentFailure;
  private started = false;
  private isFinished = false;
  private readonly calls = new Map<unknown, number>();

  finished(): boolean {
    return this.isFinished;
  }

  read(chunk: Json): ReadStep {
    const events: StreamEvent[] = this.started ? [] : [{ kind: 'start', id: textAt(chunk, 'Id') }];
    this.started = true;
    const choice = objectsAt(chunk, 'Choices')[0] ?? {};
    const delta = objectAt(choice, 'Delta');
    const reasoning = textAt(delta, 'ReasoningContent');
    if (reasoning !== '') events.push({ kind: 'reasoning', text: reasoning });
    const text = textAt(delta, 'Content');
    if (text !== '') events.push({ kind: 'text', text });
    for (const call of objectsAt(delta, 'ToolCalls')) this.readCall(call, events);
    const usage = usageIn(chunk);
    if (usage !== null) events.push({ kind: 'usage', usage });
    const reason = textAt(choice, 'FinishReason');
    if (reason === '' || this.isFinished) return { events };
    this.isFinished = true;
    return { events: [...events, { kind: 'finish', finish: finishOf(reason, this.calls.size > 0) }] };
  }

  private readCall(call: Json, events: StreamEvent[]): void {
    const called = objectAt(call, 'Function');
    const key = call['Index'] ?? 0;
    let index = this.calls.get(key);
    if (index === undefined) {
      index = this.calls.size;
      this.calls.set(key, index);
      events.push({ kind: 'tool_start', index, id: textAt(call, 'Id'), name: textAt(called, 'Name') });
    }
    const text = textAt(called, 'Arguments');
    if (text !== '') events.push({ kind: 'tool_arguments', index, text });
  }
}

const codec: Codec = {
  request,
  answer,
  events: () => {
    const reader = jsonEvents(new ChunkReader());
    return {
      event: (data, bytes) =>
        data?.trim() === '[DONE]' && reader.finished() ? { events: [], done: true } : reader.event(data, bytes),
      finished: () => reader.finished(),
    };
  },
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
};

/** Tencent Hunyuan's signed API. Source: Tencent Cloud API 3.0, Hunyuan ChatCompletions. */
export const tencent: Provider = { native: {}, codec, embedder: tencentEmbedder(signedRequest) };

/** Whether a channel's key is one of the signed API. */
export const isSigned = ({ key }: ProviderChannel): boolean => key.includes('|');
