import { withCallSignatures } from '../../conversation/call-signatures.ts';
import type { AssistantPart, FilePart, ImagePart, TextPart, Turn, UserPart } from '../../conversation/conversation.ts';
import { sourceOf } from '../../conversation/data-url.ts';
import { isObject, type Json, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { UnreadableError } from '../read-fault.ts';

const named = (value: unknown): string => String(value).slice(0, 64);

const imagePart = (part: Json): ImagePart => {
  const url = textAt(part, 'image_url');
  if (url === '') throw new UnreadableError('input_image needs an image_url: file IDs are not supported');
  return { kind: 'image', source: sourceOf(url), detail: textAt(part, 'detail') || null };
};

const filePart = (part: Json): FilePart => {
  const url = textAt(part, 'file_data') || textAt(part, 'file_url');
  if (url === '') throw new UnreadableError('input_file needs file_data or a file_url: file IDs are not supported');
  return { kind: 'file', name: textAt(part, 'filename'), source: sourceOf(url) };
};

const partOf = (part: Json): UserPart => {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { kind: 'text', text: textAt(part, 'text') };
    case 'input_image':
      return imagePart(part);
    case 'input_file':
      return filePart(part);
    case 'input_audio': {
      const audio = objectAt(part, 'input_audio');
      return { kind: 'audio', format: textAt(audio, 'format'), base64: textAt(audio, 'data') };
    }
    default:
      throw new UnreadableError(`content of type ${named(part['type'])} is not supported by this channel`);
  }
};

const partsOf = (content: unknown): readonly UserPart[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) throw new UnreadableError('content must be a text or a list');
  return content.filter(isObject).map(partOf);
};

const textPartsOf = (content: unknown): readonly TextPart[] => partsOf(content).filter((part) => part.kind === 'text');

const assistantPartsOf = (content: unknown): readonly AssistantPart[] => {
  if (!Array.isArray(content)) return textPartsOf(content);
  return content.filter(isObject).flatMap((part): readonly AssistantPart[] => {
    if (part['type'] === 'refusal') return [{ kind: 'refusal', text: textAt(part, 'refusal') }];
    return textPartsOf([part]);
  });
};

const reasoningOf = (item: Json): AssistantPart => ({
  kind: 'reasoning',
  text: [...objectsAt(item, 'summary'), ...objectsAt(item, 'content')].map((part) => textAt(part, 'text')).join('\n'),
  signature: textAt(item, 'encrypted_content'),
});

const messageTurn = (item: Json): Turn => {
  const { role, content } = item;
  switch (role) {
    case 'user':
      return { role, parts: partsOf(content) };
    case 'assistant':
      return { role, parts: assistantPartsOf(content) };
    case 'system':
    case 'developer':
      return { role: 'system', parts: textPartsOf(content) };
    default:
      throw new UnreadableError(`messages of role ${named(role)} are not supported`);
  }
};

/** Names of the tools that were called so far, by the ids of the calls. */
type Called = Map<string, string>;

const callTurn = (item: Json, called: Called): Turn => {
  const id = textAt(item, 'call_id');
  const name = textAt(item, 'name');
  called.set(id, name);
  return { role: 'assistant', parts: [{ kind: 'tool_call', id, name, arguments: textAt(item, 'arguments') }] };
};

const outputTurn = (item: Json, called: Called): Turn => {
  const callId = textAt(item, 'call_id');
  const parts = partsOf(item['output'] ?? '').filter((part) => part.kind !== 'audio');
  return { role: 'tool', callId, name: called.get(callId) ?? '', parts, isError: false };
};

const turnOf = (item: Json, called: Called): Turn => {
  switch (item['type']) {
    case undefined:
    case 'message':
      return messageTurn(item);
    case 'function_call':
      return callTurn(item, called);
    case 'function_call_output':
      return outputTurn(item, called);
    case 'reasoning':
      return { role: 'assistant', parts: [reasoningOf(item)] };
    default:
      throw new UnreadableError(`items of type ${named(item['type'])} are not supported by this channel`);
  }
};

/** Messages, reasoning and calls of an assistant are separate items: they are joined into one turn. */
const joined = (turns: readonly Turn[]): readonly Turn[] => {
  const result: Turn[] = [];
  for (const turn of turns) {
    const last = result.at(-1);
    if (turn.role === 'assistant' && last?.role === 'assistant')
      result[result.length - 1] = { role: 'assistant', parts: [...last.parts, ...turn.parts] };
    else result.push(turn);
  }
  return result.map((turn) => (turn.role === 'assistant' ? { ...turn, parts: withCallSignatures(turn.parts) } : turn));
};

/** The items of an `input`: a text is a message of the user. */
export const itemsOf = (input: unknown): readonly Json[] => {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!Array.isArray(input)) throw new UnreadableError('field input is required');
  if (!input.every(isObject)) throw new UnreadableError('every item must be an object');
  return input;
};

/** What earlier answers kept; null: nothing by that id. */
export type Find = (id: string) => Json | null;

/** Whether an item only names an earlier one. */
export const isReference = (item: Json): boolean =>
  textAt(item, 'id') !== '' &&
  (item['type'] === 'item_reference' || (item['type'] === undefined && item['role'] === undefined));

const resolved = (item: Json, find: Find): Json => {
  if (!isReference(item)) return item;
  const id = textAt(item, 'id');
  const found = find(id);
  if (found === null) throw new UnreadableError(`the item ${id.slice(0, 128)} is unknown: send it in full`);
  return found;
};

/** What is kept of a response: how its conversation went on. */
export const responseRecord = (members: Json, output: readonly Json[]): Json => ({
  previous: members['previous_response_id'] ?? null,
  input: members['input'] ?? [],
  output,
});

/** The largest number of linked responses that are followed. */
const chainMax = 1000;

/** The items of the preceding responses, the oldest first. */
const itemsBefore = (last: string, find: Find): readonly Json[] => {
  const chain: (readonly Json[])[] = [];
  for (let id = last; id !== '';) {
    const found = chain.length < chainMax ? find(id) : null;
    if (found === null) throw new UnreadableError(`previous_response_id ${id.slice(0, 128)} is unknown`);
    chain.push([...itemsOf(found['input']), ...objectsAt(found, 'output')]);
    id = textAt(found, 'previous');
  }
  return chain.toReversed().flat();
};

/** The turns of a request, with those of the response that it follows. */
export const turnsOf = (body: Json, find: Find): readonly Turn[] => {
  const called: Called = new Map();
  const items = [...itemsBefore(textAt(body, 'previous_response_id'), find), ...itemsOf(body['input'])];
  return joined(items.map((item) => turnOf(resolved(item, find), called)));
};
