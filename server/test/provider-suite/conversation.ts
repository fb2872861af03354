import type { Conversation } from '../../src/conversation/conversation.ts';

/** One short question without any options. */
export const plainConversation: Conversation = {
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [],
  toolChoice: null,
  parallelTools: null,
  outputLimit: null,
  temperature: null,
  topP: null,
  topK: null,
  seed: null,
  presencePenalty: null,
  frequencyPenalty: null,
  stop: [],
  answerFormat: { kind: 'text' },
  reasoning: null,
  user: null,
  members: {},
};
