import { describe, expect, test } from 'vitest';
import { plainConversation } from '../../../test/provider-suite/conversation.ts';
import { providerCall } from '../../../test/provider-suite/provider-call.ts';
import type { StreamEvent } from '../../conversation/answer.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { parseJson } from '../../conversation/json.ts';
import { parseBaseUrl } from '../base-url.ts';
import { geminiAnswer, geminiEvents } from './gemini-answer.ts';
import { geminiFailure } from './gemini-failure.ts';
import { gemini } from './gemini.ts';
import type { ProviderChannel, ProviderCall } from '../provider.ts';
import { providerOf } from '../providers.ts';

const channel: ProviderChannel = {
  base: parseBaseUrl('https://generativelanguage.googleapis.com'),
  key: 'a-key',
  other: '',
};

const ask = (
  conversation: Partial<Conversation>,
  call: Partial<ProviderCall> = {},
  at: Partial<ProviderChannel> = {},
) =>
  gemini.codec?.request({ ...plainConversation, ...conversation }, providerCall({ model: 'gemini-3-flash', ...call }), {
    ...channel,
    ...at,
  });

const sent = (...args: Parameters<typeof ask>) => {
  const request = ask(...args);
  if (request === undefined || 'kind' in request) throw new Error(`no request: ${JSON.stringify(request)}`);
  return request;
};
const bodyOf = (...args: Parameters<typeof ask>): unknown => parseJson(sent(...args).body.toString());

/** From the vendor's reference: one turn that thinks, speaks and calls. */
const chunks = [
  '{"candidates":[{"content":{"role":"model","parts":[{"text":"need weather","thought":true}]},"index":0}],"usageMetadata":{"promptTokenCount":20,"cachedContentTokenCount":5,"thoughtsTokenCount":4,"totalTokenCount":24},"modelVersion":"m","responseId":"r1"}',
  '{"candidates":[{"content":{"role":"model","parts":[{"text":"Let me check."}]},"index":0}],"usageMetadata":{"promptTokenCount":20,"totalTokenCount":27},"modelVersion":"m","responseId":"r1"}',
  '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"get_weather","args":{"city":"Paris"}},"thoughtSignature":"c2ln"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":20,"cachedContentTokenCount":5,"candidatesTokenCount":8,"thoughtsTokenCount":4,"totalTokenCount":32},"modelVersion":"m","responseId":"r1"}',
];

describe('PROVIDER-24 writes requests to Gemini', () => {
  test('PROVIDER-24 at the method of the model, with the key in its header', () => {
    expect(sent({})).toMatchObject({
      origin: 'https://generativelanguage.googleapis.com',
      path: '/v1beta/models/gemini-3-flash:generateContent',
      headers: ['content-type', 'application/json', 'x-goog-api-key', 'a-key'],
    });
    expect(sent({}, { stream: true }, { other: 'v1' }).path).toBe(
      '/v1/models/gemini-3-flash:streamGenerateContent?alt=sse',
    );
    const base = parseBaseUrl('http://127.0.0.1:9/mirror/v1beta');
    expect(sent({}, {}, { base }).path).toBe('/mirror/v1beta/models/gemini-3-flash:generateContent');
    expect(sent({}, { model: 'a/b c' }).path).toBe('/v1beta/models/a%2Fb%20c:generateContent');
    expect(ask({}, {}, { base: null })).toMatchObject({ kind: 'fault' });
    expect(ask({}, {}, { key: 'a\nb' })).toMatchObject({ kind: 'fault' });
  });

  test('PROVIDER-24 uses the OpenAI-compatible API where the base URL names it', () => {
    const base = parseBaseUrl('https://generativelanguage.googleapis.com/v1beta/openai');
    const compatible = providerOf(24, { ...channel, base })?.native['openai-chat'];
    const request = compatible?.request(providerCall(), { ...channel, base });
    expect(request).toMatchObject({ path: '/v1beta/openai/chat/completions' });
    expect(providerOf(24, channel)).toBe(gemini);
  });

  test('PROVIDER-24 with the messages, joined by role', () => {
    const body = bodyOf({
      system: [{ kind: 'text', text: 'Be brief.' }],
      turns: [
        { role: 'user', parts: [{ kind: 'text', text: 'One' }] },
        {
          role: 'user',
          parts: [{ kind: 'image', source: { kind: 'data', mime: 'image/png', base64: 'AAAA' }, detail: null }],
        },
        {
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: 'hm', signature: '' },
            { kind: 'text', text: 'Two' },
          ],
        },
        { role: 'user', parts: [{ kind: 'audio', format: 'wav', base64: 'BBBB' }] },
      ],
    });
    expect(body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'One' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        { role: 'model', parts: [{ text: 'Two' }] },
        { role: 'user', parts: [{ inlineData: { mimeType: 'audio/wav', data: 'BBBB' } }] },
      ],
    });
    expect(bodyOf({ system: [{ kind: 'text', text: 'Be brief.' }] }, { model: 'gemma-3-27b-it' })).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Hi' }] }],
    });
  });

  test('PROVIDER-24 with tools, their calls and their results', () => {
    const call = { kind: 'tool_call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' } as const;
    const other = { ...call, id: 'call_2', arguments: '{"city":"Rome"}' };
    const result = { role: 'tool', name: '', parts: [{ kind: 'text', text: '18C' }], isError: false } as const;
    const turns: Conversation['turns'] = [
      ...plainConversation.turns,
      { role: 'assistant', parts: [{ ...call, signature: 'c2ln' }, other] },
      { ...result, callId: 'call_1' },
      { ...result, callId: 'call_2', parts: [{ kind: 'text', text: '{"celsius":20}' }] },
    ];
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const tools = [
      { name: 'get_weather', description: 'Weather', parameters, strict: null },
      { name: 'googleSearch', description: '', parameters: null, strict: null },
    ];
    expect(bodyOf({ turns, tools, toolChoice: { kind: 'tool', name: 'get_weather' } })).toMatchObject({
      contents: [
        { role: 'user' },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'get_weather', args: { city: 'Paris' } }, thoughtSignature: 'c2ln' },
            { functionCall: { name: 'get_weather', args: { city: 'Rome' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'get_weather', response: { result: '18C' } } },
            { functionResponse: { name: 'get_weather', response: { celsius: 20 } } },
          ],
        },
      ],
      tools: [
        { functionDeclarations: [{ name: 'get_weather', description: 'Weather', parametersJsonSchema: parameters }] },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_weather'] } },
    });
    const replayed = (model: string) =>
      JSON.stringify(bodyOf({ turns: [{ role: 'assistant', parts: [call, other] }] }, { model }));
    expect(replayed('gemini-3-flash').match(/skip_thought_signature_validator/g)).toHaveLength(1);
    expect(replayed('gemini-2.5-flash')).not.toContain('thoughtSignature');
  });

  test('R43 PROVIDER-24 asks for the format in words where tools exclude it, before the third generation', () => {
    const tools = [{ name: 'now', description: '', parameters: null, strict: null }];
    const asked = { tools, answerFormat: { kind: 'json' } } as const;
    const before = bodyOf(asked, { model: 'gemini-2.5-flash' });
    expect(before).not.toHaveProperty('generationConfig');
    expect(JSON.stringify(before)).toContain('JSON object');
    expect(bodyOf(asked, { model: 'gemini-3-flash' })).toMatchObject({
      generationConfig: { responseMimeType: 'application/json' },
    });
  });

  test('R30 PROVIDER-24 asks for no thoughts where none are wanted', () => {
    const reasoning = { effort: 'none', budget: null, visible: true } as const;
    expect(bodyOf({ reasoning }, { model: 'gemini-2.5-flash' })).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingBudget: 0, includeThoughts: false } },
    });
  });

  test('PROVIDER-24 with the parameters by their names there', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } } };
    const body = bodyOf({
      outputLimit: 50,
      temperature: 0.5,
      topP: 0.9,
      topK: 3,
      seed: 7,
      presencePenalty: 1,
      frequencyPenalty: -1,
      stop: ['1', '2', '3', '4', '5', '6'],
      answerFormat: { kind: 'schema', name: 'a', description: '', schema, strict: true },
      reasoning: { effort: 'low', budget: null, visible: true },
    });
    expect(body).toMatchObject({
      generationConfig: {
        temperature: 0.5,
        topP: 0.9,
        topK: 3,
        maxOutputTokens: 50,
        stopSequences: ['1', '2', '3', '4', '5'],
        seed: 7,
        presencePenalty: 1,
        frequencyPenalty: -1,
        responseMimeType: 'application/json',
        responseJsonSchema: schema,
        thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true },
      },
    });
    expect(bodyOf({})).not.toHaveProperty('generationConfig');
  });

  test.each([
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }],
    ['gemini-2.5-flash', 'high', { thinkingBudget: 24_576 }],
    ['gemini-3-flash', 'none', { thinkingLevel: 'MINIMAL' }],
    ['gemini-3.1-pro-preview', 'minimal', { thinkingLevel: 'LOW' }],
  ] as const)('PROVIDER-24 lets %s think with effort %s', (model, effort, expected) => {
    const body = bodyOf({ reasoning: { effort, budget: null, visible: false } }, { model });
    expect(body).toMatchObject({ generationConfig: { thinkingConfig: { ...expected, includeThoughts: false } } });
  });

  test('PROVIDER-24 sends no thinking config to models without reasoning', () => {
    const reasoning = { effort: 'high', budget: null, visible: true } as const;
    expect(bodyOf({ reasoning }, { model: 'gemini-2.0-flash' })).not.toHaveProperty('generationConfig');
  });

  test('PROVIDER-24 refuses content by address, so that another channel may take it', () => {
    const image = { kind: 'image', source: { kind: 'url', url: 'https://example.org/a.png' }, detail: null } as const;
    expect(ask({ turns: [{ role: 'user', parts: [image] }] })).toMatchObject({
      kind: 'refusal',
      failure: { status: 400, retryable: true },
    });
  });
});

const whole = (body: unknown) => geminiAnswer(Buffer.from(JSON.stringify(body)), providerCall({ requestId: 'r' }));
const saying = (parts: readonly unknown[], finishReason: string) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason }],
  responseId: 'r1',
});

describe('PROVIDER-24 reads Gemini', () => {
  test('PROVIDER-24 thoughts, text, calls and usage of a whole answer', () => {
    const parts = [
      { text: 'need weather', thought: true },
      { text: 'Let me ' },
      { text: 'check.' },
      { functionCall: { name: 'get_weather', args: { city: 'Paris' } }, thoughtSignature: 'c2ln' },
    ];
    const usageMetadata = {
      promptTokenCount: 18,
      toolUsePromptTokenCount: 2,
      cachedContentTokenCount: 5,
      candidatesTokenCount: 8,
      thoughtsTokenCount: 4,
      totalTokenCount: 32,
    };
    expect(whole({ ...saying(parts, 'STOP'), usageMetadata })).toMatchObject({
      id: 'r1',
      parts: [
        { kind: 'reasoning', text: 'need weather' },
        { kind: 'text', text: 'Let me check.' },
        { kind: 'tool_call', id: 'call_r_0', name: 'get_weather', arguments: '{"city":"Paris"}', signature: 'c2ln' },
      ],
      finish: 'tool_calls',
      usage: { prompt: 20, completion: 12, total: 32, parts: { cacheRead: 5, reasoning: 4 } },
    });
  });

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['IMAGE_SAFETY', 'content_filter'],
    ['OTHER', 'stop'],
  ])('PROVIDER-24 the finish reason %s as %s', (reason, finish) => {
    expect(whole(saying([{ text: 'a' }], reason))).toMatchObject({ finish });
  });

  test('PROVIDER-24 pictures, and code that the model ran', () => {
    const parts = [
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    ];
    expect(whole(saying(parts, 'STOP'))).toMatchObject({
      parts: [
        { kind: 'image', source: { kind: 'data', mime: 'image/png', base64: 'AAAA' } },
        { kind: 'text', text: '\n```python\nprint(1)\n```\n\n```\n1\n```\n' },
      ],
    });
  });

  test.each([
    ['a prompt that was blocked', { promptFeedback: { blockReason: 'SAFETY' } }, 400, 'content_filter'],
    ['an answer without candidates', {}, 502, 'bad_response_body'],
    ['a call that the model garbled', saying([], 'MALFORMED_FUNCTION_CALL'), 502, 'bad_response_body'],
    [
      'an error inside a success',
      { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'slow' } },
      429,
      'rate_limit_exceeded',
    ],
  ])('PROVIDER-24 %s as a failure', (_, body, status, code) => {
    expect(whole(body)).toMatchObject({ kind: 'refusal', failure: { status, error: { code } } });
  });

  test('PROVIDER-24 a stream up to its finish reason, which is its only end mark', () => {
    const reader = geminiEvents(providerCall({ requestId: 'r', stream: true }));
    const events: StreamEvent[] = [];
    const finished: boolean[] = [];
    for (const chunk of chunks) {
      events.push(...reader.event(chunk, Buffer.from(chunk)).events);
      finished.push(reader.finished());
    }
    expect(finished).toEqual([false, false, true]);
    const usage = events.filter((event) => event.kind === 'usage').at(-1);
    expect(usage).toMatchObject({ usage: { prompt: 20, completion: 12, total: 32, parts: { cacheRead: 5 } } });
    expect(events.filter(({ kind }) => kind !== 'usage')).toEqual([
      { kind: 'start', id: 'r1' },
      { kind: 'reasoning', text: 'need weather' },
      { kind: 'text', text: 'Let me check.' },
      { kind: 'tool_start', index: 0, id: 'call_r_0', name: 'get_weather', signature: 'c2ln' },
      { kind: 'tool_arguments', index: 0, text: '{"city":"Paris"}' },
      { kind: 'finish', finish: 'tool_calls' },
    ]);
  });

  test('PROVIDER-24 an error in the middle of a stream', () => {
    const reader = geminiEvents(providerCall({ stream: true }));
    const error = '{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}';
    expect(reader.event(error, Buffer.from(error)).failure).toMatchObject({
      status: 503,
      error: { code: 'overloaded' },
    });
    expect(reader.finished()).toBe(false);
    expect(reader.event('nonsense', Buffer.from('')).failure).toMatchObject({ status: 502 });
  });

  test.each([
    [400, 'INVALID_ARGUMENT', 'Invalid value', 400, 'invalid_argument', false],
    [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 401, 'invalid_api_key', true],
    [
      400,
      'INVALID_ARGUMENT',
      'The input token count (9) exceeds the maximum number of tokens allowed (1).',
      400,
      'context_length_exceeded',
      false,
    ],
    [403, 'PERMISSION_DENIED', 'No access', 403, 'permission_denied', true],
    [404, 'NOT_FOUND', 'models/x is not found', 404, 'model_not_found', true],
    [429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', 429, 'rate_limit_exceeded', true],
    [500, 'INTERNAL', 'Internal', 502, 'internal', true],
    [503, 'UNAVAILABLE', 'Overloaded', 503, 'overloaded', true],
    [504, 'DEADLINE_EXCEEDED', 'Late', 504, 'deadline_exceeded', true],
  ])('PROVIDER-24 status %i %s (%s)', (given, status, message, reported, code, retryable) => {
    const error = { error: { code: given, message, status } };
    for (const body of [error, [error]]) {
      expect(geminiFailure(given, Buffer.from(JSON.stringify(body)))).toMatchObject({
        status: reported,
        retryable,
        error: { code, message },
      });
    }
  });
});
