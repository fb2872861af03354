import { addressesIn } from '../../conversation/addresses.ts';
import type { Answer } from '../../conversation/answer.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Json } from '../../conversation/json.ts';
import { anthropicAnswer } from './anthropic-answer.ts';
import { anthropicEvents } from './anthropic-events.ts';
import { anthropicBody, callAnswersByTool } from './anthropic-request.ts';
import type { EventReader, Refusal, ProviderCall } from '../provider.ts';

/** How a cloud's requests differ from Anthropic's. */
export interface CloudTraits {
  readonly version: string;
  /** Members to leave out, as they belong elsewhere or the cloud rejects them. */
  readonly unlisted: readonly string[];
  /** The betas of a call that go into its body. Absent: none. */
  readonly betas?: (call: ProviderCall) => readonly string[];
}

/** Anthropic's messages as cloud vendors (Bedrock, Vertex AI) take them. */
export interface CloudClaude {
  /** Throws `UnsupportedPartError`. */
  body(conversation: Conversation, call: ProviderCall): Json;
  /** The client's own body with the cloud's changes. */
  passed(call: ProviderCall): Buffer;
  answer(body: Buffer, call: ProviderCall): Answer | Refusal;
  events(call: ProviderCall): EventReader;
}

export const cloudClaude = ({ version, unlisted, betas }: CloudTraits): CloudClaude => {
  const own = (call: ProviderCall): Json => {
    const named = betas?.(call) ?? [];
    return { anthropic_version: version, ...(named.length > 0 && { anthropic_beta: named }) };
  };
  return {
    body: (conversation, call) => {
      const members = Object.entries(anthropicBody(conversation, call));
      const listed = members.filter(([name]) => !unlisted.includes(name));
      return { ...own(call), ...Object.fromEntries(listed) };
    },
    passed: (call) => {
      const members: Record<string, string | null> = {};
      for (const name of unlisted) members[name] = null;
      for (const [name, value] of Object.entries(own(call))) members[name] = JSON.stringify(value);
      const { outputCap } = call;
      return call.body({
        members,
        ...(outputCap !== null && { outputLimit: { tokens: outputCap, member: 'max_tokens' } }),
      });
    },
    answer: (body, call) => anthropicAnswer(body, callAnswersByTool(call)),
    events: (call) => anthropicEvents(callAnswersByTool(call)),
  };
};

/** Whether a cloud can take the body as it is: it fetches no content by its address. */
export const isPassable = (call: ProviderCall): boolean => {
  const abridged = call.abridged();
  return 'kind' in abridged || addressesIn(abridged.conversation).length === 0;
};
