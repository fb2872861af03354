import type { Answer, StreamEvent } from '../../conversation/answer.ts';
import type { Conversation, Turn } from '../../conversation/conversation.ts';
import { type Json, objectAt, textAt } from '../../conversation/json.ts';
import { joinTexts } from '../../conversation/text.ts';
import { cohereFailure, cohereFinish, cohereUsage } from './cohere-answer.ts';
import { jsonBody, jsonEvents } from '../json-events.ts';
import type { EventReader, ReadStep, Refusal } from '../provider.ts';
import { UnsupportedPartError } from '../unsupported-part.ts';

const suffix = '-internet';

/** Models that search the web before they answer: only the first version of the API has connectors. */
export const searchesWeb = (model: string): boolean => model.endsWith(suffix);

const roles = { user: 'USER', assistant: 'CHATBOT', system: 'SYSTEM', tool: 'USER' } as const;

const textOf = (turn: Turn): string => {
  if (turn.role === 'tool' || turn.parts.some(({ kind }) => kind !== 'text' && kind !== 'reasoning'))
    throw new UnsupportedPartError('web search models of this channel take text only');
  return joinTexts(turn.parts, '\n');
};

/** A conversation in the format of `/v1/chat`, with the web connector. Throws `UnsupportedPartError`. */
export const connectorsBody = (conversation: Conversation, model: string, stream: boolean): Json => {
  const { system, turns, tools, temperature, topP, topK, seed, outputLimit, stop } = conversation;
  if (tools.length > 0) throw new UnsupportedPartError('web search models of this channel do not support tools');
  const messages = turns.map((turn) => ({ role: roles[turn.role], message: textOf(turn) }));
  const preamble = joinTexts(system, '\n\n');
  return {
    model: model.slice(0, -suffix.length),
    stream,
    message: messages.at(-1)?.message ?? '',
    chat_history: messages.slice(0, -1),
    connectors: [{ id: 'web-search' }],
    ...(preamble !== '' && { preamble }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { p: Math.min(0.99, Math.max(0.01, topP)) }),
    ...(topK !== null && { k: topK }),
    ...(seed !== null && { seed }),
    ...(outputLimit !== null && { max_tokens: outputLimit }),
    ...(stop.length > 0 && { stop_sequences: stop }),
  };
};

/** Reads a whole answer of `/v1/chat`. */
export const connectorsAnswer = (body: Buffer): Answer | Refusal => {
  const read = jsonBody(body, cohereFailure);
  if (read.kind === 'refusal') return read;
  return {
    id: textAt(read.members, 'response_id'),
    parts: [{ kind: 'text', text: textAt(read.members, 'text') }],
    finish: cohereFinish(textAt(read.members, 'finish_reason')),
    usage: cohereUsage(objectAt(read.members, 'meta')),
  };
};

const read = (event: Json): ReadStep => {
  const text = textAt(event, 'text');
  switch (event['event_type']) {
    case 'stream-start':
      return { events: [{ kind: 'start', id: textAt(event, 'generation_id') }] };
    case 'text-generation':
      return { events: text === '' ? [] : [{ kind: 'text', text }] };
    case 'stream-end': {
      const usage = cohereUsage(objectAt(objectAt(event, 'response'), 'meta'));
      const reported: StreamEvent[] = usage === null ? [] : [{ kind: 'usage', usage }];
      return {
        events: [...reported, { kind: 'finish', finish: cohereFinish(textAt(event, 'finish_reason')) }],
        done: true,
      };
    }
    default:
      return { events: [] };
  }
};

/** Reads the events of a streamed answer of `/v1/chat`; searches and citations are skipped. */
export const connectorsEvents = (): EventReader =>
  jsonEvents({ failureIn: cohereFailure, read, finished: () => false });
