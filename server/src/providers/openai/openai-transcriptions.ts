import { isObject, type Json, numberAt, objectAt, parseJson, textAt } from '../../conversation/json.ts';
import type { Usage } from '../../conversation/usage.ts';
import { badBody, reportedFailure } from '../failure.ts';
import { openAiFailure, openAiRequest, type OpenAiTraits, renamed } from './openai-request.ts';
import type { ClientResponse, RelayFailure, StreamStep, StreamTranslator, Translation } from '../provider.ts';

/**
 * Tokens of a second of audio where the vendor charges by time: at `whisper-1`'s ratio of 15, a minute then costs its
 * 0.006 dollars (provider notes 20.3).
 */
const tokensPerMinute = 200;

/** The tokens of a number of seconds of audio. */
export const tokensOfSeconds = (seconds: number): number => Math.ceil((seconds * tokensPerMinute) / 60);

const secondsUsage = (seconds: number | null): Usage | null => {
  if (seconds === null || seconds <= 0) return null;
  const prompt = tokensOfSeconds(seconds);
  return { prompt, completion: 0, total: prompt };
};

/** Newer models report tokens, older ones seconds, some only the duration of the audio. */
const usageIn = (body: Json): Usage | null => {
  const usage = body['usage'];
  if (!isObject(usage)) return secondsUsage(numberAt(body, 'duration'));
  if (usage['input_tokens'] === undefined) return secondsUsage(numberAt(usage, 'seconds'));
  return {
    prompt: usage['input_tokens'],
    completion: usage['output_tokens'],
    total: usage['total_tokens'],
    parts: { audioPrompt: objectAt(usage, 'input_token_details')['audio_tokens'] },
  };
};

/** The text of subtitles (SubRip, WebVTT), without headers, numbers and times. */
const spokenIn = (text: string): string =>
  text
    .split(/\r?\n/)
    .filter((line) => !/^(?:WEBVTT.*|\d+|.*-->.*|\s*)$/.test(line))
    .join('\n');

const failureIn = (body: Json, traits: OpenAiTraits): RelayFailure | null =>
  reportedFailure(body) ?? traits.failureIn?.(body) ?? null;

/** JSON, plain text or subtitles, as requested by the client. */
const response = (body: Buffer, traits: OpenAiTraits): ClientResponse => {
  if (body.length === 0) return { kind: 'failure', failure: badBody('the upstream response has no text') };
  const text = body.toString();
  const parsed = parseJson(text);
  if (!isObject(parsed)) return { kind: 'answer', body, usage: null, output: () => spokenIn(text) };
  const failure = failureIn(parsed, traits);
  if (failure !== null) return { kind: 'failure', failure };
  if (typeof parsed['text'] !== 'string')
    return { kind: 'failure', failure: badBody('the upstream response has no text') };
  return { kind: 'answer', body, usage: usageIn(parsed), output: () => textAt(parsed, 'text') };
};

const lengthEnd = Buffer.from(
  `data: ${JSON.stringify({
    type: 'error',
    error: {
      message: 'user quota is not enough',
      type: 'insufficient_quota',
      param: null,
      code: 'insufficient_user_quota',
    },
  })}\n\n`,
);

const readEvent = (data: string, traits: OpenAiTraits): StreamStep => {
  const event = parseJson(data);
  if (!isObject(event))
    return { forward: 'none', output: '', failure: badBody('the upstream sent an event that is not a JSON object') };
  const failure = failureIn(event, traits);
  if (failure !== null) return { forward: 'none', output: '', failure };
  const type = textAt(event, 'type');
  if (type !== 'transcript.text.done') {
    return { forward: 'same', output: type === 'transcript.text.delta' ? textAt(event, 'delta') : '' };
  }
  const usage = usageIn(event);
  return { forward: 'same', output: '', done: true, ...(usage !== null && { usage }) };
};

/** The last event repeats the whole text, so it is forwarded only once the balance covers all of it. */
const stream = (traits: OpenAiTraits): StreamTranslator => ({
  event: (data) => (data === null || data === '' ? { forward: 'same', output: '' } : readEvent(data, traits)),
  finished: () => false,
  lengthEnd: () => lengthEnd,
  terminator: () => Buffer.alloc(0),
});

/** Forms with a recording and the transcripts are passed through (provider notes 19.9). */
export const transcriptions = (traits: OpenAiTraits): Translation => ({
  request: (call, channel) => openAiRequest(call, channel, traits, () => call.body(renamed(call, traits))),
  response: (body) => response(body, traits),
  stream: () => stream(traits),
  failure: (status, body) => openAiFailure(status, body, traits),
});
