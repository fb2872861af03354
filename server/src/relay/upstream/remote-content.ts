import type { Content } from '../../conversation/addresses.ts';
import { refusal } from '../../providers/failure.ts';
import type { Refusal, UpstreamRequest } from '../../providers/provider.ts';
import type { RelayLimits } from '../limits.ts';
import { ask, type UpstreamAnswer } from './upstream-answer.ts';
import { UpstreamError } from './upstream-error.ts';
import type { Upstream } from './upstream.ts';
import type { CallOwner } from './upstream-call.ts';

/** Content that clients name by its address. */
export interface RemoteContent {
  /** All of it by value, or why the call cannot be served with it. Rejects when the client disconnected. */
  fetch(addresses: readonly string[], client: CallOwner | null): Promise<Fetched | Refusal>;
}

export interface Fetched {
  readonly kind: 'fetched';
  readonly contents: ReadonlyMap<string, Content>;
}

export interface RemoteContentDeps {
  /** Reaches no private address. */
  readonly upstream: Upstream;
  readonly limits: Pick<RelayLimits, 'bufferMax'>;
}

const addressesMax = 16;
const bytesMax = 20 * 1024 * 1024;
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

const get = async ({ upstream, limits }: RemoteContentDeps, request: UpstreamRequest, calls: Calls) => {
  const { bufferMax } = limits;
  const pending = ask(upstream, { request, bufferMax, want: () => ({ kind: 'whole', max: bytesMax }) });
  calls.add(pending);
  try {
    return await pending.answer;
  } finally {
    calls.delete(pending);
  }
};

const fetchOne = async (deps: RemoteContentDeps, address: string, calls: Calls): Promise<Content | Refusal> => {
  let target = requestFor(address);
  for (let redirected = 0; redirected <= redirectsMax; redirected += 1) {
    if (target === null) return unfetched(address, 'not an http or https address');
    const answer = await get(deps, target.request, calls);
    const { location } = answer.headers;
    if (redirects.has(answer.status) && location !== undefined) {
      target = requestFor(URL.parse(location, target.url.href)?.href ?? '');
      continue;
    }
    const bytes = answer.whole ?? Buffer.alloc(0);
    if (answer.status !== 200 || bytes.length === 0) return unfetched(address, `status ${answer.status}`);
    const mime = mimeOf(answer, bytes);
    if (mime === '') return unfetched(address, 'not an image, audio, video or document');
    return { kind: 'data', mime, base64: bytes.toString('base64') };
  }
  return unfetched(address, 'too many redirects');
};

const fetchSafely = async (deps: RemoteContentDeps, address: string, calls: Calls): Promise<Content | Refusal> => {
  try {
    return await fetchOne(deps, address, calls);
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.fault === 'aborted') throw error;
    // One reason for all of them: a name that is blocked must not look different from one that does not exist.
    return unfetched(address, 'no response');
  }
};

export const createRemoteContent = (deps: RemoteContentDeps): RemoteContent => ({
  fetch: async (addresses, client) => {
    if (addresses.length > addressesMax) return refusal(`a request may have at most ${addressesMax} content URLs`);
    const calls = createCalls(client);
    const got = await Promise.all(addresses.map((address) => fetchSafely(deps, address, calls)));
    const contents = new Map<string, Content>();
    for (const [index, content] of got.entries()) {
      if (content.kind === 'refusal') return content;
      contents.set(addresses[index] ?? '', content);
    }
    return { kind: 'fetched', contents };
  },
});
