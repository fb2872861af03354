import type { Answer, Finish } from '../../conversation/answer.ts';
import type { AssistantPart } from '../../conversation/conversation.ts';
import { isObject, type Json, objectAt, objectsAt, parseJson, textAt } from '../../conversation/json.ts';
import type { Usage } from '../../conversation/usage.ts';
import { badBody, reportedFailure } from '../failure.ts';
import type { Refusal, RelayFailure } from '../provider.ts';

/** `usage` of a response; null: absent. */
export const usageOf = ({ usage, service_tier: tier }: Json): Usage | null => {
  if (!isObject(usage)) return null;
  const prompt = objectAt(usage, 'input_tokens_details');
  return {
    prompt: usage['input_tokens'],
    completion: usage['output_tokens'],
    total: usage['total_tokens'],
    parts: {
      cacheRead: prompt['cached_tokens'],
      cacheWrite: prompt['cache_write_tokens'],
      reasoning: objectAt(usage, 'output_tokens_details')['reasoning_tokens'],
    },
    ...(tier !== undefined && { serviceTier: tier }),
  };
};

/** The failure that a response reports; null: none. */
export const failureOf = (response: Json): RelayFailure | null => {
  const reported = reportedFailure(response);
  if (reported !== null) return reported;
  return response['status'] === 'failed' ? badBody('the upstream could not complete its response') : null;
};

/** A body that is a response. */
export interface ReadResponse {
  readonly kind: 'response';
  readonly members: Json;
}

/** Reads a whole body of a success status as a response, or as the failure that it reports. */
export const readResponse = (body: Buffer): ReadResponse | Refusal => {
  const parsed = parseJson(body.toString());
  if (!isObject(parsed)) return { kind: 'refusal', failure: badBody('the upstream response is not a JSON object') };
  const failure = failureOf(parsed);
  if (failure !== null) return { kind: 'refusal', failure };
  return Array.isArray(parsed['output'])
    ? { kind: 'response', members: parsed }
    : { kind: 'refusal', failure: badBody('the upstream response has no output') };
};

/** The finish reason of a response. */
export const finishOf = (response: Json, calls: boolean): Finish => {
  const { reason } = objectAt(response, 'incomplete_details');
  if (reason === 'max_output_tokens') return 'length';
  if (reason === 'content_filter') return reason;
  return calls ? 'tool_calls' : 'stop';
};

/** Separates the texts of a summary. */
export const reasoningGap = '\n\n';

const messageParts = (item: Json): readonly AssistantPart[] =>
  objectsAt(item, 'content').map((part): AssistantPart =>
    part['type'] === 'refusal'
      ? { kind: 'refusal', text: textAt(part, 'refusal') }
      : { kind: 'text', text: textAt(part, 'text') },
  );

const partsOf = (item: Json): readonly AssistantPart[] => {
  switch (item['type']) {
    case 'message':
      return messageParts(item);
    case 'reasoning': {
      const texts = [...objectsAt(item, 'summary'), ...objectsAt(item, 'content')].map((part) => textAt(part, 'text'));
      const signature = textAt(item, 'encrypted_content');
      return texts.length === 0 && signature === ''
        ? []
        : [{ kind: 'reasoning', text: texts.join(reasoningGap), signature }];
    }
    case 'function_call':
      return [
        {
          kind: 'tool_call',
          id: textAt(item, 'call_id'),
          name: textAt(item, 'name'),
          arguments: textAt(item, 'arguments'),
        },
      ];
    default:
      return [];
  }
};

/** A response in neutral form (provider notes 19.3). */
export const answerOf = (response: Json): Answer => {
  const parts = objectsAt(response, 'output').flatMap(partsOf);
  const calls = parts.some(({ kind }) => kind === 'tool_call');
  return { id: textAt(response, 'id'), parts, finish: finishOf(response, calls), usage: usageOf(response) };
};
