import type { Json } from '../conversation/json.ts';
import { readFailure } from './failure.ts';
import { openAiCompatible } from './openai-compatible.ts';
import type { Provider, RelayFailure } from './provider.ts';

/** FastGPT's own codes for a key that it does not know. */
const unauthorized = new Set([403, 514]);

/** `{code: 400…, statusText, message, data: null}` with a success status, or `{message}` alone as an event of a stream. */
export const fastGptFailure = (body: Json): RelayFailure | null => {
  const { code } = body;
  if (Array.isArray(body['choices'])) return null;
  if (Object.keys(body).join() === 'message') return readFailure(502, JSON.stringify(body));
  if (typeof code !== 'number' || code < 400) return null;
  const status = unauthorized.has(code) ? 401 : code < 600 ? code : 502;
  return readFailure(
    status,
    JSON.stringify({ message: body['message'] ?? body['statusText'], code: body['statusText'] }),
  );
};

/** An application of FastGPT, which its key names: it takes conversations alone. Source: doc.fastgpt.in, OpenAPI. */
export const fastGpt: Provider = openAiCompatible({
  chatOnly: true,
  asksStreamUsage: () => false,
  usageIsDummy: true,
  failureIn: fastGptFailure,
});
