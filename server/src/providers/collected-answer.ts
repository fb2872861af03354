import type { Answer, StreamEvent } from '../conversation/answer.ts';
import type { AssistantPart } from '../conversation/conversation.ts';

const callsIn = (events: readonly StreamEvent[]): readonly AssistantPart[] =>
  events.flatMap((event): readonly AssistantPart[] => {
    if (event.kind !== 'tool_start') return [];
    const pieces = events.flatMap((other) =>
      other.kind === 'tool_arguments' && other.index === event.index ? [other.text] : [],
    );
    return [{ kind: 'tool_call', id: event.id, name: event.name, arguments: pieces.join('') }];
  });

/** Builds a whole answer from the events of a complete stream, for vendors that only stream. */
export const collectedAnswer = (events: readonly StreamEvent[]): Answer => {
  const joined = (kind: 'text' | 'reasoning') =>
    events.map((event) => (event.kind === kind ? event.text : '')).join('');
  const reasoning = joined('reasoning');
  const text = joined('text');
  const [start, finish] = [
    events.find(({ kind }) => kind === 'start'),
    events.find((event) => event.kind === 'finish'),
  ];
  return {
    id: start?.kind === 'start' ? start.id : '',
    parts: [
      ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning, signature: '' } as const]),
      ...(text === '' ? [] : [{ kind: 'text', text } as const]),
      ...callsIn(events),
    ],
    finish: finish?.finish ?? 'stop',
    usage: events.findLast((event) => event.kind === 'usage')?.usage ?? null,
  };
};
