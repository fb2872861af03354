import type {
  AnswerFormat,
  AssistantPart,
  Conversation,
  Tool,
  Turn,
  UserPart,
} from '../../conversation/conversation.ts';
import { urlOf } from '../../conversation/data-url.ts';
import type { Json } from '../../conversation/json.ts';
import { joinTexts } from '../../conversation/text.ts';
import { UnsupportedPartError } from '../unsupported-part.ts';

const partOf = (part: UserPart): Json => {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image_url', image_url: { url: urlOf(part.source), ...(part.detail && { detail: part.detail }) } };
    case 'file':
      if (part.source.kind === 'text') return { type: 'text', text: part.source.text };
      throw new UnsupportedPartError('files are not supported by this channel');
    case 'audio':
      throw new UnsupportedPartError('audio is not supported by this channel');
  }
};

const contentOf = (parts: readonly UserPart[]): unknown =>
  parts.every(({ kind }) => kind === 'text') ? joinTexts(parts, '\n') : parts.map(partOf);

/** Reasoning before tool calls is sent back as the tool plan. */
const assistantMessage = (parts: readonly AssistantPart[]): Json => {
  const textsOf = (kind: 'text' | 'reasoning') => parts.map((part) => (part.kind === kind ? part.text : '')).join('');
  const text = textsOf('text');
  const plan = textsOf('reasoning');
  const calls = parts.flatMap((part) =>
    part.kind === 'tool_call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments || '{}' } }]
      : [],
  );
  if (calls.length === 0) return { role: 'assistant', content: text };
  return {
    role: 'assistant',
    ...(text !== '' && { content: text }),
    ...(plan !== '' && { tool_plan: plan }),
    tool_calls: calls,
  };
};

const messageOf = (turn: Turn): Json => {
  switch (turn.role) {
    case 'assistant':
      return assistantMessage(turn.parts);
    case 'tool': {
      if (turn.parts.some(({ kind }) => kind === 'image'))
        throw new UnsupportedPartError('tool results of this channel must be text');
      const content = `${turn.isError ? 'Error: ' : ''}${joinTexts(turn.parts, '\n')}`;
      return { role: 'tool', tool_call_id: turn.callId, content };
    }
    case 'system':
    case 'user':
      return { role: turn.role, content: contentOf(turn.parts) };
  }
};

const toolOf = ({ name, description, parameters }: Tool): Json => ({
  type: 'function',
  function: {
    name,
    ...(description !== '' && { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
  },
});

/** The API cannot force a tool by name: the request then offers only that tool. */
const toolMembers = ({ tools, toolChoice }: Conversation): Json => {
  if (tools.length === 0) return {};
  const forced = toolChoice?.kind === 'tool' ? tools.filter(({ name }) => name === toolChoice.name) : [];
  const choice = toolChoice?.kind === 'none' ? 'NONE' : 'REQUIRED';
  return {
    tools: (forced.length > 0 ? forced : tools).map(toolOf),
    ...(toolChoice !== null && toolChoice.kind !== 'auto' && { tool_choice: choice }),
  };
};

const formatMembers = (format: AnswerFormat): Json =>
  format.kind === 'text'
    ? {}
    : {
        response_format: { type: 'json_object', ...(format.kind === 'schema' && { json_schema: format.schema }) },
      };

/** Reasoning models think unless the request turns it off; other models reject the member. */
const thinkingMembers = ({ reasoning }: Conversation, model: string): Json => {
  if (reasoning === null || !model.includes('reasoning')) return {};
  if (reasoning.effort === 'none' || reasoning.budget === 0) return { thinking: { type: 'disabled' } };
  return reasoning.budget === null ? {} : { thinking: { type: 'enabled', token_budget: reasoning.budget } };
};

const clamped = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
const stopMax = 5;

const samplingMembers = (conversation: Conversation): Json => {
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty, stop } = conversation;
  return {
    ...(temperature !== null && { temperature: clamped(temperature, 0, 1) }),
    ...(topP !== null && { p: clamped(topP, 0.01, 0.99) }),
    ...(topK !== null && { k: clamped(topK, 0, 500) }),
    ...(seed !== null && { seed }),
    ...(presencePenalty !== null && { presence_penalty: clamped(presencePenalty, 0, 1) }),
    ...(frequencyPenalty !== null && { frequency_penalty: clamped(frequencyPenalty, 0, 1) }),
    ...(stop.length > 0 && { stop_sequences: stop.slice(0, stopMax) }),
  };
};

/** A conversation in the format of `/v2/chat`. Throws `UnsupportedPartError`. */
export const cohereBody = (conversation: Conversation, model: string, stream: boolean): Json => {
  const { system, turns, outputLimit } = conversation;
  const systemText = joinTexts(system, '\n\n');
  return {
    model,
    stream,
    messages: [...(systemText === '' ? [] : [{ role: 'system', content: systemText }]), ...turns.map(messageOf)],
    ...toolMembers(conversation),
    ...formatMembers(conversation.answerFormat),
    ...(outputLimit !== null && { max_tokens: outputLimit }),
    ...samplingMembers(conversation),
    ...thinkingMembers(conversation, model),
  };
};
