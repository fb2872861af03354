import type { Answer, Finish } from '../../conversation/answer.ts';
import { withCarriedSignatures } from '../../conversation/call-signatures.ts';
import type { AssistantPart } from '../../conversation/conversation.ts';
import { type Json, objectAt, textAt } from '../../conversation/json.ts';
import { countOf, type Usage } from '../../conversation/usage.ts';
import type { AnswerFacts } from '../dialect.ts';
import { responseRecord } from './responses-items.ts';

/** `usage` of a response. */
const usageObject = ({ prompt, completion, total, parts }: Usage) => ({
  input_tokens: countOf(prompt),
  input_tokens_details: {
    cached_tokens: countOf(parts?.cacheRead),
    cache_write_tokens: countOf(parts?.cacheWrite) + countOf(parts?.cacheWriteLong),
  },
  output_tokens: countOf(completion),
  output_tokens_details: { reasoning_tokens: countOf(parts?.reasoning) },
  total_tokens: countOf(total) || countOf(prompt) + countOf(completion),
});

const incompleteReasons = new Map<Finish, string>([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
]);

/** Whether the client may name this response and its items again. */
const isKept = (members: Json): boolean => members['store'] !== false;

/** Members of a response that repeat its request, as far as clients read them. */
const repeated = (members: Json): Json => ({
  instructions: members['instructions'] ?? null,
  max_output_tokens: members['max_output_tokens'] ?? null,
  metadata: members['metadata'] ?? {},
  parallel_tool_calls: members['parallel_tool_calls'] ?? true,
  previous_response_id: members['previous_response_id'] ?? null,
  reasoning: { effort: null, summary: null, ...objectAt(members, 'reasoning') },
  store: isKept(members),
  temperature: members['temperature'] ?? 1,
  text: { format: { type: 'text' }, ...objectAt(members, 'text') },
  tool_choice: members['tool_choice'] ?? 'auto',
  tools: members['tools'] ?? [],
  top_p: members['top_p'] ?? 1,
  truncation: 'disabled',
  user: members['user'] ?? null,
});

const responseId = (requestId: string): string => `resp_${requestId}`;

export interface ResponseState {
  readonly status: 'in_progress' | 'ended';
  readonly finish: Finish;
  readonly output: readonly Json[];
  readonly usage: Usage | null;
}

/** The response object in one of its states. */
export const responseObject = (
  { requestId, model, created, members }: AnswerFacts,
  { status, finish, output, usage }: ResponseState,
): Json => {
  const reason = incompleteReasons.get(finish);
  const ended = reason === undefined ? 'completed' : 'incomplete';
  return {
    id: responseId(requestId),
    object: 'response',
    created_at: created,
    status: status === 'ended' ? ended : status,
    background: false,
    error: null,
    incomplete_details: status === 'ended' && reason !== undefined ? { reason } : null,
    model,
    output,
    ...repeated(members),
    usage: usage === null ? null : usageObject(usage),
  };
};

export const outputText = (text: string): Json => ({ type: 'output_text', text, annotations: [], logprobs: [] });

export const messageItem = (id: string, status: string, content: readonly Json[]): Json => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content,
});

export interface CallItem {
  readonly id: string;
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly status: string;
}

export const callItem = ({ id, callId, name, text, status }: CallItem): Json => ({
  id,
  type: 'function_call',
  status,
  call_id: callId,
  name,
  arguments: text,
});

export const reasoningItem = (id: string, text: string, signature: string): Json => ({
  id,
  type: 'reasoning',
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
  ...(signature !== '' && { encrypted_content: signature }),
});

/** Ids of items: unlike those of other vendors, their prefix names the kind. */
export const itemId = (kind: 'msg' | 'rs' | 'fc', requestId: string, index: number): string =>
  `${kind}_${requestId}_${index}`;

const itemsOf = (parts: readonly AssistantPart[], requestId: string): readonly Json[] => {
  const items: Json[] = [];
  let content: Json[] | null = null;
  for (const part of parts) {
    const index = items.length;
    if (part.kind === 'text' || part.kind === 'refusal') {
      if (content === null) items.push(messageItem(itemId('msg', requestId, index), 'completed', (content = [])));
      content.push(part.kind === 'text' ? outputText(part.text) : { type: 'refusal', refusal: part.text });
      continue;
    }
    content = null;
    if (part.kind === 'reasoning') items.push(reasoningItem(itemId('rs', requestId, index), part.text, part.signature));
    if (part.kind === 'tool_call') {
      const { id, name, arguments: text } = part;
      const callId = id === '' ? `call_${index}` : id;
      items.push(
        callItem({ id: itemId('fc', requestId, index), callId, name, text: text || '{}', status: 'completed' }),
      );
    }
  }
  return items;
};

/** Stores a response and its items under their ids, unless the request has `store: false`. */
export const keepResponse = ({ keep, members, requestId }: AnswerFacts, output: readonly Json[]): void => {
  if (!isKept(members)) return;
  for (const item of output) keep(textAt(item, 'id'), item);
  keep(responseId(requestId), responseRecord(members, output));
};

/** A whole answer as a response. */
export const responseAnswer = ({ parts, finish, usage }: Answer, facts: AnswerFacts): Buffer => {
  const output = itemsOf(withCarriedSignatures(parts), facts.requestId);
  keepResponse(facts, output);
  return Buffer.from(JSON.stringify(responseObject(facts, { status: 'ended', finish, output, usage })));
};
