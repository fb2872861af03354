import type { Answer, StreamEvent } from './answer.ts';
import type { AssistantPart } from './conversation.ts';

/** A part as the events that would have streamed it. `index` counts the calls before it. */
export const partEvents = (part: AssistantPart, index: number): readonly StreamEvent[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return [{ kind: part.kind, text: part.text }];
    case 'reasoning': {
      const { text, signature, redacted } = part;
      const said: readonly StreamEvent[] = text === '' ? [] : [{ kind: 'reasoning', text }];
      return signature === '' ? said : [...said, { kind: 'signature', signature, ...(redacted && { redacted }) }];
    }
    case 'image':
      return part.source.kind === 'data' ? [{ ...part.source, kind: 'image' }] : [];
    case 'tool_call': {
      const { id, name, signature } = part;
      const start: StreamEvent = { kind: 'tool_start', index, id, name, ...(signature !== undefined && { signature }) };
      return [start, { kind: 'tool_arguments', index, text: part.arguments }];
    }
  }
};

/** A whole answer as the events of a stream. */
export const answerEvents = ({ id, parts, usage, finish, stopText }: Answer): readonly StreamEvent[] => {
  let calls = 0;
  const said = parts.flatMap((part) => {
    const events = partEvents(part, calls);
    if (part.kind === 'tool_call') calls += 1;
    return events;
  });
  return [
    { kind: 'start', id },
    ...said,
    ...(usage === null ? [] : [{ kind: 'usage', usage } as const]),
    { kind: 'finish', finish, ...(stopText !== undefined && { stopText }) },
  ];
};
