import { type Wire, vendorOf } from '@weir/contract/catalogue/vendors';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import { OutboundError, type Outbound } from './outbound.ts';
import { readJson } from './read-json.ts';

/** The channel whose provider is queried. */
export interface ListingChannel {
  readonly type: number;
  readonly key: string;
  /** The channel's own; empty: its vendor's. */
  readonly baseUrl: string;
}

interface Listing {
  /** Below a base URL without a version; one that ends with a version continues with `/models`. */
  readonly path: string;
  readonly headers?: (key: string) => Readonly<Record<string, string>>;
}

const bearer = (key: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${key}` });
const atVersion: Listing = { path: '/v1/models' };
const atAddress: Listing = { path: '/models' };
const googleKey = (key: string): Readonly<Record<string, string>> => ({ 'x-goog-api-key': key });
const claudeKey = (key: string): Readonly<Record<string, string>> => ({
  'x-api-key': key,
  'anthropic-version': '2023-06-01',
});

/** The wire formats whose vendors list their models. */
const listings: Partial<Record<Wire, Listing>> = {
  openai: atVersion,
  openaiCompatible: atVersion,
  openaiRelay: atVersion,
  openaiCustom: atVersion,
  openaiAtAddress: atAddress,
  openaiAnyPath: atAddress,
  anthropic: { path: '/v1/models?limit=1000', headers: claudeKey },
  bailian: { path: '/compatible-mode/v1/models' },
  cohere: { path: '/v1/models?page_size=1000' },
  deepseek: atVersion,
  gemini: { path: '/v1beta/models?pageSize=1000', headers: googleKey },
  groq: atVersion,
  lingyi: atVersion,
  mistral: atVersion,
  moonshot: atVersion,
  ollama: atVersion,
  openrouter: atVersion,
  qianfan: { path: '/v2/models' },
  volcengine: { path: '/api/v3/models' },
  xai: atVersion,
  zhipu: { path: '/api/paas/v4/models' },
};
const byWire = new Map<string, Listing>(Object.entries(listings));

const version = /\/v\d+(?:(?:alpha|beta)\d*)?$/;
const named = v.union([
  v.pipe(
    v.object({ id: v.string() }),
    v.transform(({ id }) => id),
  ),
  v.pipe(
    v.object({ name: v.string() }),
    v.transform(({ name }) => name),
  ),
]);
/** OpenAI's list, that of Google and Cohere, or a bare one. */
const answerSchema = v.union([
  v.pipe(
    v.object({ data: v.array(named) }),
    v.transform(({ data }) => data),
  ),
  v.pipe(
    v.object({ models: v.array(named) }),
    v.transform(({ models }) => models),
  ),
  v.array(named),
]);

const refused = (reason: string, cause?: unknown): AppError => new AppError('models_failed', { reason }, cause);

/** Aggregators list hundreds of models, each with its description. */
const answerMaxBytes = 4 * 1024 * 1024;

const addressOf = (base: string, path: string): string =>
  version.test(base) ? `${base}${path.slice(path.lastIndexOf('/models'))}` : `${base}${path}`;

/** The names of the models that a channel's provider lists. Rejects with `models_unlisted` or `models_failed`. */
export const createModelsQuery =
  (call: Outbound) =>
  async ({ type, key, baseUrl }: ListingChannel): Promise<string[]> => {
    const vendor = vendorOf(type);
    const listing = byWire.get(vendor?.wire ?? '');
    if (vendor === undefined || listing === undefined) throw new AppError('models_unlisted');
    const base = (baseUrl === '' ? vendor.baseUrl : baseUrl).replace(/\/+$/, '');
    if (!/^https?:\/\//.test(base)) throw new AppError('channel_address_invalid');
    const { path, headers = bearer } = listing;
    const request = { method: 'GET', url: addressOf(base, path), headers: headers(key), answerMaxBytes } as const;
    const { status, text } = await call(request).catch((error: unknown) => {
      throw error instanceof OutboundError ? refused(error.message, error) : error;
    });
    if (status !== 200) throw refused(`status code: ${status}`);
    const names = readJson(answerSchema, text);
    if (names === undefined) throw refused('the response has an unexpected form');
    return [...new Set(names.map((name) => name.replace(/^models\//, '')))].filter(Boolean).toSorted();
  };
