import type {
  AssistantPart,
  Conversation,
  FilePart,
  ImagePart,
  TextPart,
  Turn,
  UserPart,
} from '../../conversation/conversation.ts';
import { parseExactObject } from '../../conversation/exact-numbers.ts';
import { type Json } from '../../conversation/json.ts';
import { UnsupportedPartError } from '../unsupported-part.ts';

/** A message in the format of the API. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Json[];
}

const marked = (block: Json, { cache }: { readonly cache?: Json }): Json =>
  cache === undefined ? block : { ...block, cache_control: cache };

export const textBlocks = (parts: readonly TextPart[]): readonly Json[] =>
  parts.filter(({ text }) => text.trim() !== '').map((part) => marked({ type: 'text', text: part.text }, part));

const imageBlock = (part: ImagePart): Json => {
  const { source } = part;
  const imageSource =
    source.kind === 'url'
      ? { type: 'url', url: source.url }
      : { type: 'base64', media_type: source.mime, data: source.base64 };
  return marked({ type: 'image', source: imageSource }, part);
};

const documentSource = ({ source }: FilePart): Json => {
  if (source.kind === 'url') return { type: 'url', url: source.url };
  if (source.kind === 'text') return { type: 'text', media_type: 'text/plain', data: source.text };
  if (source.mime === 'application/pdf') return { type: 'base64', media_type: source.mime, data: source.base64 };
  if (!source.mime.startsWith('text/'))
    throw new UnsupportedPartError(`files of type ${source.mime} are not supported`);
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.base64, 'base64').toString() };
};

const documentBlock = (part: FilePart): Json =>
  marked({ type: 'document', source: documentSource(part), ...(part.name !== '' && { title: part.name }) }, part);

const userBlocks = (parts: readonly UserPart[]): readonly Json[] =>
  parts.flatMap((part): readonly Json[] => {
    switch (part.kind) {
      case 'text':
        return textBlocks([part]);
      case 'image':
        return [imageBlock(part)];
      case 'file':
        return [documentBlock(part)];
      case 'audio':
        throw new UnsupportedPartError('audio is not supported by this channel');
    }
  });

/** Ids may only contain letters, digits, `_` and `-`. */
const callId = (id: string): string => (id === '' ? 'toolu_0' : id.replace(/[^\w-]/g, '_'));

const assistantBlocks = (parts: readonly AssistantPart[]): readonly Json[] =>
  parts.flatMap((part): readonly Json[] => {
    switch (part.kind) {
      case 'text':
        return textBlocks([part]);
      case 'refusal':
        return textBlocks([{ kind: 'text', text: part.text }]);
      case 'reasoning':
        // Reasoning without its signature is another vendor's, or was shortened: the API would reject it.
        if (part.signature === '') return [];
        return part.redacted
          ? [{ type: 'redacted_thinking', data: part.signature }]
          : [{ type: 'thinking', thinking: part.text, signature: part.signature }];
      case 'tool_call':
        return [{ type: 'tool_use', id: callId(part.id), name: part.name, input: parseExactObject(part.arguments) }];
      case 'image':
        return [];
    }
  });

/** The caller moves system messages between turns into `system`. */
const messageOf = (turn: Turn): AnthropicMessage | null => {
  if (turn.role === 'system') return null;
  if (turn.role === 'assistant') return { role: 'assistant', content: assistantBlocks(turn.parts) };
  if (turn.role === 'user') return { role: 'user', content: userBlocks(turn.parts) };
  const content = userBlocks(turn.parts);
  return {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: callId(turn.callId),
        ...(content.length > 0 && { content }),
        ...(turn.isError && { is_error: true }),
      },
    ],
  };
};

const merged = (turns: readonly Turn[]): AnthropicMessage[] => {
  const messages: AnthropicMessage[] = [];
  for (const turn of turns) {
    const message = messageOf(turn);
    if (message === null || message.content.length === 0) continue;
    const last = messages.at(-1);
    if (last?.role === message.role)
      messages[messages.length - 1] = { ...last, content: [...last.content, ...message.content] };
    else messages.push(message);
  }
  return messages;
};

const textMessage = (role: AnthropicMessage['role'], text: string): AnthropicMessage => ({
  role,
  content: [{ type: 'text', text }],
});

/** A prefilled answer must not end with white space. */
const trimmedEnd = (message: AnthropicMessage): AnthropicMessage => {
  const last = message.content.at(-1);
  const text = last?.['text'];
  if (typeof text !== 'string') return message;
  return { ...message, content: [...message.content.slice(0, -1), { ...last, text: text.trimEnd() }] };
};

/**
 * The turns as messages that the API accepts: the user first, no role twice in a row, tool results before the next user
 * content, and no prefilled answer for models that take none.
 */
export const anthropicMessages = ({ turns }: Conversation, prefills: boolean): readonly AnthropicMessage[] => {
  const messages = merged(turns);
  const startingWithUser = messages[0]?.role === 'assistant' ? [textMessage('user', '.'), ...messages] : messages;
  const last = startingWithUser.at(-1);
  if (last?.role !== 'assistant') return startingWithUser;
  return prefills
    ? [...startingWithUser.slice(0, -1), trimmedEnd(last)]
    : [...startingWithUser, textMessage('user', 'Continue.')];
};
