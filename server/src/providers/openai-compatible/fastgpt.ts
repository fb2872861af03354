import { isObject, type Json, parseJson } from '../../conversation/json.ts';
import { readFailure } from '../failure.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import type { Provider, RelayFailure } from '../provider.ts';

/** FastGPT's codes for an unknown key. */
const unauthorized = new Set([403, 514]);

/** `{code: 400…, statusText, message, data: null}`, whatever the status. */
const codedFailure = (body: Json): RelayFailure | null => {
  const { code, statusText, message = statusText } = body;
  if (typeof code !== 'number' || code < 400 || Array.isArray(body['choices'])) return null;
  const status = unauthorized.has(code) ? 401 : code < 600 ? code : 502;
  return readFailure(status, JSON.stringify({ message, code: statusText }));
};

/** Failures with a success status: as above, or `{message}` alone as an event of a stream. */
export const fastGptFailure = (body: Json): RelayFailure | null =>
  Object.keys(body).join() === 'message' ? readFailure(502, JSON.stringify(body)) : codedFailure(body);

/** A FastGPT application, selected by its key: conversations only. Source: doc.fastgpt.in, OpenAPI. */
export const fastGpt: Provider = openAiCompatible({
  chatOnly: true,
  requestsStreamUsage: () => false,
  usageIsDummy: true,
  isNameless: true,
  failureIn: fastGptFailure,
  failure: (status, text) => {
    const parsed = parseJson(text);
    return (isObject(parsed) ? codedFailure(parsed) : null) ?? readFailure(status, text);
  },
});
