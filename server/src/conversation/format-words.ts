import type { AnswerFormat, Conversation } from './conversation.ts';

const object = 'Answer with one JSON object and nothing else.';

/** The instruction for the format of an answer; null: plain text. */
export const formatWords = (format: AnswerFormat): string | null => {
  if (format.kind === 'text') return null;
  return format.kind === 'json'
    ? object
    : `${object} It must follow this JSON Schema: ${JSON.stringify(format.schema)}`;
};

/** For vendors without a member for a schema: the conversation with the answer format as a system instruction. */
export const withFormatWords = (conversation: Conversation): Conversation => {
  const words = formatWords(conversation.answerFormat);
  if (words === null) return conversation;
  return { ...conversation, system: [...conversation.system, { kind: 'text', text: words }] };
};
