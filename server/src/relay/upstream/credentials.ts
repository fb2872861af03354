import type { Credential, CredentialExchange, Refusal } from '../../providers/provider.ts';
import type { RelayLimits } from '../limits.ts';
import { uncounted } from '../memory/memory-budget.ts';
import type { ForwardProxy } from '../forward-proxy.ts';
import { ask } from './upstream-answer.ts';
import { failureOf, UpstreamError } from './upstream-error.ts';
import type { Upstream } from './upstream.ts';

export interface CredentialDeps {
  readonly upstream: Upstream;
  readonly limits: RelayLimits;
  readonly clock: { now(): number };
}

/** Credentials that vendors issue for keys, requested once and kept while they are usable. */
export interface Credentials {
  /** `proxy`: the channel's own. */
  get(exchange: CredentialExchange, proxy?: ForwardProxy | null): Promise<{ readonly value: string } | Refusal>;
  /** The vendor refuses it. */
  forget(exchange: CredentialExchange): void;
}

type ExchangeResult = Credential | Refusal;

const answerMax = 64 * 1024;
/** Beyond this number expired credentials are removed. */
const keptMax = 1000;

const exchangeIt = async (
  { upstream, limits, clock }: CredentialDeps,
  exchange: CredentialExchange,
  proxy: ForwardProxy | null,
): Promise<ExchangeResult> => {
  const { request, read } = exchange;
  const pending = ask(upstream, {
    request: request(clock.now()),
    proxy,
    bufferMax: limits.bufferMax,
    memory: uncounted,
    want: () => ({ kind: 'whole', max: answerMax }),
  });
  try {
    const { status, whole } = await pending.answer;
    return read(status, whole ?? Buffer.alloc(0), clock.now());
  } catch (error) {
    if (error instanceof UpstreamError) return { kind: 'refusal', failure: failureOf(error) };
    throw error;
  }
};

export const createCredentials = (deps: CredentialDeps): Credentials => {
  const kept = new Map<string, Credential>();
  const asking = new Map<string, Promise<ExchangeResult>>();

  const keep = (name: string, credential: Credential): void => {
    kept.set(name, credential);
    if (kept.size <= keptMax) return;
    const now = deps.clock.now();
    for (const [other, { usableUntil }] of kept) if (usableUntil <= now) kept.delete(other);
  };

  const renew = async (
    name: string,
    exchange: CredentialExchange,
    proxy: ForwardProxy | null,
  ): Promise<ExchangeResult> => {
    try {
      const got = await exchangeIt(deps, exchange, proxy);
      if (!('kind' in got)) keep(name, got);
      return got;
    } finally {
      asking.delete(name);
    }
  };

  return {
    get: async (exchange, proxy = null) => {
      const { name } = exchange;
      const credential = kept.get(name);
      if (credential !== undefined && credential.usableUntil > deps.clock.now()) return credential;
      // Concurrent calls share one request: a client that disconnects does not end it for the others.
      const running = asking.get(name) ?? renew(name, exchange, proxy);
      asking.set(name, running);
      return running;
    },
    forget: (exchange) => void kept.delete(exchange.name),
  };
};
