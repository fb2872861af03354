import type { AssistantPart, Conversation, FilePart, Source, Turn, UserPart } from '../conversation/conversation.ts';
import { urlOf } from '../conversation/data-url.ts';
import type { ReadFault } from './dialect.ts';

const fileText = ({ source }: FilePart): string => (source.kind === 'text' ? source.text : '');

/** Enough of an image to read its size. */
const urlHead = (source: Source): string =>
  urlOf(source.kind === 'url' ? source : { ...source, base64: source.base64.slice(0, 256 * 1024) });

const contentOf = (part: UserPart | AssistantPart): object => {
  switch (part.kind) {
    case 'image':
      return { type: 'image_url', image_url: { detail: part.detail ?? 'auto', url: urlHead(part.source) } };
    case 'file':
      return { type: 'text', text: fileText(part) };
    case 'audio':
      return { type: 'text', text: '' };
    case 'tool_call':
      return { type: 'text', text: part.name + part.arguments };
    case 'text':
    case 'reasoning':
    case 'refusal':
      return { type: 'text', text: part.text };
  }
};

const messageOf = (turn: Turn): object => ({ role: turn.role, content: turn.parts.map(contentOf) });

/** A chat completion body with the texts, images and tools of a conversation, for the counter of prompt tokens. */
export const countableBody = (conversation: Conversation | ReadFault): Buffer => {
  if ('kind' in conversation) return Buffer.from('{}');
  const { system, turns, tools } = conversation;
  const messages = [
    ...(system.length === 0 ? [] : [{ role: 'system', content: system.map(contentOf) }]),
    ...turns.map(messageOf),
  ];
  return Buffer.from(JSON.stringify({ messages, ...(tools.length > 0 && { tools }) }));
};
