import type { Dialect } from '../dialect.ts';
import { formReader, type FormRules, readWholeForm } from '../scan/form.ts';
import { openAiErrors } from './openai-errors.ts';

/** The model of requests that name none (wire contract 3.1). */
const rules: FormRules = {
  wanted: new Set(['model']),
  files: ['file'],
  defaultModel: 'whisper-1',
  beginsEarly: true,
  facts: (model) => ({ model, outputLimit: null, audioInput: true }),
};

/** `POST /v1/audio/transcriptions` (provider notes 19.9). */
export const openAiTranscriptions: Dialect = {
  format: 'openai-transcriptions',
  headers: [],
  read: (body, head) => readWholeForm(rules, body, head),
  form: (head) => formReader(rules, head),
  errors: openAiErrors,
  answerTypes: ['text/plain', 'text/vtt', 'application/x-subrip'],
};

/** `POST /v1/audio/translations`. */
export const openAiTranslations: Dialect = { ...openAiTranscriptions, format: 'openai-translations' };
