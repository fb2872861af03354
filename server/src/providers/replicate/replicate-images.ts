import { isObject, type Json, numberAt, parseJson, textAt } from '../../conversation/json.ts';
import { badBody, readFailure, refusal } from '../failure.ts';
import { noStream } from '../no-stream.ts';
import type { Translation } from '../provider.ts';
import { createPrediction, followPrediction, outputOf, readPrediction } from './replicate-prediction.ts';

const ratios = ['1:1', '16:9', '2:3', '3:2', '4:5', '5:4', '9:16'] as const;

/** The proportions that models here know which come nearest to a size in pixels; undefined: no size is named. */
const aspectRatio = (size: string): string | undefined => {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === undefined || height === undefined) return undefined;
  const wanted = Math.log(Number(width) / Number(height));
  const distance = (text: string): number => {
    const [across = '1', down = '1'] = text.split(':');
    return Math.abs(Math.log(Number(across) / Number(down)) - wanted);
  };
  return ratios.toSorted((a, b) => distance(a) - distance(b))[0];
};

const inputOf = (body: Json): Json => {
  const ratio = aspectRatio(textAt(body, 'size'));
  const format = textAt(body, 'output_format');
  const seed = numberAt(body, 'seed');
  return {
    prompt: textAt(body, 'prompt'),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...(format !== '' && { output_format: format === 'jpeg' ? 'jpg' : format }),
    ...(seed !== null && { seed }),
  };
};

/** Models here make one picture at a time, and say where it lies. */
export const replicateImages: Translation = {
  followUp: followPrediction,
  request: (call, channel) => {
    const body = parseJson(call.body({}).toString());
    if (!isObject(body)) return refusal('the body is no JSON object');
    if ((numberAt(body, 'n') ?? 1) > 1) return refusal('this channel makes one image at a time: n must be 1', 'n');
    if (textAt(body, 'response_format') === 'b64_json')
      return refusal('this channel tells where its images lie: response_format must be url', 'response_format');
    return createPrediction(call, channel, inputOf(body));
  },
  response: (body, call) => {
    const read = readPrediction(body);
    if (read.kind === 'refusal') return { kind: 'failure', failure: read.failure };
    const data = outputOf(read.members).map((url) => ({ url }));
    if (data.length === 0) return { kind: 'failure', failure: badBody('the upstream answered without an image') };
    const answer = Buffer.from(JSON.stringify({ created: Math.floor(call.now / 1000), data }));
    return { kind: 'answer', body: answer, contentType: 'application/json', usage: null, output: () => '' };
  },
  stream: noStream,
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
};
