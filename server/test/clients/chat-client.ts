import { isJson, parseObject, listOf, objectOf, textOf, valueOfJson } from '../parsing/json.ts';
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
    reasoning: deltas.map(({ reasoning_content: reasoning }) => textOf(reasoning)).join(''),
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
    reasoning: textOf(message['reasoning_content']),
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

/** A client that sends only what every vendor of the format accepts: any JSON object, and no stream options. */
export const modestChatClient: DialectClient = {
  ...chatClient,
  name: 'modest chat completions',
  body: (question) => {
    const { kind, stream } = question;
    return {
      ...chatClient.body({ ...question, stream: false }),
      ...(stream && { stream }),
      ...(kind === 'json' && { response_format: { type: 'json_object' } }),
    };
  },
};
