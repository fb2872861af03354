import type { Tokens } from '../../billing/price/price.ts';
import { type Json, numberAt, objectAt, textAt } from '../../conversation/json.ts';
import { countOf } from '../../conversation/usage.ts';
import { tokensOfSeconds } from '../../providers/openai/openai-transcriptions.ts';
import { audioTokenMs } from './prompt-meter.ts';

/** The model that makes the transcripts of a session; empty: none, or it is not known. */
export const transcriberOf = (session: Json): string => {
  const transcription = objectAt(objectAt(objectAt(session, 'audio'), 'input'), 'transcription');
  return textAt(transcription, 'model') || textAt(objectAt(session, 'input_audio_transcription'), 'model');
};

/** Tokens of a transcript by a model that has a price of its own. */
export const transcriptTokens = (usage: Json): Tokens => {
  const seconds = numberAt(usage, 'seconds');
  const completion = countOf(usage['output_tokens']);
  const prompt = seconds === null ? countOf(usage['input_tokens']) : tokensOfSeconds(Math.max(0, seconds));
  const audio = Math.min(countOf(objectAt(usage, 'input_token_details')['audio_tokens']), prompt);
  const parts = { transcript_prompt: prompt - audio, transcript_audio: audio, transcript_completion: completion };
  return { prompt, completion, parts };
};

/** Tokens of a transcript by any other model, which is charged as audio input of the session. */
export const transcriptAsAudio = (usage: Json): Tokens => {
  const seconds = numberAt(usage, 'seconds');
  const ofTime = seconds === null ? null : Math.ceil((Math.max(0, seconds) * 1000) / audioTokenMs);
  const prompt = ofTime ?? countOf(usage['input_tokens']);
  const audio = Math.min(ofTime ?? countOf(objectAt(usage, 'input_token_details')['audio_tokens']), prompt);
  return { prompt, completion: countOf(usage['output_tokens']), parts: { audio_prompt: audio } };
};
