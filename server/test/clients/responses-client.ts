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

const inputFor = (kind: Question['kind']): unknown => {
  const question = { role: 'user', content: 'How is Paris?' };
  if (kind === 'results') {
    const call = { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' };
    return [question, call, { type: 'function_call_output', call_id: 'call_1', output: '18C' }];
  }
  if (kind !== 'image') return 'How is Paris?';
  const image = { type: 'input_image', image_url: `data:image/png;base64,${pixel}`, detail: 'low' };
  return [{ role: 'user', content: [{ type: 'input_text', text: 'What is this?' }, image] }];
};

const finishOf = (response: Json, calls: number): ReadAnswer['finish'] => {
  const reason = objectOf(response['incomplete_details'])['reason'];
  if (response['status'] === 'incomplete') return reason === 'content_filter' ? 'content_filter' : 'length';
  if (response['status'] !== 'completed') return 'none';
  return calls > 0 ? 'tool_calls' : 'stop';
};

const readAnswerOf = (response: Json, ended: boolean): ReadAnswer => {
  const items = listOf(response['output']);
  const ofType = (type: string) => items.filter((item) => item['type'] === type);
  const calls = ofType('function_call').map((item) => ({
    id: textOf(item['call_id']),
    name: textOf(item['name']),
    arguments: valueOfJson(textOf(item['arguments'])),
  }));
  const { usage } = response;
  return {
    text: ofType('message')
      .flatMap(({ content }) => listOf(content).map((part) => textOf(part['text'])))
      .join(''),
    reasoning: ofType('reasoning')
      .flatMap(({ summary }) => listOf(summary).map((part) => textOf(part['text'])))
      .join(''),
    calls,
    finish: finishOf(response, calls.length),
    usage: isJson(usage) ? { prompt: Number(usage['input_tokens']), completion: Number(usage['output_tokens']) } : null,
    ended,
  };
};

/** Checks the numbers and positions of the events, and compares the deltas with the complete items. */
const readStream = (text: string): ReadAnswer => {
  const events = eventData(text).map(parseObject);
  const pieces = new Map<string, string>();
  let response: Json = {};
  let ended = false;
  for (const [index, event] of events.entries()) {
    if (ended) throw new Error('an event came behind the end');
    const type = textOf(event['type']);
    if (type !== 'error' && event['sequence_number'] !== index) throw new Error('the events are not numbered in order');
    const key = `${textOf(event['item_id'])} ${type.replace(/\.(delta|done)$/, '')}`;
    if (type.endsWith('.delta')) pieces.set(key, (pieces.get(key) ?? '') + textOf(event['delta']));
    const whole = event['text'] ?? event['arguments'] ?? event['refusal'];
    if (type.endsWith('.done') && typeof whole === 'string' && (pieces.get(key) ?? '{}') !== whole)
      throw new Error(`${type} tells another text than its pieces`);
    ended = type === 'response.completed' || type === 'response.incomplete';
    if (isJson(event['response'])) response = event['response'];
  }
  const answer = readAnswerOf(response, ended);
  const content = [...pieces].filter(([key]) => key.endsWith(' response.output_text')).map(([, piece]) => piece);
  return ended ? answer : { ...answer, text: content.join('') };
};

/** OpenAI's responses. */
export const responsesClient: DialectClient = {
  name: 'responses',
  path: () => '/v1/responses',
  body: ({ kind, model, stream }) => ({
    model,
    instructions: 'Be brief.',
    input: inputFor(kind),
    max_output_tokens: 4000,
    ...(stream && { stream }),
    ...((kind === 'tools' || kind === 'results') && { tools: [{ type: 'function', ...weatherTool, strict: false }] }),
    ...(kind === 'json' && {
      text: { format: { type: 'json_schema', name: 'reply', schema: answerSchema, strict: true } },
    }),
  }),
  readWhole: (text) => readAnswerOf(parseObject(text), true),
  readStream,
};
