import type {
  AssistantPart,
  AudioPart,
  FilePart,
  ImagePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  UserPart,
} from '../../conversation/conversation.ts';
import { sourceOf } from '../../conversation/data-url.ts';
import { isObject, type Json, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { UnreadableError } from '../read-fault.ts';

const textPart = (part: Json): TextPart => {
  const cache = part['cache_control'];
  return { kind: 'text', text: textAt(part, 'text'), ...(isObject(cache) && { cache }) };
};

const imagePart = (part: Json): ImagePart => {
  const image = part['image_url'];
  const url = isObject(image) ? textAt(image, 'url') : textAt(part, 'image_url');
  if (url === '') throw new UnreadableError('image_url needs a url');
  const detail = isObject(image) ? textAt(image, 'detail') : '';
  return { kind: 'image', source: sourceOf(url), detail: detail === '' ? null : detail };
};

const audioPart = (part: Json): AudioPart => {
  const audio = objectAt(part, 'input_audio');
  return { kind: 'audio', format: textAt(audio, 'format'), base64: textAt(audio, 'data') };
};

const filePart = (part: Json): FilePart => {
  const file = objectAt(part, 'file');
  const data = textAt(file, 'file_data');
  if (data === '') throw new UnreadableError('a file must carry its content in file_data');
  return { kind: 'file', name: textAt(file, 'filename'), source: sourceOf(data) };
};

const partOf = (part: Json): UserPart => {
  switch (part['type']) {
    case 'text':
      return textPart(part);
    case 'image_url':
      return imagePart(part);
    case 'input_audio':
      return audioPart(part);
    case 'file':
      return filePart(part);
    default:
      throw new UnreadableError(`content of type ${String(part['type']).slice(0, 64)} is not supported`);
  }
};

/** The content of a message: a text, or a list of parts. */
export const partsOf = (content: unknown): readonly UserPart[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  if (content === null || content === undefined) return [];
  if (!Array.isArray(content)) throw new UnreadableError('content must be a text or a list');
  return content.filter(isObject).map(partOf);
};

/** The parts that are texts. */
export const textPartsOf = (content: unknown): readonly TextPart[] =>
  partsOf(content).filter((part) => part.kind === 'text');

/** Reasoning in the form of vendors of this format, with the members that they need back (provider notes 5, 19.1). */
const reasoningOf = (message: Json): readonly ReasoningPart[] => {
  const details = objectsAt(message, 'reasoning_details').filter(({ type }) => type === 'thinking');
  if (details.length > 0) {
    return details.map((detail) => ({
      kind: 'reasoning',
      text: textAt(detail, 'text'),
      signature: textAt(detail, 'signature'),
      ...(detail['redacted'] === true && { redacted: true }),
    }));
  }
  const text = textAt(message, 'reasoning_content') || textAt(message, 'reasoning');
  return text === '' ? [] : [{ kind: 'reasoning', text, signature: '' }];
};

const callOf = (call: Json): ToolCallPart => {
  const called = objectAt(call, 'function');
  const name = textAt(called, 'name');
  if (name === '') throw new UnreadableError('a tool call needs the name of its function');
  const signature = textAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature');
  const part = { kind: 'tool_call', id: textAt(call, 'id'), name, arguments: textAt(called, 'arguments') } as const;
  return signature === '' ? part : { ...part, signature };
};

/** Calls of the first generation have no ids: the name of the function is used as id. */
export const legacyCallId = (name: string): string => `call_${name}`;

const legacyCallOf = (message: Json): readonly ToolCallPart[] => {
  const call = message['function_call'];
  if (!isObject(call)) return [];
  const name = textAt(call, 'name');
  return [{ kind: 'tool_call', id: legacyCallId(name), name, arguments: textAt(call, 'arguments') }];
};

const refusalOf = (message: Json): readonly AssistantPart[] => {
  const text = textAt(message, 'refusal');
  return text === '' ? [] : [{ kind: 'refusal', text }];
};

/** The parts of an earlier assistant message. */
export const assistantPartsOf = (message: Json): readonly AssistantPart[] => {
  const { content } = message;
  const said = Array.isArray(content)
    ? content.filter(isObject).map((part): AssistantPart => {
        if (part['type'] === 'refusal') return { kind: 'refusal', text: textAt(part, 'refusal') };
        return textPart(part);
      })
    : textPartsOf(content);
  const calls = objectsAt(message, 'tool_calls').map(callOf);
  return [...reasoningOf(message), ...said, ...refusalOf(message), ...calls, ...legacyCallOf(message)];
};
