import type {
  AnswerFormat,
  AssistantPart,
  Conversation,
  FilePart,
  ImagePart,
  Reasoning,
  TextPart,
  Tool,
  ToolChoice,
  Turn,
  UserPart,
} from '../../conversation/conversation.ts';
import { urlOf } from '../../conversation/data-url.ts';
import { wantedEffort } from '../../conversation/reasoning-effort.ts';
import type { Json } from '../../conversation/json.ts';
import { joinTexts, textsOf } from '../../conversation/text.ts';
import { bounded, type ChatBounds } from '../chat-bounds.ts';

/** How vendors of this format differ in conversations. */
export interface ChatTraits {
  /** The member in which the vendor requires the reasoning of earlier turns. */
  readonly replaysReasoning?: 'reasoning_content' | 'reasoning';
  /** The vendor requires `reasoning_content` back with the tool calls that followed it. */
  readonly replaysReasoningOfCalls?: true;
  /** The vendor requires the signatures of its tool calls back. */
  readonly replaysCallSignatures?: true;
  /** The members that request reasoning; default: OpenAI's effort, for models that are known to take it. */
  readonly reasoning?: (reasoning: Reasoning, model: string) => Json;
  /** The bounds of a conversation by model; default: none. */
  readonly bounds?: (model: string) => ChatBounds;
  /** The vendor takes text only. */
  readonly textOnly?: true;
  /** Servers of other models than OpenAI's, which refuse `top_k`. */
  readonly takesTopK?: true;
  /** Renames or adds members in the vendor's own way. */
  readonly rewrite?: (body: Json, model: string) => Json;
}

/** OpenAI's reasoning models reject `max_tokens` and the sampling parameters. */
export const isReasoningModel = (model: string): boolean =>
  /^(?:o\d|gpt-[5-9])/.test(model) && !model.includes('chat-latest');

const filePart = ({ name, source }: FilePart): Json => {
  if (source.kind === 'text') return { type: 'text', text: name === '' ? source.text : `${name}\n${source.text}` };
  if (source.kind === 'url') return { type: 'text', text: source.url };
  return { type: 'file', file: { filename: name === '' ? 'document' : name, file_data: urlOf(source) } };
};

const imagePart = ({ source, detail }: ImagePart): Json => ({
  type: 'image_url',
  image_url: { url: urlOf(source), ...(detail !== null && { detail }) },
});

const partOf = (part: UserPart): Json => {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return imagePart(part);
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.base64, format: part.format } };
    case 'file':
      return filePart(part);
  }
};

/** A single text is written as a string: some vendors take no lists. */
const contentOf = (parts: readonly UserPart[]): unknown =>
  parts.every(({ kind }) => kind === 'text') ? joinTexts(parts, '\n') : parts.map(partOf);

const callOf = (part: AssistantPart, { replaysCallSignatures }: ChatTraits): readonly Json[] => {
  if (part.kind !== 'tool_call') return [];
  const call = { id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments || '{}' } };
  const { signature } = part;
  if (signature === undefined || !replaysCallSignatures) return [call];
  return [{ ...call, extra_content: { google: { thought_signature: signature } } }];
};

/** Reasoning with a signature is another vendor's: this format has none. */
const unsigned = (part: AssistantPart): boolean => part.kind !== 'reasoning' || part.signature === '';

const reasoningMembers = (parts: readonly AssistantPart[], called: boolean, traits: ChatTraits): Json => {
  const { replaysReasoning, replaysReasoningOfCalls } = traits;
  if (replaysReasoning !== undefined) {
    const reasoning = textsOf(parts, 'reasoning');
    return reasoning === '' ? {} : { [replaysReasoning]: reasoning };
  }
  const reasoning = called && replaysReasoningOfCalls ? textsOf(parts.filter(unsigned), 'reasoning') : '';
  return reasoning === '' ? {} : { reasoning_content: reasoning };
};

const assistantMessage = (parts: readonly AssistantPart[], traits: ChatTraits): Json => {
  const text = textsOf(parts, 'text') + textsOf(parts, 'refusal');
  const calls = parts.flatMap((part) => callOf(part, traits));
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...reasoningMembers(parts, calls.length > 0, traits),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
};

/** Tool results are text only: their images follow in a user message. */
const toolMessages = (turns: readonly Extract<Turn, { role: 'tool' }>[]): readonly Json[] => {
  const images = turns.flatMap(({ parts }) => parts.filter((part) => part.kind !== 'text'));
  const messages = turns.map(({ callId, parts, isError }) => ({
    role: 'tool',
    tool_call_id: callId,
    content: `${isError ? 'Error: ' : ''}${joinTexts(parts, '\n')}`,
  }));
  return images.length === 0 ? messages : [...messages, { role: 'user', content: images.map(partOf) }];
};

const systemMessage = (parts: readonly TextPart[]): readonly Json[] => {
  const text = joinTexts(parts, '\n\n');
  return text === '' ? [] : [{ role: 'system', content: text }];
};

const messagesOf = ({ system, turns }: Conversation, traits: ChatTraits): readonly Json[] => {
  const messages: Json[] = [...systemMessage(system)];
  let results: Extract<Turn, { role: 'tool' }>[] = [];
  const flush = () => {
    messages.push(...toolMessages(results));
    results = [];
  };
  for (const turn of turns) {
    if (turn.role === 'tool') {
      results.push(turn);
      continue;
    }
    flush();
    if (turn.role === 'system') messages.push(...systemMessage(turn.parts));
    else if (turn.role === 'user') messages.push({ role: 'user', content: contentOf(turn.parts) });
    else messages.push(assistantMessage(turn.parts, traits));
  }
  flush();
  return messages;
};

const toolOf = ({ name, description, parameters, strict }: Tool): Json => ({
  type: 'function',
  function: {
    name,
    ...(description !== '' && { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(strict !== null && { strict }),
  },
});

const choiceOf = (choice: ToolChoice): unknown =>
  choice.kind === 'tool' ? { type: 'function', function: { name: choice.name } } : choice.kind;

const toolMembers = ({ tools, toolChoice, parallelTools }: Conversation): Json =>
  tools.length === 0
    ? {}
    : {
        tools: tools.map(toolOf),
        ...(toolChoice !== null && { tool_choice: choiceOf(toolChoice) }),
        ...(parallelTools !== null && { parallel_tool_calls: parallelTools }),
      };

const formatMembers = (format: AnswerFormat): Json => {
  if (format.kind === 'text') return {};
  if (format.kind === 'json') return { response_format: { type: 'json_object' } };
  const { name, description, schema, strict } = format;
  const described = {
    name,
    ...(description !== '' && { description }),
    schema,
    ...(strict !== null && { strict }),
  };
  return { response_format: { type: 'json_schema', json_schema: described } };
};

const ownReasoning = (reasoning: Reasoning, model: string): Json => {
  const requested = wantedEffort(reasoning);
  return requested === null || !isReasoningModel(model) ? {} : { reasoning_effort: requested };
};

const stopMax = 4;

const samplingMembers = (conversation: Conversation): Json => {
  const { temperature, topP, seed, presencePenalty, frequencyPenalty, stop } = conversation;
  return {
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(seed !== null && { seed }),
    ...(presencePenalty !== null && { presence_penalty: presencePenalty }),
    ...(frequencyPenalty !== null && { frequency_penalty: frequencyPenalty }),
    ...(stop.length > 0 && { stop: stop.slice(0, stopMax) }),
  };
};

const isOpenAiModel = (model: string): boolean => /^(gpt-|chatgpt-|o\d)/.test(model);

export interface ChatBody {
  readonly conversation: Conversation;
  /** The upstream's name. */
  readonly model: string;
  readonly stream: boolean;
  readonly limitMember: 'max_tokens' | 'max_completion_tokens';
  readonly traits: ChatTraits;
}

/** The body of a chat completion request, without `stream_options`. */
export const chatBody = ({ conversation: whole, model, stream, limitMember, traits }: ChatBody): Json => {
  const conversation = bounded(whole, traits.bounds?.(model) ?? {});
  const { outputLimit, reasoning, user, topK } = conversation;
  const body = {
    model,
    messages: messagesOf(conversation, traits),
    ...toolMembers(conversation),
    ...formatMembers(conversation.answerFormat),
    ...(outputLimit !== null && { [limitMember]: outputLimit }),
    ...(!isReasoningModel(model) && samplingMembers(conversation)),
    ...(traits.takesTopK && topK !== null && !isOpenAiModel(model) && { top_k: topK }),
    ...(reasoning !== null && (traits.reasoning ?? ownReasoning)(reasoning, model)),
    ...(user !== null && { user }),
    ...(stream && { stream: true }),
  };
  return traits.rewrite?.(body, model) ?? body;
};
