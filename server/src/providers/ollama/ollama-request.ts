import { calledTools } from '../../conversation/called-tools.ts';
import type { AssistantPart, Conversation, ToolTurn, Turn, UserPart } from '../../conversation/conversation.ts';
import { levelOf, wantsReasoning } from '../../conversation/reasoning-effort.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json } from '../../conversation/json.ts';
import { textsOf } from '../../conversation/text.ts';
import { UnsupportedPartError } from '../unsupported-part.ts';

/** Images are a member of their own, in base64 without the prefix of a data URL. */
const imageOf = (part: UserPart | ToolTurn['parts'][number]): readonly string[] => {
  if (part.kind !== 'image') return [];
  if (part.source.kind === 'url') throw new UnsupportedPartError('this channel takes images by value only');
  return [part.source.base64];
};

const textOf = (part: UserPart | ToolTurn['parts'][number]): readonly string[] => {
  switch (part.kind) {
    case 'text':
      return [part.text];
    case 'image':
      return [];
    case 'file':
      if (part.source.kind === 'text') return [part.source.text];
      throw new UnsupportedPartError('files are not supported by this channel');
    case 'audio':
      throw new UnsupportedPartError('audio is not supported by this channel');
  }
};

const messageWith = (role: string, parts: readonly (UserPart | ToolTurn['parts'][number])[], more: Json = {}): Json => {
  const images = parts.flatMap(imageOf);
  return { role, content: parts.flatMap(textOf).join('\n'), ...(images.length > 0 && { images }), ...more };
};

const assistantMessage = (parts: readonly AssistantPart[]): Json => {
  const calls = parts.flatMap((part) => {
    if (part.kind !== 'tool_call') return [];
    const parsed = parseExact(part.arguments);
    return [{ id: part.id, function: { name: part.name, arguments: isObject(parsed) ? parsed : {} } }];
  });
  const thinking = textsOf(parts, 'reasoning');
  return {
    role: 'assistant',
    content: textsOf(parts, 'text'),
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
};

const messageOf = (turn: Turn, names: ReadonlyMap<string, string>): Json => {
  if (turn.role === 'assistant') return assistantMessage(turn.parts);
  if (turn.role !== 'tool') return messageWith(turn.role, turn.parts);
  const name = turn.name === '' ? (names.get(turn.callId) ?? '') : turn.name;
  return messageWith('tool', turn.parts, { tool_call_id: turn.callId, ...(name !== '' && { tool_name: name }) });
};

const messagesOf = ({ system, turns }: Conversation): readonly Json[] => {
  const names = calledTools(turns);
  return [
    ...(system.length === 0 ? [] : [messageWith('system', system)]),
    ...turns.map((turn) => messageOf(turn, names)),
  ];
};

/** Models that take a thinking level; others only take on or off. */
const levelled = /^gpt-oss/;

const thinkOf = ({ reasoning }: Conversation, model: string): boolean | string | null => {
  if (reasoning === null) return null;
  if (!wantsReasoning(reasoning)) return false;
  const { effort } = reasoning;
  return effort !== null && levelled.test(model) ? levelOf(effort) : true;
};

const present = (members: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

const optionsOf = (conversation: Conversation): Json =>
  present({
    temperature: conversation.temperature,
    top_p: conversation.topP,
    top_k: conversation.topK,
    seed: conversation.seed,
    num_predict: conversation.outputLimit,
    num_ctx: typeof conversation.members['num_ctx'] === 'number' ? conversation.members['num_ctx'] : null,
    stop: conversation.stop.length === 0 ? null : conversation.stop,
    presence_penalty: conversation.presencePenalty,
    frequency_penalty: conversation.frequencyPenalty,
  });

/** The API cannot force a tool call; to forbid calls, the request offers no tools. */
const toolsOf = ({ tools, toolChoice }: Conversation): readonly Json[] =>
  toolChoice?.kind === 'none'
    ? []
    : tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters: parameters ?? { type: 'object', properties: {} } },
      }));

const formatOf = ({ answerFormat }: Conversation): Json | 'json' | null => {
  if (answerFormat.kind === 'text') return null;
  return answerFormat.kind === 'json' ? 'json' : answerFormat.schema;
};

/** A conversation in the format of `/api/chat`. Throws `UnsupportedPartError`. */
export const ollamaBody = (conversation: Conversation, model: string, stream: boolean): Json => {
  const tools = toolsOf(conversation);
  const options = optionsOf(conversation);
  return {
    model,
    messages: messagesOf(conversation),
    // The vendor streams by default.
    stream,
    ...(tools.length > 0 && { tools }),
    ...present({ format: formatOf(conversation), think: thinkOf(conversation, model) }),
    ...(Object.keys(options).length > 0 && { options }),
  };
};
