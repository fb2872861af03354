import type { Conversation } from '../../conversation/conversation.ts';
import { isObject, type Json, objectsAt, textAt } from '../../conversation/json.ts';
import { bounded, type ChatBounds } from '../chat-bounds.ts';
import { chatBody } from '../openai/openai-chat-request.ts';
import { enableThinking } from '../openai/openai-request.ts';
import type { ProviderCall } from '../provider.ts';

/** Models that take lists of parts, at a path of their own (provider notes 11.1). */
export const isMultimodal = (model: string): boolean =>
  /^(?:qwen-vl|qwen[\d.]*-vl|qwen[\d.]*-vl-|qvq|qwen-audio|qwen3\.[5-9]-(?:plus|flash))/.test(model);

const internet = /-internet$/;

/** The model name without the suffix that turns on web search. */
export const aliModel = (model: string): string => model.replace(internet, '');

const contentPart = (part: unknown): readonly Json[] => {
  if (typeof part === 'string') return [{ text: part }];
  if (!isObject(part)) return [];
  if (part['type'] === 'text') return [{ text: part['text'] }];
  const image = part['image_url'];
  if (isObject(image)) return [{ image: image['url'] }];
  const audio = part['input_audio'];
  return isObject(audio) ? [{ audio: `data:audio/${String(audio['format'])};base64,${String(audio['data'])}` }] : [];
};

const withParts = (message: Json): Json => {
  const { content } = message;
  const parts = Array.isArray(content) ? content.flatMap(contentPart) : contentPart(content ?? '');
  return { ...message, content: parts };
};

const withText = (message: Json): Json => {
  const { content } = message;
  if (!Array.isArray(content)) return { ...message, content: content ?? '' };
  return {
    ...message,
    content: objectsAt(message, 'content')
      .map((part) => textAt(part, 'text'))
      .join('\n'),
  };
};

const searchOf = ({ members }: Conversation, model: string): Json => {
  const { enable_search: enabled, search_options: options } = members;
  const searches = internet.test(model) || enabled === true;
  return { ...(searches && { enable_search: true }), ...(isObject(options) && { search_options: options }) };
};

/** The bounds of both APIs: neither can require that some tool is called. */
export const aliBounds: ChatBounds = {
  temperature: [0, 1.99],
  topP: [0.0001, 0.9999],
  toolChoices: ['none', 'tool'],
};

const parametersOf = (conversation: Conversation, chat: Json, stream: boolean): Json => {
  const { temperature, topP, topK, seed, outputLimit, stop, frequencyPenalty, presencePenalty, reasoning } =
    conversation;
  return {
    result_format: 'message',
    ...(stream && { incremental_output: true }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(topK !== null && { top_k: topK }),
    ...(seed !== null && { seed: Math.min(2 ** 31 - 1, Math.max(0, seed)) }),
    ...(outputLimit !== null && { max_tokens: outputLimit }),
    ...(stop.length > 0 && { stop }),
    ...(frequencyPenalty !== null && { repetition_penalty: 1 + frequencyPenalty / 2 }),
    ...(presencePenalty !== null && { presence_penalty: presencePenalty }),
    ...('tools' in chat && { tools: chat['tools'] }),
    ...('tool_choice' in chat && { tool_choice: chat['tool_choice'] }),
    ...('parallel_tool_calls' in chat && { parallel_tool_calls: chat['parallel_tool_calls'] }),
    ...('response_format' in chat && { response_format: chat['response_format'] }),
    ...(reasoning !== null && enableThinking(reasoning)),
  };
};

/** A conversation in the format of the native API. */
export const aliBody = (
  whole: Conversation,
  { model, stream, choices }: Pick<ProviderCall, 'model' | 'stream' | 'choices'>,
): Json => {
  const conversation = bounded(whole, aliBounds);
  const chat = chatBody({ conversation, model, stream, limitMember: 'max_tokens', traits: {} });
  const messages = objectsAt(chat, 'messages').map(isMultimodal(model) ? withParts : withText);
  return {
    model: aliModel(model),
    input: { messages },
    parameters: {
      ...parametersOf(conversation, chat, stream),
      ...(choices > 1 && { n: choices }),
      ...searchOf(conversation, model),
    },
  };
};
