import { anthropicCount, anthropicMessages } from './anthropic-messages.ts';
import type { Dialect } from './dialect.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';

/** The dialect of every path that takes calls of models. */
const byPath = new Map<string, Dialect>([
  ['/v1/chat/completions', openAiChat],
  ['/v1/messages', anthropicMessages],
  ['/v1/messages/count_tokens', anthropicCount],
  ['/v1/responses', openAiResponses],
]);

/** The dialect that a path (without query) is spoken in; null: it is no call of a model. */
export const dialectOf = (path: string): Dialect | null => byPath.get(path) ?? null;
