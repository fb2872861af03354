import { isKnownModel, modelCard } from '@weir/contract/catalogue/model-catalogue';

/** How a dialect tells of models. */
export interface ModelListForm {
  /** Each name once. */
  list(names: Iterable<string>): string;
  /** What the gateway knows of a name; null: nobody serves it. */
  one(id: string, available: readonly string[]): string | null;
}

const cards = <Card>(names: Iterable<string>, card: (id: string) => Card): readonly Card[] =>
  [...new Set(names)].map(card);

const unknown = (id: string): string => {
  const message = `The model '${id}' does not exist`;
  return JSON.stringify({ error: { message, type: 'invalid_request_error', param: 'model', code: 'model_not_found' } });
};

/** OpenAI's. An unknown model is an error object with status 200 (wire contract 3.4). */
export const openAiModels: ModelListForm = {
  list: (names) => JSON.stringify({ object: 'list', data: cards(names, modelCard) }),
  one: (id, available) => (isKnownModel(id) || available.includes(id) ? JSON.stringify(modelCard(id)) : unknown(id)),
};

/** When the models of a gateway came into being is not known: all of them tell this day. */
const anthropicCard = (id: string) => ({ type: 'model', id, display_name: id, created_at: '2021-07-20T16:00:00Z' });

/** Anthropic's (provider notes 19). */
export const anthropicModels: ModelListForm = {
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
export const geminiModels: ModelListForm = {
  list: (names) => JSON.stringify({ models: cards(names, geminiCard) }),
  one: (id, available) => (available.includes(id) ? JSON.stringify(geminiCard(id)) : null),
};
