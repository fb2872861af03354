import { type Json, parseObject, listOf, objectOf, textOf, valueOfJson } from '../parsing/json.ts';
import {
  answerSchema,
  type DialectClient,
  pixel,
  type Question,
  type ReadAnswer,
  weatherTool,
} from './dialect-client.ts';
import { eventData } from '../parsing/event-data.ts';

const messagesFor = (kind: Question['kind']): readonly object[] => {
  const question = { role: 'user', content: 'How is Paris?' };
  if (kind === 'results') {
    const call = { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Paris' } };
    const result = { type: 'tool_result', tool_use_id: 'call_1', content: '18C' };
    return [question, { role: 'assistant', content: [call] }, { role: 'user', content: [result] }];
  }
  if (kind !== 'image') return [question];
  const source = { type: 'base64', media_type: 'image/png', data: pixel };
  return [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source },
      ],
    },
  ];
};

const finishes = new Map<unknown, ReadAnswer['finish']>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

const readAnswerOf = (blocks: readonly Json[], reason: unknown, usage: Json, ended: boolean): ReadAnswer => ({
  text: blocks.map(({ type, text }) => (type === 'text' ? textOf(text) : '')).join(''),
  reasoning: blocks.map(({ thinking }) => textOf(thinking)).join(''),
  calls: blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ id: textOf(id), name: textOf(name), arguments: input })),
  finish: finishes.get(reason) ?? 'none',
  usage:
    typeof usage['output_tokens'] === 'number'
      ? {
          prompt:
            Number(usage['input_tokens']) +
            Number(usage['cache_read_input_tokens'] ?? 0) +
            Number(usage['cache_creation_input_tokens'] ?? 0),
          completion: usage['output_tokens'],
        }
      : null,
  ended,
});

/** Follows the events as strictly as the official client: blocks open one at a time, and nothing comes behind the end. */
const readStream = (text: string): ReadAnswer => {
  const blocks: { -readonly [Name in string]: unknown }[] = [];
  let open = -1;
  let usage: Json = {};
  let reason: unknown = null;
  let ended = false;
  for (const event of eventData(text).map(parseObject)) {
    if (ended) throw new Error('an event came behind the end');
    if (event['type'] === 'message_start') usage = objectOf(objectOf(event['message'])['usage']);
    if (event['type'] === 'content_block_start') {
      if (open >= 0 || event['index'] !== blocks.length) throw new Error('a block began within another');
      open = blocks.length;
      blocks.push({ ...objectOf(event['content_block']), json: '' });
    }
    if (event['type'] === 'content_block_delta') {
      const block = blocks[open];
      const delta = objectOf(event['delta']);
      if (block === undefined || event['index'] !== open) throw new Error('a piece came outside of its block');
      block['text'] = textOf(block['text']) + textOf(delta['text']);
      if (block['type'] === 'thinking') block['thinking'] = textOf(block['thinking']) + textOf(delta['thinking']);
      block['json'] = textOf(block['json']) + textOf(delta['partial_json']);
    }
    if (event['type'] === 'content_block_stop') {
      if (event['index'] !== open) throw new Error('a block ended that was not open');
      const block = blocks[open];
      if (block?.['type'] === 'tool_use') block['input'] = valueOfJson(textOf(block['json']) || '{}');
      open = -1;
    }
    if (event['type'] === 'message_delta') {
      if (reason !== null) throw new Error('the stream has several stop reasons');
      reason = objectOf(event['delta'])['stop_reason'];
      usage = { ...usage, ...objectOf(event['usage']) };
    }
    ended = event['type'] === 'message_stop';
  }
  if (ended && open >= 0) throw new Error('a block was left open');
  return readAnswerOf(blocks, reason, usage, ended);
};

/** Anthropic's messages. */
export const messagesClient: DialectClient = {
  name: 'messages',
  path: () => '/v1/messages',
  body: ({ kind, model, stream }) => ({
    model,
    max_tokens: 4000,
    system: 'Be brief.',
    messages: messagesFor(kind),
    ...(stream && { stream }),
    ...((kind === 'tools' || kind === 'results') && {
      tools: [{ name: weatherTool.name, description: weatherTool.description, input_schema: weatherTool.parameters }],
    }),
    ...(kind === 'json' && { output_config: { format: { type: 'json_schema', schema: answerSchema } } }),
  }),
  readWhole: (text) => {
    const body = parseObject(text);
    return readAnswerOf(listOf(body['content']), body['stop_reason'], objectOf(body['usage']), true);
  },
  readStream,
};
