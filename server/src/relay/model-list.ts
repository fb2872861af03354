import { isKnownModel, modelCard } from '@weir/contract/model-catalogue';

/** `GET /v1/models`: each model once. */
export const modelList = (names: Iterable<string>): string =>
  JSON.stringify({ object: 'list', data: [...new Set(names)].map(modelCard) });

/**
 * `GET /v1/models/{id}`: what the gateway knows of a name. An unknown one is an error object with status 200 (wire
 * contract 3.4).
 */
export const modelAnswer = (id: string, available: readonly string[]): string => {
  if (isKnownModel(id) || available.includes(id)) return JSON.stringify(modelCard(id));
  const message = `The model '${id}' does not exist`;
  return JSON.stringify({ error: { message, type: 'invalid_request_error', param: 'model', code: 'model_not_found' } });
};

/** When the models of a gateway came into being is not known: all of them tell this day. */
const anthropicCard = (id: string) => ({ type: 'model', id, display_name: id, created_at: '2021-07-20T16:00:00Z' });

/** `GET /v1/models` for clients of Anthropic (provider notes 19). */
export const anthropicModelList = (names: Iterable<string>): string => {
  const data = [...new Set(names)].map(anthropicCard);
  const [first_id = null, last_id = null] = [data[0]?.id, data.at(-1)?.id];
  return JSON.stringify({ data, has_more: false, first_id, last_id });
};

/** `GET /v1/models/{id}` for clients of Anthropic; null: nobody serves it. */
export const anthropicModelAnswer = (id: string, available: readonly string[]): string | null =>
  available.includes(id) ? JSON.stringify(anthropicCard(id)) : null;
