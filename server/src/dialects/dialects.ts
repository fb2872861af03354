import { anthropicCount, anthropicMessages } from './anthropic/anthropic-messages.ts';
import type { Dialect } from './dialect.ts';
import { openAiEdits } from './openai/edits.ts';
import { engineOf, openAiEmbeddings } from './openai/embeddings.ts';
import { geminiEmbeddings } from './gemini/gemini-embeddings.ts';
import { geminiDialect } from './gemini/gemini.ts';
import { openAiImageEdits, openAiImageVariations } from './openai/image-edits.ts';
import { openAiImages } from './openai/images.ts';
import { openAiModerations } from './openai/moderations.ts';
import { openAiChat } from './openai/openai-chat.ts';
import { openAiCompletions } from './openai/openai-completions.ts';
import { openAiResponses } from './responses/openai-responses.ts';
import { rerank } from './openai/rerank.ts';
import { openAiSpeech } from './openai/speech.ts';
import { openAiTranscriptions, openAiTranslations } from './openai/transcriptions.ts';

/** The dialect of every path that takes calls of models. */
const byPath = new Map<string, Dialect>([
  ['/v1/chat/completions', openAiChat],
  ['/v1/completions', openAiCompletions],
  ['/v1/edits', openAiEdits],
  ['/v1/messages', anthropicMessages],
  ['/v1/messages/count_tokens', anthropicCount],
  ['/v1/responses', openAiResponses],
  ['/v1/embeddings', openAiEmbeddings],
  ['/v1/moderations', openAiModerations],
  ['/v1/images/generations', openAiImages],
  ['/v1/images/edits', openAiImageEdits],
  ['/v1/images/variations', openAiImageVariations],
  ['/v1/audio/speech', openAiSpeech],
  ['/v1/audio/transcriptions', openAiTranscriptions],
  ['/v1/audio/translations', openAiTranslations],
  ['/v1/rerank', rerank],
  ['/v2/rerank', rerank],
  ['/rerank', rerank],
]);

/** Paths that take calls of models, without those that have a model in them. */
export const callPaths: readonly string[] = [...byPath.keys()];

/** The dialect that a path and its query (with its question mark, or empty) are spoken in; null: it is no call of a model. */
export const dialectOf = (path: string, query: string): Dialect | null =>
  byPath.get(path) ??
  (engineOf(path) === '' ? null : openAiEmbeddings) ??
  (path.includes(':') ? (geminiDialect(path, query) ?? geminiEmbeddings(path)) : null);
