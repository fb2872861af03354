import type { Answer, StreamEvent } from '../../conversation/answer.ts';
import type { Conversation, Turn, UserPart } from '../../conversation/conversation.ts';
import { withFormatWords } from '../../conversation/format-words.ts';
import { codeAt, isObject, type Json, objectAt, parseJson, textAt } from '../../conversation/json.ts';
import { joinTexts } from '../../conversation/text.ts';
import type { Usage } from '../../conversation/usage.ts';
import { collectedAnswer } from '../collected-answer.ts';
import { type FailureCodes, failureByCode } from '../failure-by-code.ts';
import { badBody, readFailure } from '../failure.ts';
import type {
  ChannelFault,
  Codec,
  EventReader,
  Provider,
  ProviderChannel,
  ReadStep,
  Refusal,
  ProviderCall,
  RelayFailure,
  UpstreamRequest,
} from '../provider.ts';
import { unlessUnsupported, UnsupportedPartError } from '../unsupported-part.ts';
import { usableChannel } from '../usable-channel.ts';

/** Images are sent by URL in a list of objects: files would have to be uploaded to the vendor first. */
const objectOf = (part: UserPart): Json => {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  if (part.kind === 'image' && part.source.kind === 'url') return { type: 'image', file_url: part.source.url };
  throw new UnsupportedPartError('this channel takes text and image URLs only');
};

const messageOf = (turn: Turn): Json => {
  if (turn.role === 'tool' || turn.parts.some(({ kind }) => kind === 'tool_call'))
    throw new UnsupportedPartError('this channel does not support client tools');
  if (turn.role === 'assistant')
    return { role: 'assistant', type: 'answer', content: joinTexts(turn.parts, '\n'), content_type: 'text' };
  const question = { role: 'user', type: 'question' };
  if (turn.parts.every(({ kind }) => kind === 'text'))
    return { ...question, content: joinTexts(turn.parts, '\n'), content_type: 'text' };
  return { ...question, content: JSON.stringify(turn.parts.map(objectOf)), content_type: 'object_string' };
};

/** A bot's system prompt is part of its settings, so system texts go in front of the first question. */
const turnsOf = ({ system, turns }: Conversation): readonly Turn[] => {
  if (system.length === 0) return turns;
  const [first, ...others] = turns;
  if (first?.role === 'user') return [{ role: 'user', parts: [...system, ...first.parts] }, ...others];
  return [{ role: 'user', parts: system }, ...turns];
};

/** The model names a bot: `bot-` and its id, as in One API. */
const botOf = (model: string): string => model.replace(/^bot-/, '');

const bodyOf = (conversation: Conversation, model: string, userId: string): Json => {
  const { toolChoice, user } = conversation;
  if (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool')
    throw new UnsupportedPartError('this channel does not support client tools');
  return {
    bot_id: botOf(model),
    user_id: userId === '' ? (user ?? 'user') : userId,
    stream: true,
    auto_save_history: false,
    additional_messages: turnsOf(withFormatWords(conversation)).map(messageOf),
  };
};

const request = (
  conversation: Conversation,
  { model }: ProviderCall,
  channel: ProviderChannel,
): UpstreamRequest | ChannelFault | Refusal => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  const { base, key, other } = usable;
  return unlessUnsupported(() => ({
    origin: base.origin,
    path: `${base.path.replace(/\/v\d+$/, '')}/v3/chat`,
    method: 'POST',
    headers: ['content-type', 'application/json', 'authorization', `Bearer ${key}`],
    body: Buffer.from(JSON.stringify(bodyOf(conversation, model, other.trim()))),
  }));
};

/** Source: coze.com, API reference, "Error codes". */
const codes: FailureCodes = new Map([
  ['4000', [400]],
  ['4013', [429, 'rate_limit_exceeded']],
  ['4015', [404, 'model_not_found']],
  ['4027', [402]],
  ['4028', [402]],
  ['4100', [401, 'invalid_api_key']],
  ['4101', [403, 'permission_denied']],
  ['4200', [404, 'model_not_found']],
  ['5000', [500]],
]);

/** The failure that a body or event reports by its code; null: none. */
const failureIn = (body: Json, status = 502): RelayFailure | null => {
  const code = codeAt(body, 'code');
  return code === '' || code === '0' ? null : failureByCode(codes, { code, message: textAt(body, 'msg'), status });
};

const usageIn = ({ usage }: Json): Usage | null => {
  if (!isObject(usage)) return null;
  return { prompt: usage['input_count'], completion: usage['output_count'], total: usage['token_count'] };
};

const eventName = (bytes: Buffer): string => /^event: ?(.*?)\r?$/m.exec(bytes.toString())?.[1] ?? '';

/** Stateful: one answer, from `conversation.chat.created` to `done`. */
class ChatReader implements EventReader {
  private started = false;
  private isFinished = false;

  finished(): boolean {
    return this.isFinished;
  }

  event(data: string | null, bytes: Buffer): ReadStep {
    const name = eventName(bytes);
    if (data === null || data === '') return { events: [] };
    if (name === 'done') return this.isFinished ? { events: [], done: true } : { events: [] };
    const body = parseJson(data);
    if (!isObject(body))
      return { events: [], failure: badBody('the upstream sent an event that is not a JSON object') };
    switch (name) {
      case 'error':
        return { events: [], failure: failureIn(body) ?? badBody('the upstream reported an error') };
      case 'conversation.chat.failed':
        return { events: [], failure: failureIn(objectAt(body, 'last_error')) ?? badBody('the bot failed') };
      case 'conversation.chat.requires_action':
        return { events: [], failure: badBody('the bot called an unsupported tool') };
      case 'conversation.message.delta':
        return { events: this.piece(body) };
      case 'conversation.chat.completed':
        return { events: [...this.start(body), ...this.end(body)] };
      default:
        return { events: name === 'conversation.chat.created' ? this.start(body) : [] };
    }
  }

  private start(body: Json): readonly StreamEvent[] {
    if (this.started) return [];
    this.started = true;
    return [{ kind: 'start', id: textAt(body, 'id') }];
  }

  /** Messages of other types (tool output, suggested questions) are not part of the answer. */
  private piece(message: Json): readonly StreamEvent[] {
    if (message['type'] !== 'answer') return [];
    const [reasoning, text] = [textAt(message, 'reasoning_content'), textAt(message, 'content')];
    return [
      ...this.start({}),
      ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
      ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ];
  }

  private end(chat: Json): readonly StreamEvent[] {
    this.isFinished = true;
    const usage = usageIn(chat);
    return [...(usage === null ? [] : [{ kind: 'usage', usage } as const]), { kind: 'finish', finish: 'stop' }];
  }
}

const dataOf = (event: string): string | null => {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).trimStart()).join('\n');
};

/** Answers are always streamed: whole ones would have to be polled. A body that is no stream is a failure. */
const answer = (body: Buffer): Answer | Refusal => {
  const text = body.toString();
  const parsed = parseJson(text);
  const failure = isObject(parsed) ? failureIn(parsed) : null;
  if (failure !== null) return { kind: 'refusal', failure };
  const reader = new ChatReader();
  const events: StreamEvent[] = [];
  for (const event of text.split(/\r?\n\r?\n/)) {
    const step = reader.event(dataOf(event), Buffer.from(event));
    if (step.failure !== undefined) return { kind: 'refusal', failure: step.failure };
    events.push(...step.events);
  }
  if (reader.finished()) return collectedAnswer(events);
  return { kind: 'refusal', failure: badBody('the upstream ended the response early') };
};

const failure: Codec['failure'] = (status, body) => {
  const text = body.toString('utf8', 0, 16_384);
  const parsed = parseJson(text);
  return (isObject(parsed) ? failureIn(parsed, status) : null) ?? readFailure(status, text);
};

/**
 * Coze's bots. Source: coze.com, API reference, "Chat" (v3). The older version that One API calls (v2) reports no usage.
 */
export const coze: Provider = {
  native: {},
  codec: { alwaysStreams: true, request, answer, events: () => new ChatReader(), failure },
};
