import { isObject, type Json, parseJson, textAt } from '../../conversation/json.ts';
import { readFailure } from '../failure.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import type { Provider, RelayFailure } from '../provider.ts';

/** FastGPT's codes for an unknown key. */
const unauthorized = new Set([403, 514]);

/** How it says that the points of the account are used up, in codes and in both of its languages. */
const outOfPoints =
  /ai_?points_?not_?enough|points (?:are |is )?(?:not enough|insufficient)|insufficient (?:ai )?points|积分不足/i;

/** `{code: 400…, statusText, message, data: null}`, whatever the status. */
const codedFailure = (body: Json): RelayFailure | null => {
  const { code, statusText, message = statusText } = body;
  if (typeof code !== 'number' || code < 400 || Array.isArray(body['choices'])) return null;
  const isPoor = outOfPoints.test(`${String(statusText)} ${String(message)}`);
  const status = isPoor ? 402 : unauthorized.has(code) ? 401 : code < 600 ? code : 502;
  return readFailure(status, JSON.stringify({ message, code: statusText }));
};

/** Failures with a success status: as above, or `{message}` alone as an event of a stream. */
export const fastGptFailure = (body: Json): RelayFailure | null =>
  Object.keys(body).join() === 'message'
    ? readFailure(outOfPoints.test(textAt(body, 'message')) ? 402 : 502, JSON.stringify(body))
    : codedFailure(body);

/** A FastGPT application, selected by its key: conversations only. Source: doc.fastgpt.in, OpenAPI. */
export const fastGpt: Provider = openAiCompatible({
  chatOnly: true,
  models: false,
  requestsStreamUsage: () => false,
  usageIsDummy: true,
  isNameless: true,
  failureIn: fastGptFailure,
  failure: (status, text) => {
    const parsed = parseJson(text);
    return (isObject(parsed) ? codedFailure(parsed) : null) ?? readFailure(status, text);
  },
});
