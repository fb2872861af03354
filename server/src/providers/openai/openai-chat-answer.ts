import type { Answer, Finish } from '../../conversation/answer.ts';
import type { AssistantPart } from '../../conversation/conversation.ts';
import { sourceOf } from '../../conversation/data-url.ts';
import { isObject, type Json, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { answerIn, choicesOf, thinkingIn, usageOf } from './openai-output.ts';

const finishes = new Map<unknown, Finish>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['eos', 'stop'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'length'],
]);

/** The finish reason; some vendors report `stop` for an answer with tool calls. */
export const finishOf = (reason: unknown, calls: boolean): Finish => {
  const finish = finishes.get(reason) ?? 'stop';
  return finish === 'stop' && calls ? 'tool_calls' : finish;
};

/** Reasoning, under the member names that vendors of this format use. */
export const reasoningText = (message: Json): string =>
  textAt(message, 'reasoning_content') ||
  textAt(message, 'reasoning') ||
  thinkingIn(message['content']) ||
  objectsAt(message, 'reasoning_details')
    .map((detail) => textAt(detail, 'text'))
    .join('');

/** The tool calls of a message: a list, or a single object (Spark). */
export const callsIn = (message: Json): readonly Json[] => {
  const calls = message['tool_calls'];
  return isObject(calls) ? [calls] : objectsAt(message, 'tool_calls');
};

/** Arguments are a string, with some vendors an object. */
export const argumentsText = (called: Json): string => {
  const value = called['arguments'];
  return typeof value === 'string' || value === undefined || value === null ? (value ?? '') : JSON.stringify(value);
};

/** The state of a call that Google's surface for OpenAI's clients needs back. */
export const signatureIn = (call: Json): { readonly signature?: string } => {
  const signature = textAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature');
  return signature === '' ? {} : { signature };
};

const callsOf = (message: Json): readonly AssistantPart[] => {
  const calls = callsIn(message).map((call, index): AssistantPart => {
    const called = objectAt(call, 'function');
    const id = textAt(call, 'id') || `call_${index}`;
    const part = { kind: 'tool_call', id, name: textAt(called, 'name'), arguments: argumentsText(called) } as const;
    return { ...part, ...signatureIn(call) };
  });
  const legacy = objectAt(message, 'function_call');
  const name = textAt(legacy, 'name');
  if (calls.length > 0 || name === '') return calls;
  return [{ kind: 'tool_call', id: `call_${name}`, name, arguments: argumentsText(legacy) }];
};

/** Images of an answer (OpenRouter's format). */
export const imagesOf = (message: Json): readonly Extract<AssistantPart, { kind: 'image' }>[] =>
  objectsAt(message, 'images').map((image) => ({
    kind: 'image',
    source: sourceOf(textAt(objectAt(image, 'image_url'), 'url')),
    detail: null,
  }));

const partsOf = (message: Json): readonly AssistantPart[] => {
  const reasoning = reasoningText(message);
  const text = answerIn(message['content']);
  const refusal = textAt(message, 'refusal');
  return [
    ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning, signature: '' } as const]),
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...(refusal === '' ? [] : [{ kind: 'refusal', text: refusal } as const]),
    ...imagesOf(message),
    ...callsOf(message),
  ];
};

/** A chat completion in neutral form; `usageIsDummy`: its usage figures are placeholders. */
export const chatAnswer = (body: Json, usageIsDummy: boolean): Answer => {
  const choice = choicesOf(body)[0] ?? {};
  const parts = partsOf(objectAt(choice, 'message'));
  const calls = parts.some(({ kind }) => kind === 'tool_call');
  return {
    id: textAt(body, 'id'),
    parts,
    finish: finishOf(choice['finish_reason'], calls),
    usage: usageIsDummy ? null : usageOf(body),
  };
};
