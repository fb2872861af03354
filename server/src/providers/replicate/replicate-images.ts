import { isObject, type Json, numberAt, parseJson, textAt } from '../../conversation/json.ts';
import { badBody, readFailure, refusal } from '../failure.ts';
import { noStream } from '../no-stream.ts';
import type { Translation } from '../provider.ts';
import { createPrediction, followPrediction, outputOf, readPrediction } from './replicate-prediction.ts';

const ratios = ['1:1', '16:9', '2:3', '3:2', '4:5', '5:4', '9:16'] as const;

/** The supported aspect ratio nearest to a size in pixels; undefined: the request has no size. */
const aspectRatio = (size: string): string | undefined => {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === undefined || height === undefined) return undefined;
  const target = Math.log(Number(width) / Number(height));
  const distance = (text: string): number => {
    const [across = '1', down = '1'] = text.split(':');
    return Math.abs(Math.log(Number(across) / Number(down)) - target);
  };
  return ratios.toSorted((a, b) => distance(a) - distance(b))[0];
};

const inputOf = (requested: Json): Json => {
  const ratio = aspectRatio(textAt(requested, 'size'));
  const format = textAt(requested, 'output_format');
  const seed = numberAt(requested, 'seed');
  return {
    prompt: textAt(requested, 'prompt'),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...(format !== '' && { output_format: format === 'jpeg' ? 'jpg' : format }),
    ...(seed !== null && { seed }),
  };
};

/** Models make one image per request, and return its URL. */
export const replicateImages: Translation = {
  followUp: followPrediction,
  request: (call, channel) => {
    const requested = parseJson(call.body({}).toString());
    if (!isObject(requested)) return refusal('the body must be a JSON object');
    if ((numberAt(requested, 'n') ?? 1) > 1)
      return refusal('this channel creates one image per request: n must be 1', 'n');
    if (textAt(requested, 'response_format') === 'b64_json')
      return refusal('this channel returns images by URL: response_format must be url', 'response_format');
    return createPrediction(call, channel, inputOf(requested));
  },
  response: (body, call) => {
    const read = readPrediction(body);
    if (read.kind === 'refusal') return { kind: 'failure', failure: read.failure };
    const data = outputOf(read.members).map((url) => ({ url }));
    if (data.length === 0) return { kind: 'failure', failure: badBody('the upstream response has no image') };
    const answer = Buffer.from(JSON.stringify({ created: Math.floor(call.now / 1000), data }));
    return { kind: 'answer', body: answer, contentType: 'application/json', usage: null, output: () => '' };
  },
  stream: noStream,
  failure: (status, body) => readFailure(status, body.toString('utf8', 0, 16_384)),
};
