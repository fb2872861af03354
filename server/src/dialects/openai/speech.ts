import type { Dialect, Inbound, ReadFault } from '../dialect.ts';
import { fault, modelOf, scanBody, valueOf } from '../scan/member-scan.ts';
import { openAiErrors } from './openai-errors.ts';
import { plainInbound } from '../plain-inbound.ts';

const wanted = new Set(['model', 'input', 'stream_format']);

/** Wire contract 3.11: the gateway's limit, and its prices, are of UTF-8. */
const bytesMax = 4096;

/** Reads a request for speech, which costs by the bytes of its text, without building it. Never throws. */
export const readSpeech = (bytes: Buffer): Inbound | ReadFault => {
  const scanned = scanBody(bytes, wanted);
  if (scanned.kind === 'fault') return scanned;
  const read = (name: string): unknown => valueOf(bytes, scanned.members.get(name));
  const model = modelOf(read('model'));
  if (typeof model !== 'string') return model;
  const input = read('input');
  if (typeof input !== 'string' || input === '') return fault('invalid_text_request', 'field input is required');
  const size = Buffer.byteLength(input);
  if (size > bytesMax) return fault('text_too_long', `the input is longer than ${bytesMax} bytes`);
  if ((read('stream_format') ?? 'audio') !== 'audio')
    return fault('invalid_text_request', 'stream_format must be audio');
  const metered = () => ({ kind: 'metered', tokens: size, characters: [...input].length }) as const;
  return plainInbound({ bytes, scanned, model, metered, prompt: [] });
};

/** `POST /v1/audio/speech` (provider notes 19.9). */
export const openAiSpeech: Dialect = {
  format: 'openai-speech',
  headers: [],
  read: readSpeech,
  errors: openAiErrors,
  answerTypes: ['application/octet-stream', 'audio/'],
};
