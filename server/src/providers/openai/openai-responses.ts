import type { BodyChanges } from '../../conversation/body-changes.ts';
import { parseExact } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, objectAt, objectsAt, parseJson, textAt } from '../../conversation/json.ts';
import { badBody, readFailure, reportedFailure } from '../failure.ts';
import { openAiRequest, type OpenAiTraits } from './openai-request.ts';
import type {
  ClientResponse,
  ProviderChannel,
  ProviderCall,
  StreamStep,
  StreamTranslator,
  Translation,
} from '../provider.ts';
import { responseModel } from './responses-codec.ts';
import { failureOf, readResponse, usageOf } from './responses-output.ts';

const textsOf = (parts: readonly Json[]): string =>
  parts.map((part) => textAt(part, 'text') + textAt(part, 'refusal')).join('');

/** All output of an item: text, reasoning, tool calls. */
const itemText = (item: Json): string =>
  textsOf(objectsAt(item, 'content')) +
  textsOf(objectsAt(item, 'summary')) +
  textAt(item, 'name') +
  textAt(item, 'arguments') +
  textAt(item, 'input');

/** The response, its items, and the conversation that it is part of. */
const idsOf = (members: Json): readonly string[] =>
  [members, ...objectsAt(members, 'output'), objectAt(members, 'conversation')].map((named) => textAt(named, 'id'));

const response = (body: Buffer, call: ProviderCall): ClientResponse => {
  const read = readResponse(body);
  if (read.kind === 'refusal') return { kind: 'failure', failure: read.failure };
  const { members } = read;
  call.given?.(idsOf(members));
  return {
    kind: 'answer',
    body,
    usage: usageOf(members),
    output: () => objectsAt(members, 'output').map(itemText).join(''),
  };
};

/** Events whose response is the whole one. */
const endings = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed']);

/** The response in the last event of a stream. */
const collected = (body: Buffer, call: ProviderCall): ClientResponse => {
  const events = body
    .toString()
    .split(/\r?\n/)
    .map((line) => (line.startsWith('data:') ? parseExact(line.slice('data:'.length)) : null));
  const ended = events.findLast((event) => isObject(event) && endings.has(event['type']));
  if (!isObject(ended)) return { kind: 'failure', failure: badBody('the upstream ended the stream early') };
  const whole = response(Buffer.from(JSON.stringify(ended['response'])), call);
  return whole.kind === 'answer' ? { ...whole, contentType: 'application/json' } : whole;
};

/** Events whose `delta` is output. */
const deltas = new Set<unknown>([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
]);

/** Events without content; an item and a part are empty where they begin. */
const openings = new Set<unknown>([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.output_item.added',
  'response.content_part.added',
]);

/** Forwards events unchanged and reads usage and output from them. Stateful: one stream. */
const responseStream = (call: ProviderCall): StreamTranslator => {
  let begun: Json = {};
  let next = 0;
  const read = (event: Json, bytes: Buffer): StreamStep => {
    const { type } = event;
    const reported = objectAt(event, 'response');
    if (type === 'error')
      return {
        forward: 'none',
        output: '',
        failure: reportedFailure({ error: event }) ?? badBody('the upstream sent an error'),
      };
    if (type === 'response.failed')
      return { forward: 'none', output: '', failure: failureOf(reported) ?? badBody('the response failed') };
    if (type === 'response.created') begun = reported;
    call.given?.([...idsOf(reported), textAt(objectAt(event, 'item'), 'id')]);
    const usage = usageOf(reported);
    const done = type === 'response.completed' || type === 'response.incomplete';
    const added = type === 'response.output_item.added' ? textAt(objectAt(event, 'item'), 'name') : '';
    const output = deltas.has(type) ? textAt(event, 'delta') : added;
    const forward = () => {
      next = Number(event['sequence_number'] ?? next) + 1;
      return bytes;
    };
    const opening = output === '' && openings.has(type);
    return { forward, output, ...(usage && { usage }), ...(done && { done }), ...(opening && { opening }) };
  };
  return {
    event: (data, bytes) => {
      if (data === null) return { forward: 'same', output: '' };
      const event = parseJson(data);
      if (isObject(event)) return read(event, bytes);
      return { forward: 'none', output: '', failure: badBody('the upstream sent an event that is not a JSON object') };
    },
    // A response without its last event is incomplete.
    finished: () => false,
    lengthEnd: (usage) => {
      const type = 'response.incomplete';
      const counted = usage === null ? null : { input_tokens: usage.prompt, output_tokens: usage.completion };
      const ended = {
        ...begun,
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        ...(counted && { usage: { ...counted, total_tokens: counted.input_tokens + counted.output_tokens } }),
      };
      return Buffer.from(
        `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: next, response: ended })}\n\n`,
      );
    },
    terminator: () => Buffer.alloc(0),
  };
};

/** The changes of a responses request. */
const changesFor = (call: ProviderCall, channel: ProviderChannel, traits: OpenAiTraits): BodyChanges => {
  const model = responseModel(call, channel, traits);
  return {
    ...((call.redirected || model !== call.model) && { model }),
    ...(call.outputCap !== null && { outputLimit: { tokens: call.outputCap, member: 'max_tokens' } }),
  };
};

/** OpenAI's responses, passed through to a vendor with the same API. */
export const responsesNative = (traits: OpenAiTraits): Translation => ({
  request: (call, channel) => openAiRequest(call, channel, traits, () => call.body(changesFor(call, channel, traits))),
  response,
  collected,
  stream: responseStream,
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
});
