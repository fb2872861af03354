import { parseExactObject, withNumbersOf } from '../../conversation/exact-numbers.ts';
import { isObject, type Json, objectAt, textAt } from '../../conversation/json.ts';
import type { ProviderCall } from '../provider.ts';
import { CallIndexes } from './call-indexes.ts';
import { openAiReason } from './finish-reasons.ts';
import { argumentsText, callsIn } from './openai-chat-answer.ts';
import { answerIn, choicesOf, thinkingIn } from './openai-output.ts';

/** Whether a call lacks what OpenAI's have: a type where it begins, in streams an index, its arguments as a text. */
const isForeignCall = (call: Json, streamed: boolean): boolean =>
  (call['type'] === undefined && (!streamed || textAt(call, 'id') !== '')) ||
  (streamed && typeof call['index'] !== 'number') ||
  isObject(objectAt(call, 'function')['arguments']);

const isForeignMessage = (message: Json, streamed: boolean): boolean =>
  Array.isArray(message['content']) ||
  isObject(message['tool_calls']) ||
  callsIn(message).some((call) => isForeignCall(call, streamed));

const messageName = (choice: Json): 'delta' | 'message' => (isObject(choice['delta']) ? 'delta' : 'message');

const isForeignChoice = (choice: Json): boolean => {
  const name = messageName(choice);
  return (
    openAiReason(choice['finish_reason']) !== undefined || isForeignMessage(objectAt(choice, name), name === 'delta')
  );
};

const calledAs = (call: Json): Json => {
  const called = objectAt(call, 'function');
  return isObject(called['arguments']) ? { function: { ...called, arguments: argumentsText(called) } } : {};
};

const callOf = (call: Json, index: number | null): Json => ({
  ...call,
  ...(call['type'] === undefined && (index === null || textAt(call, 'id') !== '') && { type: 'function' }),
  ...(index !== null && { index }),
  ...calledAs(call),
});

const contentOf = (content: unknown, streamed: boolean): Json => {
  if (!Array.isArray(content)) return {};
  const [text, thinking] = [answerIn(content), thinkingIn(content)];
  if (thinking === '') return { content: text };
  return { content: streamed && text === '' ? null : text, reasoning_content: thinking };
};

const messageOf = (message: Json, indexes: CallIndexes | null): Json => ({
  ...message,
  ...contentOf(message['content'], indexes !== null),
  ...(callsIn(message).length > 0 && {
    tool_calls: callsIn(message).map((call) => callOf(call, indexes?.of(call).index ?? null)),
  }),
});

const choiceOf = (choice: Json, indexes: CallIndexes): Json => {
  const name = messageName(choice);
  const reason = openAiReason(choice['finish_reason']);
  const message = choice[name];
  return withNumbersOf(choice, {
    ...choice,
    ...(isObject(message) && { [name]: messageOf(message, name === 'delta' ? indexes : null) }),
    ...(reason !== undefined && { finish_reason: reason }),
  });
};

/** Writes the answer or the chunks of one call in OpenAI's form. Stateful. */
export class OpenAiForm {
  /** By choice, once one has tool calls. */
  private indexes: Map<unknown, CallIndexes> | null = null;
  private readonly call: ProviderCall;
  private readonly isNameless: boolean;

  /** @param isNameless the vendor's answers may have an empty id and model */
  constructor(call: ProviderCall, isNameless = false) {
    this.call = call;
    this.isNameless = isNameless;
  }

  /** The text of a whole answer or chunk in OpenAI's form, where it differs from it; null: it does not. */
  of(body: Json, text: () => string): string | null {
    const choices = choicesOf(body);
    const isNameless = this.isNameless && (body['id'] === '' || body['model'] === '');
    if (!isNameless && !choices.some(isForeignChoice)) {
      this.note(choices);
      return null;
    }
    const exact = parseExactObject(text());
    const written = {
      ...exact,
      ...(isNameless && this.names(exact)),
      choices: choicesOf(exact).map((choice) => choiceOf(choice, this.indexesOf(choice))),
    };
    return JSON.stringify(withNumbersOf(exact, written));
  }

  /** Calls with an index of their own count too, where later ones have none. */
  private note(choices: readonly Json[]): void {
    for (const choice of choices) {
      const calls = callsIn(objectAt(choice, 'delta'));
      if (calls.length === 0) continue;
      const indexes = this.indexesOf(choice);
      for (const call of calls) indexes.of(call);
    }
  }

  private indexesOf(choice: Json): CallIndexes {
    const key = choice['index'] ?? 0;
    this.indexes ??= new Map();
    const indexes = this.indexes.get(key) ?? new CallIndexes();
    this.indexes.set(key, indexes);
    return indexes;
  }

  private names({ id, model }: Json): Json {
    return {
      ...(id === '' && { id: `chatcmpl-${this.call.requestId}` }),
      ...(model === '' && { model: this.call.model }),
    };
  }
}
