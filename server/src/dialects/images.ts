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

/** Reads a request for images, which costs by their number, size and quality, without building it. Never throws. */
export const readImages = (bytes: Buffer): Inbound | ReadFault => {
  const scanned = scanBody(bytes, wanted);
  if (scanned.kind === 'fault') return scanned;
  const read = (name: string): unknown => valueOf(bytes, scanned.members.get(name));
  const given = read('model') ?? '';
  const model = modelOf(given === '' ? 'dall-e-2' : given);
  if (typeof model !== 'string') return model;
  const prompt = read('prompt');
  if (typeof prompt !== 'string' || prompt === '') return fault('prompt_missing', 'field prompt is required');
  if ((read('stream') ?? false) !== false) return fault('invalid_text_request', 'images are not streamed');
  const rule = rules.get(model);
  const size = read('size') ?? '1024x1024';
  const thousandths = typeof size === 'string' ? thousandthsOf(rule, size) : undefined;
  if (typeof size !== 'string' || thousandths === undefined)
    return fault('size_not_supported', 'this size is not supported by the model');
  if (rule !== undefined && Buffer.byteLength(prompt) > rule.promptMax)
    return fault('prompt_too_long', `the prompt is longer than ${rule.promptMax} bytes`);
  const n = read('n') ?? 1;
  if (!isWhole(n) || n < 1 || n > (rule?.countMax ?? unlistedCountMax))
    return fault('n_not_within_range', 'the value of n is not within the range');
  const metered = thousandths * hdFactor(model, size, read('quality')) * n;
  return plainInbound({ bytes, scanned, model, namesModel: given === '', metered, prompt: [] });
};

/** `POST /v1/images/generations` (provider notes 19.8). */
export const openAiImages: Dialect = { format: 'openai-images', headers: [], read: readImages, errors: openAiErrors };
