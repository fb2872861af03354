import type { Dialect, Inbound, Metered, ReadFault } from '../dialect.ts';
import { fault, isWhole, modelOf, scanBody, valueOf } from '../scan/member-scan.ts';
import { openAiErrors } from './openai-errors.ts';
import { plainInbound } from '../plain-inbound.ts';

const scannedMembers = new Set(['model', 'prompt', 'n', 'size', 'quality', 'stream']);

/** What a model draws, and for how many thousandths of its ratio (wire contract 3.11). */
interface ImageRules {
  /** Null: whatever it likes, all for the same. */
  readonly sizes: Readonly<Record<string, number>> | null;
  readonly countMax: number;
  readonly promptMax: number;
}

const rules = new Map<string, ImageRules>([
  ['dall-e-2', { sizes: { '256x256': 1000, '512x512': 1125, '1024x1024': 1250 }, countMax: 10, promptMax: 1000 }],
  ['dall-e-3', { sizes: { '1024x1024': 1000, '1024x1792': 2000, '1792x1024': 2000 }, countMax: 1, promptMax: 4000 }],
]);

/** The model of requests that name none. */
export const defaultImageModel = 'dall-e-2';

const plain = 1000;
const unlisted: ImageRules = { sizes: null, countMax: 128, promptMax: Infinity };

/** The fields of an image request, as read. */
export interface ImagesRequest {
  readonly size: unknown;
  readonly quality: unknown;
  readonly n: unknown;
  readonly stream: unknown;
  /** Undefined: none is needed. */
  readonly prompt: unknown;
}

/** The same, as far as it costs. */
interface ImageOrder {
  readonly size: string;
  readonly isHd: boolean;
  readonly quality: unknown;
  readonly n: number;
  readonly promptBytes: number;
}

const orderOf = ({ size = null, quality, n = null, stream = false, prompt }: ImagesRequest): ImageOrder | ReadFault => {
  if (stream !== null && stream !== false) return fault('invalid_text_request', 'streaming of images is not supported');
  if (size !== null && typeof size !== 'string')
    return fault('size_not_supported', 'this size is not supported by the model');
  if (prompt !== undefined && (typeof prompt !== 'string' || prompt === ''))
    return fault('prompt_missing', 'field prompt is required');
  if (n !== null && (!isWhole(n) || n < 1))
    return fault('n_not_within_range', 'the value of n is not within the range');
  const promptBytes = prompt === undefined ? 0 : Buffer.byteLength(prompt);
  return { size: size ?? '1024x1024', isHd: quality === 'hd', quality, n: n ?? 1, promptBytes };
};

const hdFactor = (model: string, { size, isHd }: ImageOrder): number => {
  if (model !== 'dall-e-3' || !isHd) return 1;
  return size === '1024x1024' ? 2 : 1.5;
};

/** Models whose images cost what their tokens cost. */
const pricedByTokens = /^(?:chatgpt|gpt)-image/;

/** Output tokens of the largest image by its quality. Source: platform.openai.com, image generation, cost. */
const tokensOfQuality = new Map<unknown, number>([
  ['low', 408],
  ['medium', 1584],
]);
const tokensOfImage = 6240;

const outputTokensOf = (model: string, { quality, n }: ImageOrder): number =>
  pricedByTokens.test(model) ? n * (tokensOfQuality.get(quality) ?? tokensOfImage) : 0;

/** What the images cost; or why the model does not draw them. */
const meter = (model: string, order: ImageOrder): Metered | ReadFault => {
  const { sizes, countMax, promptMax } = rules.get(model) ?? unlisted;
  const thousandths = sizes === null ? plain : Object.hasOwn(sizes, order.size) ? sizes[order.size] : undefined;
  if (thousandths === undefined) return fault('size_not_supported', 'this size is not supported by the model');
  if (order.promptBytes > promptMax) return fault('prompt_too_long', `the prompt is longer than ${promptMax} bytes`);
  if (order.n > countMax) return fault('n_not_within_range', 'the value of n is not within the range');
  const each = thousandths * hdFactor(model, order);
  const images = { count: order.n, thousandths: each, outputTokens: outputTokensOf(model, order) };
  return { kind: 'metered', tokens: each * order.n, images };
};

/**
 * What a request for images costs, by the model that draws them: a channel may have another name for it than the client
 * has. A fault where no model would draw them.
 */
export const meterImages = (request: ImagesRequest): NonNullable<Inbound['metered']> | ReadFault => {
  const order = orderOf(request);
  return 'kind' in order ? order : (model) => meter(model, order);
};

/** Reads a request for images, which costs by their number, size and quality, without building it. Never throws. */
export const readImages = (bytes: Buffer): Inbound | ReadFault => {
  const scanned = scanBody(bytes, scannedMembers);
  if (scanned.kind === 'fault') return scanned;
  const read = (name: string): unknown => valueOf(bytes, scanned.members.get(name));
  const given = read('model') ?? '';
  const model = modelOf(given === '' ? defaultImageModel : given);
  if (typeof model !== 'string') return model;
  const metered = meterImages({
    prompt: read('prompt') ?? null,
    stream: read('stream'),
    size: read('size'),
    quality: read('quality'),
    n: read('n'),
  });
  if (typeof metered !== 'function') return metered;
  return plainInbound({ bytes, scanned, model, namesModel: given === '', metered, prompt: [] });
};

/** `POST /v1/images/generations` (provider notes 19.8). */
export const openAiImages: Dialect = { format: 'openai-images', headers: [], read: readImages, errors: openAiErrors };
