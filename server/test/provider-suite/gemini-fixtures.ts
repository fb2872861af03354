import { expect } from 'vitest';
import type { Fixture } from './provider-suite.ts';
import { answerSchema, pixel } from '../clients/dialect-client.ts';

const source = 'Gemini API reference, generateContent and streaming (provider notes 6 and 21.2)';

const usage = (prompt: number, candidates: number, more: object = {}) => ({
  promptTokenCount: prompt,
  candidatesTokenCount: candidates,
  totalTokenCount: prompt + candidates,
  ...more,
});

const response = (parts: readonly object[], finishReason: string | null, usageMetadata: object) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason !== null && { finishReason }), index: 0 }],
  usageMetadata,
  modelVersion: 'gemini-3-flash',
  responseId: 'r1',
});

const event = (data: object): string => `data: ${JSON.stringify(data)}\r\n\r\n`;

const text: Fixture = {
  origin: 'documentation',
  source,
  whole: JSON.stringify(response([{ text: 'Hello, 世界!' }], 'STOP', usage(25, 15))),
  stream: [
    event(response([{ text: 'Hello, ' }], null, { promptTokenCount: 25, totalTokenCount: 25 })),
    event(response([{ text: '世' }], null, usage(25, 7))),
    event(response([{ text: '界' }], null, usage(25, 9))),
    event(response([{ text: '!' }], 'STOP', usage(25, 15))),
  ],
  expected: { text: 'Hello, 世界!', reasoning: '', calls: [], finish: 'stop', usage: { prompt: 25, completion: 15 } },
  checkRequest: (body) => {
    expect(body['generationConfig']).toMatchObject({ maxOutputTokens: 4000 });
    expect(JSON.stringify(body['systemInstruction'])).toContain('Be brief.');
  },
};

const calls = [
  { functionCall: { name: 'get_weather', args: { city: 'Paris' } }, thoughtSignature: 'c2ln' },
  { functionCall: { name: 'now', args: {} } },
];
const thought = { text: 'need weather', thought: true };
const counted = { ...usage(20, 8, { cachedContentTokenCount: 5, thoughtsTokenCount: 4 }), totalTokenCount: 32 };

const tools: Fixture = {
  origin: 'documentation',
  source,
  whole: JSON.stringify(response([thought, { text: 'Let me check.' }, ...calls], 'STOP', counted)),
  stream: [
    event(response([thought], null, { promptTokenCount: 20, thoughtsTokenCount: 4, totalTokenCount: 24 })),
    event(response([{ text: 'Let me check.' }], null, { promptTokenCount: 20, totalTokenCount: 27 })),
    event(response(calls, 'STOP', counted)),
  ],
  expected: {
    text: 'Let me check.',
    reasoning: 'need weather',
    calls: [
      { id: '', name: 'get_weather', arguments: { city: 'Paris' } },
      { id: '', name: 'now', arguments: {} },
    ],
    finish: 'tool_calls',
    usage: { prompt: 20, completion: 12 },
  },
  checkRequest: ({ tools: offered }) =>
    expect(offered).toMatchObject([
      { functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: { required: ['city'] } }] },
    ]),
};

const image: Fixture = {
  ...text,
  checkRequest: ({ contents }) =>
    expect(contents).toMatchObject([
      { role: 'user', parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: pixel } }] },
    ]),
};

const answer = '{"answer":"fine"}';
const json: Fixture = {
  origin: 'documentation',
  source: 'Structured output guide',
  whole: JSON.stringify(response([{ text: answer }], 'STOP', usage(9, 7))),
  stream: [
    event(response([{ text: '{"answer"' }], null, usage(9, 3))),
    event(response([{ text: ':"fine"}' }], 'STOP', usage(9, 7))),
  ],
  expected: { text: answer, reasoning: '', calls: [], finish: 'stop', usage: { prompt: 9, completion: 7 } },
  checkRequest: (body) =>
    expect(body['generationConfig']).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: { required: answerSchema.required },
    }),
};

const results: Fixture = {
  ...text,
  checkRequest: ({ contents }) =>
    expect(contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [{ functionCall: { name: 'get_weather', args: { city: 'Paris' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { result: '18C' } } }] },
    ]),
};

/** What Gemini answers to each question. */
export const geminiFixtures = { text, tools, image, json, results } as const;
