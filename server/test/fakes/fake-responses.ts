import type { UpstreamForm } from './fake-upstream.ts';
import {
  type ParsedRequest,
  type ChatFault,
  checkHeaders,
  type CheckInput,
  fault,
  parse,
} from './fake-upstream-check.ts';
import { isJson } from '../parsing/json.ts';

const known = new Set([
  'model',
  'input',
  'instructions',
  'max_output_tokens',
  'stream',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'store',
  'previous_response_id',
  'reasoning',
  'temperature',
  'user',
  'include',
  'service_tier',
]);

const toolFault = (tool: unknown): string | undefined => {
  if (!isJson(tool)) return "Invalid type for 'tools[0]'";
  if (tool['type'] !== 'function') return undefined;
  return typeof tool['name'] === 'string' && isJson(tool['parameters'])
    ? undefined
    : "Missing required parameter: 'tools[0].name'.";
};

const check = (input: CheckInput): ParsedRequest | ChatFault => {
  const wrongHeaders = checkHeaders(input);
  if (wrongHeaders !== undefined) return wrongHeaders;
  const body = parse(input.body);
  if (!isJson(body)) return fault('We could not parse the JSON body of your request.');
  const unknown = Object.keys(body).find((name) => !known.has(name));
  if (unknown !== undefined) return fault(`Unknown parameter: '${unknown}'.`, 400, 'unknown_parameter');
  const { model, input: items, stream = false, max_output_tokens: maxTokens = null, tools = [], user = '' } = body;
  if (typeof model !== 'string' || model === '') return fault("Missing required parameter: 'model'.");
  if (typeof items !== 'string' && !Array.isArray(items)) return fault("Missing required parameter: 'input'.");
  if (maxTokens !== null && !(Number.isInteger(maxTokens) && Number(maxTokens) >= 16))
    return fault("Invalid 'max_output_tokens': integer below minimum value.");
  const wrongTool = Array.isArray(tools) ? tools.map(toolFault).find((text) => text !== undefined) : undefined;
  if (wrongTool !== undefined) return fault(wrongTool);
  const limit = maxTokens === null ? null : Number(maxTokens);
  const prompt = typeof items === 'string' ? items : JSON.stringify(items);
  return { model, stream: stream === true, includeUsage: true, maxTokens: limit, prompt, nonce: String(user) };
};

const response = (model: string, id: string, members: object) => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: 1_790_000_000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model,
  output: [],
  usage: null,
  x_vendor_extra: '1e400',
  ...members,
});

const message = (words: readonly string[], status: string) => ({
  id: 'msg_1',
  type: 'message',
  status,
  role: 'assistant',
  content: words.length === 0 ? [] : [{ type: 'output_text', text: words.join(''), annotations: [], logprobs: [] }],
});

const usageOf = (usage: unknown) => {
  if (!isJson(usage)) return null;
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: Number(input) + Number(output),
  };
};

/** OpenAI's Responses API (provider notes 19.3). */
export const responsesForm: UpstreamForm = {
  check,
  refusal: ({ fault: text, code }) =>
    JSON.stringify({ error: { message: text, type: 'invalid_request_error', param: null, code } }),
  whole: ({ model }, { id, words, usage }) =>
    JSON.stringify(response(model, id, { output: [message(words, 'completed')], usage: usageOf(usage) })),
  events: ({ model }, { id, words, usage }) => {
    let sequence = 0;
    const event = (type: string, members: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...members })}\n\n`;
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const begun = response(model, id, { status: 'in_progress' });
    const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
    const output = [message(words, 'completed')];
    return [
      event('response.created', { response: begun }),
      event('response.in_progress', { response: begun }),
      event('response.output_item.added', { output_index: 0, item: message([], 'in_progress') }),
      event('response.content_part.added', { ...at, part: part('') }),
      ...words.map((delta) => event('response.output_text.delta', { ...at, delta, logprobs: [] })),
      event('response.output_text.done', { ...at, text: words.join(''), logprobs: [] }),
      event('response.content_part.done', { ...at, part: part(words.join('')) }),
      event('response.output_item.done', { output_index: 0, item: output[0] }),
      event('response.completed', { response: response(model, id, { output, usage: usageOf(usage) }) }),
    ];
  },
};
