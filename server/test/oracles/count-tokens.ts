import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';

/** Tokens of a text as wire contract 3.7 counts them for a model that is unknown, without the gateway's own code. */
export const textTokens = (text: string): number => countTokens(text);

/** Prompt tokens of messages whose contents are texts. */
export const promptTokens = (messages: readonly { readonly role: string; readonly content: string }[]): number =>
  messages.reduce((sum, { role, content }) => sum + 3 + countTokens(role) + countTokens(content), 3);
