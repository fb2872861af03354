import type { Answer, StreamEvent } from './answer.ts';
import type { AssistantPart } from './conversation.ts';

const partText = (part: AssistantPart): string => {
  if (part.kind === 'tool_call') return part.name + part.arguments;
  return part.kind === 'image' ? '' : part.text;
};

/** All output of an answer that costs text tokens: text, reasoning, tool calls. */
export const outputText = ({ parts }: Answer): string => parts.map(partText).join('');

const eventText = (event: StreamEvent): string => {
  switch (event.kind) {
    case 'text':
    case 'reasoning':
    case 'refusal':
    case 'tool_arguments':
      return event.text;
    case 'tool_start':
      return event.name;
    case 'start':
    case 'signature':
    case 'image':
    case 'usage':
    case 'finish':
      return '';
  }
};

/** The same for events of a stream. */
export const outputTextOfEvents = (events: readonly StreamEvent[]): string => {
  let text = '';
  for (const event of events) text += eventText(event);
  return text;
};
