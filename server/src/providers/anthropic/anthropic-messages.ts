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
import type { ClaudeTraits } from './anthropic-models.ts';
import { UnsupportedPartError } from '../unsupported-part.ts';

/** A message in the format of the API. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant' | 'system';
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

const messageOf = (turn: Exclude<Turn, { role: 'system' }>): AnthropicMessage => {
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

/** The messages of the turns, and the text of system messages that found no place among them. */
interface Placed {
  readonly messages: AnthropicMessage[];
  readonly unplaced: readonly Json[];
}

/**
 * No role twice in a row. `systemTurns`: system messages stay as near as possible to their places, which are between a
 * user's turn and its answer, or at the end: in front of the conversation they would change its cached beginning.
 */
const merged = (turns: readonly Turn[], systemTurns: boolean): Placed => {
  const messages: AnthropicMessage[] = [];
  let waiting: readonly Json[] = [];
  const place = () => {
    if (!systemTurns || waiting.length === 0 || messages.at(-1)?.role !== 'user') return;
    messages.push({ role: 'system', content: waiting });
    waiting = [];
  };
  for (const turn of turns) {
    if (turn.role === 'system') {
      waiting = [...waiting, ...textBlocks(turn.parts)];
      continue;
    }
    const message = messageOf(turn);
    if (message.content.length === 0) continue;
    if (message.role === 'assistant') place();
    const last = messages.at(-1);
    if (last?.role === message.role)
      messages[messages.length - 1] = { ...last, content: [...last.content, ...message.content] };
    else messages.push(message);
  }
  place();
  return { messages, unplaced: waiting };
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
export const anthropicMessages = (
  { turns }: Conversation,
  { prefills, systemTurns }: Pick<ClaudeTraits, 'prefills' | 'systemTurns'>,
): { readonly messages: readonly AnthropicMessage[]; readonly unplaced: readonly Json[] } => {
  const { messages, unplaced } = merged(turns, systemTurns);
  const startingWithUser = messages[0]?.role === 'assistant' ? [textMessage('user', '.'), ...messages] : messages;
  const last = startingWithUser.at(-1);
  if (last?.role !== 'assistant') return { messages: startingWithUser, unplaced };
  const ended = prefills
    ? [...startingWithUser.slice(0, -1), trimmedEnd(last)]
    : [...startingWithUser, textMessage('user', 'Continue.')];
  return { messages: ended, unplaced };
};
