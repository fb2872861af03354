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

/** OpenAI's name for a vendor's finish reason; undefined: it is OpenAI's own, or unknown. */
export const openAiReason = (reason: unknown): string | undefined => openAiReasons.get(reason);

/** The failure of an answer that the vendor's own network ended (Zhipu); null: none. */
export const networkFailure = (body: Json): RelayFailure | null =>
  choicesOf(body).some((choice) => choice['finish_reason'] === 'network_error')
    ? badBody('the upstream ended the answer because of a network error')
    : null;
