import { parseExactObject, withNumbersOf } from '../../conversation/exact-numbers.ts';
import type { Json } from '../../conversation/json.ts';
import { badBody } from '../failure.ts';
import type { RelayFailure } from '../provider.ts';
import { choicesOf } from './openai-output.ts';

/** OpenAI's finish reasons for those of vendors, which its clients do not know (provider notes 8 and 10.2). */
const openAiReasons = new Map<unknown, string>([
  ['normal', 'stop'],
  ['eos', 'stop'],
  ['sensitive', 'content_filter'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'length'],
]);

const hasForeignReason = (choice: Json): boolean => openAiReasons.has(choice['finish_reason']);

const withOpenAiReason = (choice: Json): Json => {
  const reason = openAiReasons.get(choice['finish_reason']);
  return reason === undefined ? choice : withNumbersOf(choice, { ...choice, finish_reason: reason });
};

/** The text of a completion or chunk with OpenAI's finish reasons; null: it has no others. */
export const withOpenAiReasons = (body: Json, text: () => string): string | null => {
  if (!choicesOf(body).some(hasForeignReason)) return null;
  const exact = parseExactObject(text());
  return JSON.stringify(withNumbersOf(exact, { ...exact, choices: choicesOf(exact).map(withOpenAiReason) }));
};

/** The failure of an answer that the vendor's own network ended (Zhipu); null: none. */
export const networkFailure = (body: Json): RelayFailure | null =>
  choicesOf(body).some((choice) => choice['finish_reason'] === 'network_error')
    ? badBody('the upstream ended the answer because of a network error')
    : null;
