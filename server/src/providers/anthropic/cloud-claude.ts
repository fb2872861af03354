import type { Answer } from '../../conversation/answer.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Json } from '../../conversation/json.ts';
import { anthropicAnswer } from './anthropic-answer.ts';
import { anthropicEvents } from './anthropic-events.ts';
import { anthropicBody, callAnswersByTool } from './anthropic-request.ts';
import type { EventReader, Refusal, ProviderCall } from '../provider.ts';

/** Anthropic's messages as cloud vendors (Bedrock, Vertex AI) take them. */
export interface CloudClaude {
  /** Throws `UnsupportedPartError`. */
  body(conversation: Conversation, call: ProviderCall): Json;
  answer(body: Buffer, call: ProviderCall): Answer | Refusal;
  events(call: ProviderCall): EventReader;
}

/** `unlisted`: members to leave out, as they belong elsewhere or the cloud rejects them. */
export const cloudClaude = (version: string, unlisted: readonly string[]): CloudClaude => ({
  body: (conversation, { model, stream }) => {
    const members = Object.entries(anthropicBody(conversation, model, stream));
    const listed = members.filter(([name]) => !unlisted.includes(name));
    return { anthropic_version: version, ...Object.fromEntries(listed) };
  },
  answer: (body, call) => anthropicAnswer(body, callAnswersByTool(call)),
  events: (call) => anthropicEvents(callAnswersByTool(call)),
});
