import type { Dialect, Inbound, ReadFault } from './dialect.ts';
import { fault, isWhole, modelOf, scanBody, valueOf } from './member-scan.ts';
import { openAiErrors } from './openai-errors.ts';
import { plainInbound } from './plain-inbound.ts';

const wanted = new Set(['model', 'prompt', 'n', 'size', 'quality', 'stream']);

/** What a model draws, and for how many thousandths of its ratio (wire contract 3.11). */
interface ImageRules {
  readonly sizes: Readonly<Record<string, number>>;
  readonly countMax: number;
  readonly promptMax: number;
}

const rules = new Map<string, ImageRules>([
  ['dall-e-2', { sizes: { '256x256': 1000, '512x512': 1125, '1024x1024': 1250 }, countMax: 10, promptMax: 1000 }],
  ['dall-e-3', { sizes: { '1024x1024': 1000, '1024x1792': 2000, '1792x1024': 2000 }, countMax: 1, promptMax: 4000 }],
]);

/** Whoever names no model gets OpenAI's first. */
export const defaultImageModel = 'dall-e-2';

const plain = 1000;
const unlistedCountMax = 128;

/** Undefined: the model draws nothing of this size. */
const thousandthsOf = (rule: ImageRules | undefined, size: string): number | undefined => {
  if (rule === undefined) return plain;
  return Object.hasOwn(rule.sizes, size) ? rule.sizes[size] : undefined;
};

const hdFactor = (model: string, size: string, quality: unknown): number => {
  if (model !== 'dall-e-3' || quality !== 'hd') return 1;
  return size === '1024x1024' ? 2 : 1.5;
};

/** What is asked of an image model, as it was read. */
export interface ImagesAsked {
  readonly model: string;
  readonly size: unknown;
  readonly quality: unknown;
  readonly n: unknown;
  readonly stream: unknown;
  /** Undefined: none is needed. */
  readonly prompt: unknown;
}

const promptFault = (prompt: unknown, most: number): ReadFault | null => {
  if (prompt === undefined) return null;
  if (typeof prompt !== 'string' || prompt === '') return fault('prompt_missing', 'field prompt is required');
  return Buffer.byteLength(prompt) > most ? fault('prompt_too_long', `the prompt is longer than ${most} bytes`) : null;
};

/** What the images cost, in thousandths of the model's ratio; or why nobody draws them. */
export const meterImages = ({ model, prompt, stream, ...asked }: ImagesAsked): number | ReadFault => {
  const rule = rules.get(model);
  if (stream !== undefined && stream !== null && stream !== false)
    return fault('invalid_text_request', 'images are not streamed');
  const size = asked.size ?? '1024x1024';
  const thousandths = typeof size === 'string' ? thousandthsOf(rule, size) : undefined;
  if (typeof size !== 'string' || thousandths === undefined)
    return fault('size_not_supported', 'this size is not supported by the model');
  const wrong = promptFault(prompt, rule?.promptMax ?? Infinity);
  if (wrong !== null) return wrong;
  const n = asked.n ?? 1;
  if (!isWhole(n) || n < 1 || n > (rule?.countMax ?? unlistedCountMax))
    return fault('n_not_within_range', 'the value of n is not within the range');
  return thousandths * hdFactor(model, size, asked.quality) * n;
};

/** Reads a request for images, which costs by their number, size and quality, without building it. Never throws. */
export const readImages = (bytes: Buffer): Inbound | ReadFault => {
  const scanned = scanBody(bytes, wanted);
  if (scanned.kind === 'fault') return scanned;
  const read = (name: string): unknown => valueOf(bytes, scanned.members.get(name));
  const given = read('model') ?? '';
  const model = modelOf(given === '' ? defaultImageModel : given);
  if (typeof model !== 'string') return model;
  const metered = meterImages({
    model,
    prompt: read('prompt') ?? null,
    stream: read('stream'),
    size: read('size'),
    quality: read('quality'),
    n: read('n'),
  });
  if (typeof metered !== 'number') return metered;
  return plainInbound({ bytes, scanned, model, namesModel: given === '', metered, prompt: [] });
};

/** `POST /v1/images/generations` (provider notes 19.8). */
export const openAiImages: Dialect = { format: 'openai-images', headers: [], read: readImages, errors: openAiErrors };
