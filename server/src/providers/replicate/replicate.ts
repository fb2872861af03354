import type { Answer, StreamEvent } from '../../conversation/answer.ts';
import { type Conversation, forcesTool, type Turn } from '../../conversation/conversation.ts';
import { withFormatWords } from '../../conversation/format-words.ts';
import { isObject, type Json, objectAt, parseJson, textAt } from '../../conversation/json.ts';
import { joinTexts } from '../../conversation/text.ts';
import type { Usage } from '../../conversation/usage.ts';
import { badBody, readFailure } from '../failure.ts';
import type { Codec, EventReader, Provider, ReadStep, Refusal } from '../provider.ts';
import { replicateImages } from './replicate-images.ts';
import {
  createPrediction,
  followPrediction,
  outputOf,
  readPrediction,
  replicateModels,
} from './replicate-prediction.ts';
import { unlessUnsupported, UnsupportedPartError } from '../unsupported-part.ts';

const wordsOf = (turn: Turn): string => {
  if (turn.role === 'tool' || turn.parts.some(({ kind }) => kind !== 'text' && kind !== 'reasoning'))
    throw new UnsupportedPartError('models of this channel take text only');
  return joinTexts(turn.parts, '\n');
};

/** Models complete one text: a single question as it is, a conversation as a transcript. */
const promptOf = ({ turns }: Conversation): string => {
  const [only, ...others] = turns;
  if (only?.role === 'user' && others.length === 0) return wordsOf(only);
  return turns.map((turn) => `${turn.role}: ${wordsOf(turn)}\n`).join('');
};

const inputOf = (conversation: Conversation): Json => {
  const { system, toolChoice, outputLimit, temperature, topP, topK, seed, stop } = conversation;
  const { presencePenalty, frequencyPenalty } = conversation;
  if (forcesTool(toolChoice)) throw new UnsupportedPartError('models of this channel do not support tools');
  const systemText = joinTexts(system, '\n\n');
  return {
    prompt: promptOf(conversation),
    ...(systemText !== '' && { system_prompt: systemText }),
    ...(outputLimit !== null && { max_tokens: outputLimit }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(topK !== null && { top_k: topK }),
    ...(seed !== null && { seed }),
    ...(stop.length > 0 && { stop_sequences: stop.join(',') }),
    ...(presencePenalty !== null && { presence_penalty: presencePenalty }),
    ...(frequencyPenalty !== null && { frequency_penalty: frequencyPenalty }),
  };
};

/** Only some models count their tokens. */
const usageIn = (prediction: Json): Usage | null => {
  const { input_token_count: prompt, output_token_count: completion } = objectAt(prediction, 'metrics');
  return prompt === undefined && completion === undefined ? null : { prompt, completion, total: undefined };
};

const answer = (body: Buffer): Answer | Refusal => {
  const read = readPrediction(body);
  if (read.kind === 'refusal') return read;
  const text = outputOf(read.members).join('');
  return {
    id: textAt(read.members, 'id'),
    parts: [{ kind: 'text', text }],
    finish: 'stop',
    usage: usageIn(read.members),
  };
};

const eventName = (bytes: Buffer): string => /^event: ?(.*?)\r?$/m.exec(bytes.toString())?.[1] ?? '';

const end = (data: string): ReadStep => {
  const parsed = parseJson(data);
  const reason = isObject(parsed) ? textAt(parsed, 'reason') : '';
  if (reason !== '') return { events: [], failure: badBody(`the upstream ended the stream: ${reason}`) };
  return { events: [{ kind: 'finish', finish: 'stop' }], done: true };
};

/** Pieces are plain text: only the event's name gives its type. */
const events = (): EventReader => {
  let started = false;
  return {
    event: (data, bytes) => {
      if (data === null) return { events: [] };
      switch (eventName(bytes)) {
        case 'output': {
          const start: readonly StreamEvent[] = started ? [] : [{ kind: 'start', id: '' }];
          started = true;
          return { events: [...start, ...(data === '' ? [] : [{ kind: 'text', text: data } as const])] };
        }
        case 'error':
          return { events: [], failure: readFailure(502, data) };
        case 'done':
          return end(data);
        default:
          return { events: [] };
      }
    },
    finished: () => false,
  };
};

const codec: Codec = {
  followUp: followPrediction,
  request: (conversation, call, channel) =>
    unlessUnsupported(() => createPrediction(call, channel, inputOf(withFormatWords(conversation)))),
  answer,
  events,
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
};

/** Models on Replicate. Source: replicate.com, HTTP API reference and "Streaming output". */
export const replicate: Provider = { native: { 'openai-images': replicateImages }, codec, models: replicateModels };
