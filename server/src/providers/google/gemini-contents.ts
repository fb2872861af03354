import { calledTools } from '../../conversation/called-tools.ts';
import type {
  AssistantPart,
  Conversation,
  FilePart,
  ImagePart,
  Source,
  ToolCallPart,
  ToolTurn,
  Turn,
  UserPart,
} from '../../conversation/conversation.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json } from '../../conversation/json.ts';

/** One turn in the format of the API. */
export interface GeminiContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly Json[];
}

/** Content at a URL that the API does not fetch. */
export class UnfetchedError extends Error {
  constructor() {
    super('this channel takes images and files by value only');
    this.name = 'UnfetchedError';
  }
}

/** Replaces a thought signature that the client did not send back; documented by the vendor. */
const noSignature = 'skip_thought_signature_validator';

/** URLs that the vendor fetches itself: its own file store and videos. */
const readable =
  /^(?:https:\/\/generativelanguage\.googleapis\.com\/|gs:\/\/|https:\/\/(?:www\.)?youtu(?:\.be|be\.com)\/)/;

/** Whether the vendor does not fetch a URL itself. */
export const isForeign = (address: string): boolean => !readable.test(address);

const blob = (source: Source): Json => {
  if (source.kind === 'data') return { inlineData: { mimeType: source.mime, data: source.base64 } };
  if (isForeign(source.url)) throw new UnfetchedError();
  return { fileData: { fileUri: source.url } };
};

const file = ({ source }: FilePart): Json => (source.kind === 'text' ? { text: source.text } : blob(source));
const image = ({ source }: ImagePart): Json => blob(source);

const userPart = (part: UserPart): readonly Json[] => {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [{ text: part.text }];
    case 'image':
      return [image(part)];
    case 'audio':
      return [{ inlineData: { mimeType: `audio/${part.format}`, data: part.base64 } }];
    case 'file':
      return [file(part)];
  }
};

/** Ids that this gateway made for calls that had none. */
const ownId = /^call_\w+_\d+$/;

/** Models that sign their calls also give them ids. */
const idMember = (id: string, signs: boolean): Json => (!signs || id === '' || ownId.test(id) ? {} : { id });

const functionCall = (part: ToolCallPart, signs: boolean, isFirst: boolean): Json => {
  const { id, name, arguments: text, signature } = part;
  const args = parseExact(text);
  const kept = signature ?? (signs && isFirst ? noSignature : undefined);
  return {
    functionCall: { ...idMember(id, signs), name, args: isObject(args) ? args : {} },
    ...(kept !== undefined && { thoughtSignature: kept }),
  };
};

const modelParts = (parts: readonly AssistantPart[], signs: boolean): readonly Json[] => {
  const firstCall = parts.find((part) => part.kind === 'tool_call');
  return parts.flatMap((part): readonly Json[] => {
    switch (part.kind) {
      case 'text':
      case 'refusal':
        return part.text === '' ? [] : [{ text: part.text }];
      case 'tool_call':
        return [functionCall(part, signs, part === firstCall)];
      case 'image':
        return [image(part)];
      // The API takes no thoughts back; their signatures are in the tool calls.
      case 'reasoning':
        return [];
    }
  });
};

const responseOf = ({ parts, isError }: ToolTurn): Json => {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const parsed = parseExact(text);
  if (isError) return { error: text };
  return isObject(parsed) ? parsed : { result: text };
};

const toolParts = (turn: ToolTurn, names: ReadonlyMap<string, string>, signs: boolean): readonly Json[] => [
  {
    functionResponse: {
      ...idMember(turn.callId, signs),
      name: turn.name === '' ? (names.get(turn.callId) ?? turn.callId) : turn.name,
      response: responseOf(turn),
    },
  },
  ...turn.parts.flatMap((part) => (part.kind === 'text' ? [] : userPart(part))),
];

/**
 * The turns, with neighbours of the same role merged: the results of parallel calls must be in one content.
 * `signs`: the model rejects tool calls in the history without a thought signature.
 */
export const geminiContents = ({ turns }: Conversation, signs: boolean): readonly GeminiContent[] => {
  const names = calledTools(turns);
  const contentOf = (turn: Turn): GeminiContent => {
    if (turn.role === 'assistant') return { role: 'model', parts: modelParts(turn.parts, signs) };
    return { role: 'user', parts: turn.role === 'tool' ? toolParts(turn, names, signs) : turn.parts.flatMap(userPart) };
  };
  const contents: GeminiContent[] = [];
  for (const turn of turns) {
    const content = contentOf(turn);
    if (content.parts.length === 0) continue;
    const last = contents.at(-1);
    if (last?.role !== content.role) contents.push(content);
    else contents[contents.length - 1] = { ...last, parts: [...last.parts, ...content.parts] };
  }
  return contents;
};
