import type { HttpRequest } from '../../http/plain/exchange.ts';
import { isKnownModel, modelCard } from '@weir/contract/catalogue/model-catalogue';
import { anthropicErrors } from '../../dialects/anthropic/anthropic-errors.ts';
import type { ErrorForm } from '../../dialects/dialect.ts';
import { geminiErrors } from '../../dialects/gemini/gemini-errors.ts';
import { openAiErrors } from '../../dialects/openai/openai-errors.ts';

/** A list of models in one vendor's form. */
interface ModelListForm {
  /** Each name once. */
  list(names: Iterable<string>): string;
  /** One model; null: it is not known. */
  one(id: string, available: readonly string[]): string | null;
}

const cards = <Card>(names: Iterable<string>, card: (id: string) => Card): readonly Card[] =>
  [...new Set(names)].map(card);

const unknown = (id: string): string => {
  const message = `The model '${id}' does not exist`;
  return JSON.stringify({ error: { message, type: 'invalid_request_error', param: 'model', code: 'model_not_found' } });
};

/** OpenAI's. An unknown model is an error object with status 200 (wire contract 3.4). */
const openAiModels: ModelListForm = {
  list: (names) => JSON.stringify({ object: 'list', data: cards(names, modelCard) }),
  one: (id, available) => (isKnownModel(id) || available.includes(id) ? JSON.stringify(modelCard(id)) : unknown(id)),
};

/** The gateway does not know when a model was released: all have the same date. */
const anthropicCard = (id: string) => ({ type: 'model', id, display_name: id, created_at: '2021-07-20T16:00:00Z' });

/** Anthropic's (provider notes 19). */
const anthropicModels: ModelListForm = {
  list: (names) => {
    const data = cards(names, anthropicCard);
    const [first_id = null, last_id = null] = [data[0]?.id, data.at(-1)?.id];
    return JSON.stringify({ data, has_more: false, first_id, last_id });
  },
  one: (id, available) => (available.includes(id) ? JSON.stringify(anthropicCard(id)) : null),
};

const geminiCard = (id: string) => ({
  name: `models/${id}`,
  displayName: id,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
});

/** Gemini's. */
const geminiModels: ModelListForm = {
  list: (names) => JSON.stringify({ models: cards(names, geminiCard) }),
  one: (id, available) => (available.includes(id) ? JSON.stringify(geminiCard(id)) : null),
};

/** The format that each vendor's clients expect of answers that are no calls of a model. */
interface ClientForm {
  readonly models: ModelListForm;
  readonly errors: ErrorForm;
}

const openAiClient: ClientForm = { models: openAiModels, errors: openAiErrors };
const anthropicClient: ClientForm = { models: anthropicModels, errors: anthropicErrors };
const geminiClient: ClientForm = { models: geminiModels, errors: geminiErrors };

/** Anthropic's clients send the version of its API with every request, Gemini's send the key in a header of its own. */
export const clientFormOf = ({ headers }: HttpRequest, path: string): ClientForm => {
  if (headers['anthropic-version'] !== undefined || path.startsWith('/v1/messages/')) return anthropicClient;
  return path.startsWith('/v1beta/') || headers['x-goog-api-key'] !== undefined ? geminiClient : openAiClient;
};
