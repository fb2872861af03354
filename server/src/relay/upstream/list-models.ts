import { parseJson } from '../../conversation/json.ts';
import { readFailure } from '../../providers/failure.ts';
import type { ModelListing, ModelPage, Provider, ProviderChannel } from '../../providers/provider.ts';
import type { ForwardProxy } from '../forward-proxy.ts';
import type { RelayLimits } from '../limits.ts';
import { uncounted } from '../memory/memory-budget.ts';
import { createCredentials } from './credentials.ts';
import { ask } from './upstream-answer.ts';
import { UpstreamError } from './upstream-error.ts';
import type { Upstream } from './upstream.ts';

/** The channel whose provider is asked. */
export interface ListingChannel extends ProviderChannel {
  readonly provider: Provider | null;
  readonly proxy: ForwardProxy | null;
}

/** What a provider lists, or why nothing is known. No text has the key. */
export type ModelsListed =
  /** `complete`: there were no more than the bounds allow. */
  | { readonly kind: 'models'; readonly names: readonly string[]; readonly complete: boolean }
  | { readonly kind: 'unlisted' }
  /** The provider refuses the key. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export interface ModelListerDeps {
  readonly upstream: Upstream;
  readonly limits: RelayLimits;
  readonly clock: { now(): number };
}

/** Aggregators list hundreds of models, each with its description. */
const pageMaxBytes = 4 * 1024 * 1024;
const pagesMax = 40;
const namesMax = 2000;
const nameMaxLength = 200;
/** Of one page, and of all: less than a console waits. */
const pageTimes = { firstByteMs: 15_000, idleMs: 10_000, totalMs: 20_000 } as const;
const timeMaxMs = 40_000;
const cursorMaxLength = 2000;

/** Names that a channel's list, which is separated by commas, cannot have are left out. */
const isName = (name: string): boolean => name !== '' && name.length <= nameMaxLength && !/[,\p{C}]/u.test(name);

type Failed = Extract<ModelsListed, { kind: 'refused' | 'failed' }>;
const failed = (reason: string): Failed => ({ kind: 'failed', reason });

/** A vendor's own words may quote the key. */
const withoutKey = (text: string, { key }: ProviderChannel): string =>
  key.split(/[|\n]/).reduce((masked, part) => (part.length < 8 ? masked : masked.replaceAll(part, '***')), text);

const failureOf = (status: number, body: Buffer, channel: ProviderChannel): Failed => {
  const { error } = readFailure(status, body.toString('utf8', 0, 16_384));
  const reason = withoutKey(`status code: ${status}, ${error.message}`, channel).slice(0, 300);
  return status === 401 || status === 403 ? { kind: 'refused', reason } : failed(reason);
};

interface Question {
  readonly channel: ListingChannel;
  readonly listing: ModelListing;
  readonly credential: string;
}

const askPage = async (
  { upstream, limits, clock }: ModelListerDeps,
  { channel, listing, credential }: Question,
  cursor: string,
): Promise<ModelPage | Failed> => {
  const page = { cursor, credential, now: clock.now() };
  const request = listing.request(channel, page);
  if ('kind' in request) return failed(request.message);
  const pending = ask(upstream, {
    request,
    proxy: channel.proxy,
    times: pageTimes,
    bufferMax: limits.bufferMax,
    memory: uncounted,
    want: () => ({ kind: 'whole', max: pageMaxBytes }),
  });
  try {
    const { status, whole } = await pending.answer;
    const body = whole ?? Buffer.alloc(0);
    if (status !== 200) return failureOf(status, body, channel);
    const parsed = parseJson(body.toString());
    if (parsed === undefined) return failed('the response is not JSON');
    return listing.read(parsed, page, channel) ?? failed('the response is no list of models');
  } catch (error) {
    if (error instanceof UpstreamError) return failed(error.message);
    throw error;
  }
};

/** Reads page after page, within bounds of pages, names and time. */
const askPages = async (deps: ModelListerDeps, question: Question): Promise<ModelsListed> => {
  const names = new Set<string>();
  const until = performance.now() + timeMaxMs;
  let cursor = '';
  for (let count = 1; ; count += 1) {
    const page = await askPage(deps, question, cursor);
    if ('kind' in page) return page;
    for (const name of page.names.map((each) => each.trim()).filter(isName)) {
      if (names.size === namesMax && !names.has(name)) return { kind: 'models', names: [...names], complete: false };
      names.add(name);
    }
    if (page.next === '') return { kind: 'models', names: [...names], complete: true };
    if (page.next === cursor || page.next.length > cursorMaxLength) return failed('the provider names no next page');
    if (count === pagesMax || performance.now() > until) return { kind: 'models', names: [...names], complete: false };
    cursor = page.next;
  }
};

/** Asks providers for their lists of models. */
export const createModelLister = (deps: ModelListerDeps): ((channel: ListingChannel) => Promise<ModelsListed>) => {
  const credentials = createCredentials(deps);
  return async (channel) => {
    const listing = channel.provider?.models;
    if (listing === undefined) return { kind: 'unlisted' };
    const exchange = listing.credential?.(channel) ?? null;
    if (exchange === null) return askPages(deps, { channel, listing, credential: '' });
    if ('kind' in exchange) return failed(exchange.message);
    const got = await credentials.get(exchange, channel.proxy);
    if ('kind' in got) return failureOf(got.failure.status, Buffer.from(JSON.stringify(got.failure)), channel);
    return askPages(deps, { channel, listing, credential: got.value });
  };
};
