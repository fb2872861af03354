import type { IncomingMessage } from 'node:http';
import { anthropicErrors } from '../../dialects/anthropic/anthropic-errors.ts';
import { geminiErrors } from '../../dialects/gemini/gemini-errors.ts';
import { openAiErrors } from '../../dialects/openai/openai-errors.ts';
import { anthropicModels, geminiModels, type ModelListForm, openAiModels } from '../routing/model-list.ts';
import type { ErrorForm } from '../../dialects/dialect.ts';

/** Beside calls of models: how the clients of each vendor read lists and failures. */
interface ClientForm {
  readonly models: ModelListForm;
  readonly errors: ErrorForm;
}

const openAiClient: ClientForm = { models: openAiModels, errors: openAiErrors };
const anthropicClient: ClientForm = { models: anthropicModels, errors: anthropicErrors };
const geminiClient: ClientForm = { models: geminiModels, errors: geminiErrors };

/** Anthropic's clients name the version of its API with every request, Gemini's the key in a header of theirs. */
export const clientFormOf = ({ headers }: IncomingMessage, path: string): ClientForm => {
  if (headers['anthropic-version'] !== undefined) return anthropicClient;
  return path.startsWith('/v1beta/') || headers['x-goog-api-key'] !== undefined ? geminiClient : openAiClient;
};
