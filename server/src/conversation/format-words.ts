import type { AnswerFormat, Conversation } from './conversation.ts';

const object = 'Answer with one JSON object and nothing else.';

/** The form that an answer must have, in words; null: it has none. */
export const formatWords = (format: AnswerFormat): string | null => {
  if (format.kind === 'text') return null;
  return format.kind === 'json'
    ? object
    : `${object} It must follow this JSON Schema: ${JSON.stringify(format.schema)}`;
};

/** The conversation as a vendor is asked that has no member for a schema: the form of the answer is said to the model. */
export const withFormatWords = (conversation: Conversation): Conversation => {
  const words = formatWords(conversation.answerFormat);
  if (words === null) return conversation;
  return { ...conversation, system: [...conversation.system, { kind: 'text', text: words }] };
};
