import { describe, expect, test } from 'vitest';
import { call, channel } from '../../../test/provider-suite/codec-probe.ts';
import { providerOf } from '../providers.ts';

const nativeOf = (type: number) => {
  const translation = providerOf(type, channel('id.secret'))?.native['openai-chat'];
  if (translation === undefined) throw new Error(`type ${type} has no chat completions`);
  return translation;
};

const bodyOf = (reason: string): string =>
  `{"id":"c","x_price":1.10,"choices":[{"index":0,"message":{"content":"a"},"delta":{"content":"a"},"finish_reason":"${reason}","x":1e2}]}`;

describe.each([
  [47, 'normal', 'stop'],
  [16, 'sensitive', 'content_filter'],
  [16, 'model_context_window_exceeded', 'length'],
  [28, 'model_length', 'length'],
])('R41 type %i', (type, reason, expected) => {
  test(`gives OpenAI’s clients ${expected} for ${reason}, and everything else as it was`, () => {
    const answer = nativeOf(type).response(Buffer.from(bodyOf(reason)), call());
    expect(answer.kind === 'answer' && answer.body.toString()).toBe(bodyOf(expected));
    const event = Buffer.from(`data: ${bodyOf(reason)}\n\n`);
    const step = nativeOf(type).stream(call('m', true)).event(bodyOf(reason), event);
    expect(String(step.forward)).toBe(`data: ${bodyOf(expected)}\n\n`);
  });
});

test.each(['stop', 'length', 'tool_calls', 'content_filter', 'function_call', 'unheard_of'])(
  'R41 RELAY-02 the bytes of an answer that ends with %s stay as they are',
  (reason) => {
    const body = Buffer.from(bodyOf(reason));
    const answer = nativeOf(47).response(body, call());
    expect(answer.kind === 'answer' && answer.body).toBe(body);
    expect(nativeOf(47).stream(call('m', true)).event(bodyOf(reason), body).forward).toBe('same');
  },
);

test('R41 PROVIDER-16 an answer that ended by a network error is a failure of the channel', () => {
  const failure = { status: 502, retryable: true };
  const text = bodyOf('network_error');
  expect(nativeOf(16).response(Buffer.from(text), call())).toMatchObject({ kind: 'failure', failure });
  expect(nativeOf(16).stream(call('m', true)).event(text, Buffer.from(text))).toMatchObject({ failure });
});
