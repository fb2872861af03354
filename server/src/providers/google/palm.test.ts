import { describe, expect, test } from 'vitest';
import { codecOf, call, channel, sentRequest, system } from '../../../test/provider-suite/codec-probe.ts';
import { palm } from './palm.ts';

describe('PROVIDER-11 PaLM', () => {
  test('PROVIDER-11 uses the retired protocol, and Gemini’s for its models', () => {
    const at = channel('k');
    expect(sentRequest(palm, { model: 'PaLM-2', conversation: { system, temperature: 2 }, channel: at })).toMatchObject(
      {
        path: '/v1beta2/models/chat-bison-001:generateMessage',
        body: { prompt: { context: 'Be brief.', messages: [{ author: '0', content: 'Hi' }] }, temperature: 1 },
      },
    );
    expect(sentRequest(palm, { model: 'gemini-2.5-flash', channel: at }).path).toBe(
      '/v1beta/models/gemini-2.5-flash:generateContent',
    );
    const answer = '{"candidates":[{"author":"1","content":"Hello"}],"messages":[]}';
    expect(codecOf(palm).answer(Buffer.from(answer), call('PaLM-2'))).toMatchObject({
      parts: [{ kind: 'text', text: 'Hello' }],
      finish: 'stop',
      usage: null,
    });
    const filtered = '{"filters":[{"reason":"SAFETY"}]}';
    expect(codecOf(palm).answer(Buffer.from(filtered), call('PaLM-2'))).toMatchObject({ finish: 'content_filter' });
    const gone = '{"error":{"code":404,"message":"models/chat-bison-001 is not found","status":"NOT_FOUND"}}';
    expect(codecOf(palm).failure(404, Buffer.from(gone))).toMatchObject({
      status: 404,
      error: { code: 'model_retired' },
    });
  });
});
