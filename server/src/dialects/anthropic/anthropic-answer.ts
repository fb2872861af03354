import type { Answer, Finish } from '../../conversation/answer.ts';
import { withCarriedSignatures } from '../../conversation/call-signatures.ts';
import type { AssistantPart } from '../../conversation/conversation.ts';
import { parseExactObject } from '../../conversation/exact-numbers.ts';
import { type Json } from '../../conversation/json.ts';
import { countOf, type Usage } from '../../conversation/usage.ts';
import type { AnswerFacts } from '../dialect.ts';

/** `stop_reason` (provider notes 19.5). */
export const stopReasons = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const satisfies Record<Finish, string>;

/** `stop_sequence` is reported only with its text, which few vendors return. */
export const stopMembers = (finish: Finish, stopText: string | undefined) =>
  finish === 'stop_sequence' && stopText === undefined
    ? { stop_reason: stopReasons.stop, stop_sequence: null }
    : { stop_reason: stopReasons[finish], stop_sequence: stopText ?? null };

/** `usage` of a message: cached tokens are counted beside the others. */
export const messageUsage = (usage: Usage | null) => {
  const read = countOf(usage?.parts?.cacheRead);
  const long = countOf(usage?.parts?.cacheWriteLong);
  const written = countOf(usage?.parts?.cacheWrite) + long;
  return {
    input_tokens: Math.max(0, countOf(usage?.prompt) - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    ...(long > 0 && {
      cache_creation: { ephemeral_5m_input_tokens: written - long, ephemeral_1h_input_tokens: long },
    }),
    output_tokens: countOf(usage?.completion),
  };
};

export const messageId = (id: string, requestId: string): string => (id.startsWith('msg_') ? id : `msg_${requestId}`);

/** Tool use ids are required, and some vendors return none. */
export const toolUseId = (id: string, index: number): string =>
  id === '' ? `toolu_${index}` : id.replace(/[^\w-]/g, '_');

const blockOf = (part: AssistantPart, index: number): readonly Json[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning':
      return part.redacted
        ? [{ type: 'redacted_thinking', data: part.signature }]
        : [{ type: 'thinking', thinking: part.text, signature: part.signature }];
    case 'tool_call':
      return [
        { type: 'tool_use', id: toolUseId(part.id, index), name: part.name, input: parseExactObject(part.arguments) },
      ];
    case 'image':
      return [];
  }
};

/** A whole answer as a message. */
export const messageAnswer = (
  { id, parts, finish, stopText, usage }: Answer,
  { requestId, model }: AnswerFacts,
): Buffer =>
  Buffer.from(
    JSON.stringify({
      id: messageId(id, requestId),
      type: 'message',
      role: 'assistant',
      model,
      content: withCarriedSignatures(parts).flatMap(blockOf),
      ...stopMembers(finish, stopText),
      usage: messageUsage(usage),
    }),
  );
