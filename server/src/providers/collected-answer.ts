import type { Answer, StreamEvent } from '../conversation/answer.ts';
import type { AssistantPart } from '../conversation/conversation.ts';

const callsIn = (heard: readonly StreamEvent[]): readonly AssistantPart[] =>
  heard.flatMap((event): readonly AssistantPart[] => {
    if (event.kind !== 'tool_start') return [];
    const pieces = heard.flatMap((other) =>
      other.kind === 'tool_arguments' && other.index === event.index ? [other.text] : [],
    );
    return [{ kind: 'tool_call', id: event.id, name: event.name, arguments: pieces.join('') }];
  });

/** The events of a complete stream as the answer that they are, for vendors that have no other form. */
export const collectedAnswer = (heard: readonly StreamEvent[]): Answer => {
  const joined = (kind: 'text' | 'reasoning') => heard.map((event) => (event.kind === kind ? event.text : '')).join('');
  const reasoning = joined('reasoning');
  const text = joined('text');
  const [start, finish] = [heard.find(({ kind }) => kind === 'start'), heard.find((event) => event.kind === 'finish')];
  return {
    id: start?.kind === 'start' ? start.id : '',
    parts: [
      ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning, signature: '' } as const]),
      ...(text === '' ? [] : [{ kind: 'text', text } as const]),
      ...callsIn(heard),
    ],
    finish: finish?.finish ?? 'stop',
    usage: heard.findLast((event) => event.kind === 'usage')?.usage ?? null,
  };
};
