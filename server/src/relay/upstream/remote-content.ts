import { setImmediate } from 'node:timers/promises';
import { refusal } from '../../providers/failure.ts';
import type { Refusal, UpstreamRequest } from '../../providers/provider.ts';
import type { RelayLimits } from '../limits.ts';
import { type CallMemory, MemoryError, type MemoryPart, mustHold } from '../memory/memory-budget.ts';
import { ask, type UpstreamAnswer } from './upstream-answer.ts';
import { UpstreamError } from './upstream-error.ts';
import type { Upstream } from './upstream.ts';
import type { CallOwner } from './upstream-call.ts';

/** Fetched content. */
export interface FetchedContent {
  readonly kind: 'content';
  readonly mime: string;
  /** In base64, as bytes: requests are put together of bytes. */
  readonly base64: Buffer;
}

/** What one call has fetched: another channel that it is tried on gets the same. */
export interface CallContents {
  readonly memory: CallMemory;
  readonly byAddress: Map<string, FetchedContent>;
}

export interface Fetched {
  readonly kind: 'fetched';
  readonly contents: ReadonlyMap<string, FetchedContent>;
}

/** Content that clients name by its address. */
export interface RemoteContent {
  /**
   * All of it by value, or why the call cannot be served with it. Rejects when the client disconnected or there is no
   * memory left.
   */
  fetch(addresses: readonly string[], contents: CallContents, client: CallOwner | null): Promise<Fetched | Refusal>;
}

export interface RemoteContentDeps {
  /** Reaches no private address. */
  readonly upstream: Upstream;
  readonly limits: Pick<RelayLimits, 'bufferMax' | 'contentMax'>;
}

const addressesMax = 16;
const redirectsMax = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/** First bytes of file types, for servers that send no content type. */
const beginnings = [
  ['image/png', '89504e47'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['application/pdf', '25504446'],
] as const;

const sniffed = (bytes: Buffer): string => {
  const begin = bytes.subarray(0, 4).toString('hex');
  const known = beginnings.find(([, mark]) => begin.startsWith(mark));
  if (known !== undefined) return known[0];
  return begin === '52494646' && bytes.toString('latin1', 8, 12) === 'WEBP' ? 'image/webp' : '';
};

const taken = /^(?:image|audio|video)\/[\w.+-]+$|^application\/pdf$|^text\/plain$/;

const mimeOf = ({ headers }: UpstreamAnswer, bytes: Buffer): string => {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const mime = type.trim().toLowerCase();
  return taken.test(mime) ? mime : sniffed(bytes);
};

const requestFor = (address: string): { readonly url: URL; readonly request: UpstreamRequest } | null => {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  const path = url.pathname + url.search;
  const headers = ['accept', 'image/*, */*;q=0.5', 'user-agent', 'weir'];
  return { url, request: { origin: url.origin, path, method: 'GET', headers, body: Buffer.alloc(0) } };
};

const unfetched = (address: string, why: string): Refusal => {
  const { failure } = refusal(`could not fetch content from ${address.slice(0, 200)}: ${why}`);
  return { kind: 'refusal', failure: { ...failure, error: { ...failure.error, code: 'invalid_image_url' } } };
};

/** The calls that end when the client disconnects. */
const createCalls = (client: CallOwner | null) => {
  const running = new Set<{ abort(): void }>();
  client?.onGone({
    abort: () => {
      for (const call of running) call.abort();
    },
  });
  return running;
};

type Calls = ReturnType<typeof createCalls>;

/** What is fetched for a call together: its bound is counted as the bytes arrive. */
class ContentSizes {
  private total = 0;
  private readonly memory: CallMemory;
  private readonly max: number;

  constructor({ memory, byAddress }: CallContents, max: number) {
    this.memory = memory;
    this.max = max;
    for (const { base64 } of byAddress.values()) this.total += base64.length;
  }

  part(): MemoryPart {
    const part = this.memory.part();
    let size = 0;
    return {
      resize: (bytes) => {
        if (this.total + bytes - size > this.max) return 'call';
        const bound = part.resize(bytes);
        if (bound !== null) return bound;
        this.total += bytes - size;
        size = bytes;
        return null;
      },
    };
  }
}

interface Fetching {
  readonly deps: RemoteContentDeps;
  readonly calls: Calls;
  readonly sizes: ContentSizes;
}

const get = async ({ deps, calls }: Fetching, request: UpstreamRequest, memory: MemoryPart) => {
  const { bufferMax, contentMax } = deps.limits;
  const want = () => ({ kind: 'whole', max: contentMax }) as const;
  const pending = ask(deps.upstream, { request, bufferMax, memory, want });
  calls.add(pending);
  try {
    return await pending.answer;
  } finally {
    calls.delete(pending);
  }
};

/** A multiple of three bytes, so that the pieces can be joined. */
const encodedPiece = 3 * 1024 * 1024;

/** Encodes piece by piece: other calls are served in between. */
const toBase64 = async (bytes: Buffer): Promise<Buffer> => {
  const encoded = Buffer.allocUnsafe(Math.ceil(bytes.length / 3) * 4);
  for (let at = 0; at < bytes.length; at += encodedPiece) {
    encoded.write(bytes.toString('base64', at, at + encodedPiece), (at / 3) * 4, 'latin1');
    if (at + encodedPiece < bytes.length) await setImmediate();
  }
  return encoded;
};

const fetchOne = async (fetching: Fetching, address: string): Promise<FetchedContent | Refusal> => {
  const memory = fetching.sizes.part();
  let target = requestFor(address);
  for (let redirected = 0; redirected <= redirectsMax; redirected += 1) {
    if (target === null) return unfetched(address, 'not an http or https address');
    const answer = await get(fetching, target.request, memory);
    const { location } = answer.headers;
    if (redirects.has(answer.status) && location !== undefined) {
      target = requestFor(URL.parse(location, target.url.href)?.href ?? '');
      continue;
    }
    const bytes = answer.whole ?? Buffer.alloc(0);
    if (answer.status !== 200 || bytes.length === 0) return unfetched(address, `status ${answer.status}`);
    const mime = mimeOf(answer, bytes);
    if (mime === '') return unfetched(address, 'not an image, audio, video or document');
    mustHold(memory, Math.ceil(bytes.length / 3) * 4);
    return { kind: 'content', mime, base64: await toBase64(bytes) };
  }
  return unfetched(address, 'too many redirects');
};

/** The bound that the fetched bytes exceed; null: the error is another one. */
const exceededBy = (error: unknown): MemoryError | null => {
  const cause = error instanceof UpstreamError ? error.cause : error;
  return cause instanceof MemoryError ? cause : null;
};

const fetchSafely = async (fetching: Fetching, address: string): Promise<FetchedContent | Refusal> => {
  try {
    return await fetchOne(fetching, address);
  } catch (error) {
    const exceeded = exceededBy(error);
    const isTooLarge = exceeded?.bound === 'call' || (error instanceof UpstreamError && error.fault === 'too_large');
    if (isTooLarge)
      return unfetched(
        address,
        `the content URLs of a request may have ${fetching.deps.limits.contentMax} bytes in total, in base64`,
      );
    if (!(error instanceof UpstreamError) || error.fault === 'aborted') throw exceeded ?? error;
    // One reason for all of them: a name that is blocked must not look different from one that does not exist.
    return unfetched(address, 'no response');
  }
};

export const createRemoteContent = (deps: RemoteContentDeps): RemoteContent => ({
  fetch: async (addresses, contents, client) => {
    if (addresses.length > addressesMax) return refusal(`a request may have at most ${addressesMax} content URLs`);
    const { byAddress } = contents;
    const missing = addresses.filter((address) => !byAddress.has(address));
    const sizes = new ContentSizes(contents, deps.limits.contentMax);
    const fetching = { deps, calls: createCalls(client), sizes };
    const got = await Promise.all(missing.map((address) => fetchSafely(fetching, address)));
    for (const [index, content] of got.entries()) {
      if (content.kind === 'refusal') return content;
      byAddress.set(missing[index] ?? '', content);
    }
    return { kind: 'fetched', contents: byAddress };
  },
});
