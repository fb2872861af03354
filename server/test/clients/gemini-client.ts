import { isJson, type Json, parseObject, listOf, objectOf, textOf } from '../parsing/json.ts';
import {
  answerSchema,
  type DialectClient,
  pixel,
  type Question,
  type ReadAnswer,
  weatherTool,
} from './dialect-client.ts';
import { eventData } from '../parsing/event-data.ts';

const contentsFor = (kind: Question['kind']): readonly object[] => {
  const question = { role: 'user', parts: [{ text: 'How is Paris?' }] };
  if (kind === 'results') {
    const call = { functionCall: { id: 'call_1', name: 'get_weather', args: { city: 'Paris' } } };
    const result = { functionResponse: { id: 'call_1', name: 'get_weather', response: { result: '18C' } } };
    return [question, { role: 'model', parts: [call] }, { role: 'user', parts: [result] }];
  }
  if (kind !== 'image') return [question];
  return [{ role: 'user', parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: pixel } }] }];
};

const finishes = new Map<unknown, ReadAnswer['finish']>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
]);

const read = (responses: readonly Json[]): ReadAnswer => {
  const candidates = responses.map((response) => listOf(response['candidates'])[0] ?? {});
  const parts = candidates.flatMap((candidate) => listOf(objectOf(candidate['content'])['parts']));
  const calls = parts
    .map((part) => part['functionCall'])
    .filter(isJson)
    .map(({ id, name, args }) => ({ id: textOf(id) || textOf(name), name: textOf(name), arguments: args }));
  const reasons = candidates.map(({ finishReason }) => finishReason).filter((reason) => reason !== undefined);
  if (reasons.length > 1) throw new Error('the stream has several finish reasons');
  const usage = responses.map(({ usageMetadata }) => usageMetadata).findLast(isJson);
  const finish = finishes.get(reasons[0]) ?? 'none';
  return {
    text: parts.map(({ text, thought }) => (thought === true ? '' : textOf(text))).join(''),
    reasoning: parts.map(({ text, thought }) => (thought === true ? textOf(text) : '')).join(''),
    calls,
    finish: finish === 'stop' && calls.length > 0 ? 'tool_calls' : finish,
    usage:
      usage === undefined
        ? null
        : {
            prompt: Number(usage['promptTokenCount']),
            completion: Number(usage['candidatesTokenCount']) + Number(usage['thoughtsTokenCount'] ?? 0),
          },
    ended: reasons.length === 1,
  };
};

/** Gemini's requests for content, streamed as events. */
export const geminiClient: DialectClient = {
  name: 'gemini',
  path: ({ model, stream }) =>
    `/v1beta/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: ({ kind }) => ({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: contentsFor(kind),
    generationConfig: {
      maxOutputTokens: 4000,
      ...(kind === 'json' && { responseMimeType: 'application/json', responseJsonSchema: answerSchema }),
    },
    ...((kind === 'tools' || kind === 'results') && {
      tools: [
        {
          functionDeclarations: [
            {
              name: weatherTool.name,
              description: weatherTool.description,
              parametersJsonSchema: weatherTool.parameters,
            },
          ],
        },
      ],
    }),
  }),
  readWhole: (text) => read([parseObject(text)]),
  readStream: (text) =>
    read(
      eventData(text)
        .map(parseObject)
        .filter((event) => !('error' in event)),
    ),
};
