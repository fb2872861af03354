import type { StreamEvent } from './answer.ts';
import type { AssistantPart } from './conversation.ts';

/** Begins the signature of a reasoning part that belongs to the tool call behind it. */
const mark = 'call:';

const reasoningFor = (signature: string) => ({ kind: 'reasoning', text: '', signature: mark + signature }) as const;

/** For dialects whose tool calls have no place for a signature: it becomes reasoning in front of its call. */
export const withCarriedSignatures = (parts: readonly AssistantPart[]): readonly AssistantPart[] =>
  parts.flatMap((part) =>
    part.kind === 'tool_call' && part.signature !== undefined ? [reasoningFor(part.signature), part] : [part],
  );

/** The same for the events of a stream. */
export const eventsWithCarriedSignatures = (events: readonly StreamEvent[]): readonly StreamEvent[] =>
  events.flatMap((event): readonly StreamEvent[] =>
    event.kind === 'tool_start' && event.signature !== undefined
      ? [{ kind: 'signature', signature: mark + event.signature }, event]
      : [event],
  );

/** The reverse: each carried signature in its call. */
export const withCallSignatures = (parts: readonly AssistantPart[]): readonly AssistantPart[] => {
  const result: AssistantPart[] = [];
  let carried: string | null = null;
  for (const part of parts) {
    if (part.kind === 'reasoning' && part.signature.startsWith(mark)) {
      carried = part.signature.slice(mark.length);
      if (part.text !== '') result.push({ ...part, signature: '' });
    } else if (part.kind === 'tool_call' && carried !== null) {
      result.push({ ...part, signature: carried });
      carried = null;
    } else result.push(part);
  }
  return result;
};
