import type {
  AnswerFormat,
  AssistantPart,
  Conversation,
  FilePart,
  Tool,
  ToolChoice,
  Turn,
  UserPart,
} from '../../conversation/conversation.ts';
import { urlOf } from '../../conversation/data-url.ts';
import { wantedEffort } from '../../conversation/reasoning-effort.ts';
import type { Json } from '../../conversation/json.ts';
import { joinTexts } from '../../conversation/text.ts';

/** The vendor's minimum. */
const outputLimitMin = 16;

const filePart = ({ name, source }: FilePart): Json => {
  if (source.kind === 'text')
    return { type: 'input_text', text: name === '' ? source.text : `${name}\n${source.text}` };
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url };
  return { type: 'input_file', filename: name === '' ? 'document' : name, file_data: urlOf(source) };
};

const partOf = (part: UserPart): Json => {
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      return { type: 'input_image', image_url: urlOf(part.source), detail: part.detail ?? 'auto' };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.base64, format: part.format } };
    case 'file':
      return filePart(part);
  }
};

const contentOf = (parts: readonly UserPart[]): unknown =>
  parts.every(({ kind }) => kind === 'text') ? joinTexts(parts, '\n') : parts.map(partOf);

/** The prefix of the vendor's own encrypted reasoning; it rejects that of other vendors. */
const isOwnReasoning = (signature: string): boolean => signature.startsWith('gAAAA');

const assistantItems = (part: AssistantPart): readonly Json[] => {
  switch (part.kind) {
    case 'text':
      return [{ role: 'assistant', content: [{ type: 'output_text', text: part.text }] }];
    case 'refusal':
      return [{ role: 'assistant', content: [{ type: 'refusal', refusal: part.text }] }];
    case 'reasoning': {
      const { text, signature } = part;
      const summary = text === '' ? [] : [{ type: 'summary_text', text }];
      return isOwnReasoning(signature) ? [{ type: 'reasoning', summary, encrypted_content: signature }] : [];
    }
    case 'tool_call':
      return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments || '{}' }];
    case 'image':
      return [];
  }
};

const itemsOf = (turn: Turn): readonly Json[] => {
  switch (turn.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(turn.parts) }];
    case 'system':
      return [{ role: 'developer', content: joinTexts(turn.parts, '\n\n') }];
    case 'assistant':
      return turn.parts.flatMap(assistantItems);
    case 'tool': {
      const { callId, parts, isError } = turn;
      const content = contentOf(parts);
      const output = isError && typeof content === 'string' ? `Error: ${content}` : content;
      return [{ type: 'function_call_output', call_id: callId, output }];
    }
  }
};

/** Unlike in chat completions, tools are strict by default. */
const toolOf = ({ name, description, parameters, strict }: Tool): Json => ({
  type: 'function',
  name,
  ...(description !== '' && { description }),
  parameters: parameters ?? { type: 'object', properties: {} },
  strict: strict ?? false,
});

const choiceOf = (choice: ToolChoice): unknown =>
  choice.kind === 'tool' ? { type: 'function', name: choice.name } : choice.kind;

const toolMembers = ({ tools, toolChoice, parallelTools }: Conversation): Json =>
  tools.length === 0
    ? {}
    : {
        tools: tools.map(toolOf),
        ...(toolChoice !== null && { tool_choice: choiceOf(toolChoice) }),
        ...(parallelTools !== null && { parallel_tool_calls: parallelTools }),
      };

const formatOf = (format: AnswerFormat): Json | null => {
  if (format.kind === 'text') return null;
  if (format.kind === 'json') return { type: 'json_object' };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', name, ...(description !== '' && { description }), schema, strict: strict ?? false };
};

/** Requests encrypted reasoning, which the client can send back with the next turn: nothing is stored at the vendor. */
const reasoningMembers = ({ reasoning }: Conversation): Json => {
  if (reasoning === null) return {};
  const effort = wantedEffort(reasoning);
  return {
    reasoning: { ...(effort !== null && { effort }), ...(reasoning.visible && { summary: 'auto' }) },
    ...(reasoning.visible && { include: ['reasoning.encrypted_content'] }),
  };
};

export interface ResponseRequest {
  readonly conversation: Conversation;
  /** The upstream's name. */
  readonly model: string;
  readonly stream: boolean;
}

/**
 * The body of a responses request (provider notes 19.4). Sampling parameters and stop sequences are left out: models that
 * have only this API are reasoning models, and reject them.
 */
export const responseBody = ({ conversation, model, stream }: ResponseRequest): Json => {
  const { system, turns, outputLimit, answerFormat, user } = conversation;
  const instructions = joinTexts(system, '\n\n');
  const format = formatOf(answerFormat);
  return {
    model,
    ...(instructions !== '' && { instructions }),
    input: turns.flatMap(itemsOf),
    ...toolMembers(conversation),
    ...(format !== null && { text: { format } }),
    ...(outputLimit !== null && { max_output_tokens: Math.max(outputLimitMin, outputLimit) }),
    ...reasoningMembers(conversation),
    ...(user !== null && { user }),
    store: false,
    ...(stream && { stream: true }),
  };
};
