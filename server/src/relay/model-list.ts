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
