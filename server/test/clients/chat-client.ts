import { isJson, type Json, parseObject, listOf, objectOf, textOf, valueOfJson } from '../parsing/json.ts';
import {
  answerSchema,
  type DialectClient,
  pixel,
  type Question,
  type ReadAnswer,
  weatherTool,
} from './dialect-client.ts';
import { eventData } from '../parsing/event-data.ts';

const user = (content: unknown) => ({ role: 'user', content });
const called = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }],
};

const messagesFor = (kind: Question['kind']): readonly object[] => {
  const system = { role: 'system', content: 'Be brief.' };
  if (kind === 'results')
    return [system, user('How is Paris?'), called, { role: 'tool', tool_call_id: 'call_1', content: '18C' }];
  if (kind !== 'image') return [system, user('How is Paris?')];
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}`, detail: 'low' } };
  return [system, user([{ type: 'text', text: 'What is this?' }, image])];
};

const finishOf = (reason: unknown): ReadAnswer['finish'] => {
  if (reason === 'stop' || reason === 'length' || reason === 'tool_calls' || reason === 'content_filter') return reason;
  return 'none';
};

const usageOf = (usage: unknown): ReadAnswer['usage'] =>
  isJson(usage) ? { prompt: Number(usage['prompt_tokens']), completion: Number(usage['completion_tokens']) } : null;

/** Vendors have two names for it. */
const reasoningOf = (message: Json): string => textOf(message['reasoning_content']) || textOf(message['reasoning']);

const readStream = (text: string): ReadAnswer => {
  const events = eventData(text);
  const chunks = events.filter((data) => data !== '[DONE]').map(parseObject);
  const deltas = chunks.flatMap(({ choices }) => listOf(choices).map(({ delta }) => objectOf(delta)));
  const calls = new Map<unknown, { id: string; name: string; text: string }>();
  for (const call of deltas.flatMap((delta) => listOf(delta['tool_calls']))) {
    const at = calls.get(call['index']) ?? { id: '', name: '', text: '' };
    calls.set(call['index'], at);
    at.id += textOf(call['id']);
    at.name += textOf(objectOf(call['function'])['name']);
    at.text += textOf(objectOf(call['function'])['arguments']);
  }
  const reasons = chunks
    .flatMap(({ choices }) => listOf(choices).map((choice) => choice['finish_reason']))
    .filter((reason) => typeof reason === 'string');
  if (reasons.length > 1) throw new Error('the stream has several finish reasons');
  const usages = chunks.map(({ usage }) => usage).filter(isJson);
  if (usages.length > 1) throw new Error('the stream has several usages');
  return {
    text: deltas.map(({ content }) => textOf(content)).join(''),
    reasoning: deltas.map(reasoningOf).join(''),
    calls: [...calls.values()].map(({ id, name, text: given }) => ({ id, name, arguments: valueOfJson(given) })),
    finish: finishOf(reasons[0]),
    usage: usageOf(usages[0]),
    ended: events.at(-1) === '[DONE]',
  };
};

const readWhole = (text: string): ReadAnswer => {
  const body = parseObject(text);
  const [choice] = listOf(body['choices']);
  const message = objectOf(choice?.['message']);
  return {
    text: textOf(message['content']),
    reasoning: reasoningOf(message),
    calls: listOf(message['tool_calls']).map((call) => ({
      id: textOf(call['id']),
      name: textOf(objectOf(call['function'])['name']),
      arguments: valueOfJson(textOf(objectOf(call['function'])['arguments'])),
    })),
    finish: finishOf(choice?.['finish_reason']),
    usage: usageOf(body['usage']),
    ended: true,
  };
};

/** OpenAI's chat completions. */
export const chatClient: DialectClient = {
  name: 'chat completions',
  path: () => '/v1/chat/completions',
  body: ({ kind, model, stream }) => ({
    model,
    messages: messagesFor(kind),
    max_tokens: 4000,
    temperature: 0.5,
    ...(stream && { stream, stream_options: { include_usage: true } }),
    ...((kind === 'tools' || kind === 'results') && { tools: [{ type: 'function', function: weatherTool }] }),
    ...(kind === 'json' && {
      response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: answerSchema, strict: true } },
    }),
  }),
  readWhole,
  readStream,
};

const usual = (message: Json): Json => {
  if (message['role'] === 'system') return { ...message, role: 'developer', name: 'rules' };
  return message['role'] === 'assistant' ? { ...message, refusal: null, annotations: [] } : message;
};

/** A client of OpenAI's newer models with what libraries and agent frameworks send besides, whatever the vendor. */
export const everydayChatClient: DialectClient = {
  ...chatClient,
  name: 'everyday chat completions',
  body: (question) => {
    const { max_tokens: limit, messages, ...body } = parseObject(JSON.stringify(chatClient.body(question)));
    return {
      ...body,
      messages: listOf(messages).map(usual),
      max_completion_tokens: limit,
      temperature: 1.6,
      top_p: 1,
      seed: 7,
      n: 1,
      user: 'someone-1',
      store: false,
      metadata: {},
      logprobs: false,
      frequency_penalty: 0,
      presence_penalty: 0,
      ...(question.kind === 'tools' && { tool_choice: 'required', parallel_tool_calls: true }),
    };
  },
};
