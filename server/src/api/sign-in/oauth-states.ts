import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { OauthProvider } from '@weir/contract/identities';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { AppError, type ErrorCode, errorTexts } from '../../errors.ts';
import type { Session, Sessions } from '../../http/sessions.ts';
import type { ExternalAccount } from '../../integrations/external-account.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';

/** Seconds that a state is good for, unused. */
const stateSeconds = 600;
/** Seconds for which the outcome of a sign-in can be requested again. */
export const repeatSeconds = 60;
/** Sign-ins that one browser may have begun at the same time, in several tabs; beyond it the oldest are forgotten. */
const statesMax = 5;
/** How often, in ms, and how many times a running exchange is polled for its outcome: longer than it can take. */
const poll = { everyMs: 150, times: 100 } as const;
/** Providers that accept a PKCE challenge, or ignore one. */
const pkceProviders: readonly OauthProvider[] = ['github', 'oidc'];

const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorTexts, value);

const outcomeSchema = v.union([
  v.object({ account: v.object({ id: v.string(), login: v.string(), name: v.string(), email: v.string() }) }),
  v.object({ refusal: v.custom<ErrorCode>(isErrorCode), values: v.record(v.string(), v.string()) }),
]);
type Outcome = v.InferOutput<typeof outcomeSchema>;

const entrySchema = v.object({
  /** SHA-256 of the state. */
  state: v.string(),
  /** The provider that it is for; empty: the one of the first callback. Sessions of earlier versions have it by this name. */
  place: v.string(),
  /** Unix seconds: made, and used for the first time (0: not yet). */
  madeAt: v.number(),
  claimedAt: v.number(),
  /** SHA-256 of the provider and the code that it was used with. */
  claim: v.string(),
  /** The user who was signed in when it was used, whose account is bound; 0: none, so the callback signs in. */
  userId: v.number(),
  outcome: v.optional(outcomeSchema),
});
type Entry = v.InferOutput<typeof entrySchema>;

export interface OauthCallback {
  readonly request: FastifyRequest;
  readonly provider: OauthProvider;
  readonly state: string;
  readonly code: string;
}

/** The account of a callback, and what to do with it. */
export interface Arrival {
  readonly account: ExternalAccount;
  /** The account to bind it to; 0: sign in. */
  readonly userId: number;
  readonly session: Session;
  readonly entry: Entry;
}

/**
 * One-time states, bound to the browser's session (RFC 6749, 10.12). The first callback of a state claims it with its
 * provider and code and exchanges the code, once; the same session may repeat the callback for a minute and gets the
 * same outcome, because an answer may be lost. Everything else is refused.
 */
export interface OauthStates {
  /** A state for this browser; for a named provider, with a challenge that must be sent with it. */
  begin(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: OauthProvider | undefined,
  ): Promise<{ readonly state: string; readonly challenge: string | undefined }>;
  /** Calls `exchange` for the first of equal callbacks only. */
  arrive(
    callback: OauthCallback,
    exchange: (verifier: string | undefined) => Promise<ExternalAccount>,
  ): Promise<Arrival>;
  /** Lets the session of a user who has just signed in repeat the callback, too. */
  carry(session: Session, arrival: Arrival): Promise<void>;
}

interface OauthStatesDeps {
  readonly sessions: Sessions;
  readonly secrets: Secrets;
  readonly clock: { now(): number };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const entriesIn = (slot: unknown): readonly Entry[] => {
  const result = v.safeParse(v.array(entrySchema), slot);
  return result.success ? result.output : [];
};

const isCurrent = ({ madeAt, claimedAt }: Entry, now: number): boolean =>
  claimedAt === 0 ? now - madeAt < stateSeconds : now - claimedAt < repeatSeconds;

const replaced = (entries: readonly Entry[], next: Entry): readonly Entry[] =>
  entries.map((entry) => (entry.state === next.state ? next : entry));

/** A failure as it can be kept: what people are shown depends on nothing else. */
const refusalOf = ({ code, values }: AppError): Outcome => ({
  refusal: code,
  values: Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  ),
});

const unknownState = () => new AppError('oauth_state_mismatch');

/** The entry that a callback may use, claimed for it; `first`: by this call. */
const claimState = async (
  { sessions, clock }: OauthStatesDeps,
  session: Session,
  { provider, state, code }: OauthCallback,
): Promise<{ readonly entry: Entry; readonly first: boolean }> => {
  const now = Math.floor(clock.now() / 1000);
  const claim = sha256(`${provider} ${code}`);
  const claimed: { entry?: Entry; first: boolean } = { first: false };
  await sessions.remember(session, 'oauth', (slot) => {
    const entries = entriesIn(slot).filter((entry) => isCurrent(entry, now));
    const found = entries.find((entry) => entry.state === sha256(state) && ['', provider].includes(entry.place));
    if (found === undefined) return entries;
    claimed.first = found.claim === '';
    claimed.entry = claimed.first ? { ...found, claim, claimedAt: now, userId: session.userId } : found;
    return replaced(entries, claimed.entry);
  });
  const { entry, first } = claimed;
  if (entry?.claim !== claim) throw unknownState();
  return { entry, first };
};

/** The outcome of a claimed state, once it is known. */
const awaitOutcome = async ({ sessions }: OauthStatesDeps, session: Session, { state }: Entry): Promise<Outcome> => {
  for (let times = 0; times < poll.times; times += 1) {
    const entry = entriesIn(await sessions.recall(session, 'oauth')).find((known) => known.state === state);
    if (entry === undefined) break;
    if (entry.outcome !== undefined) return entry.outcome;
    await wait(poll.everyMs);
  }
  throw new AppError('oauth_unfinished');
};

const outcomeOf = async (exchanging: Promise<ExternalAccount>): Promise<Outcome> => {
  try {
    return { account: await exchanging };
  } catch (error) {
    if (error instanceof AppError) return refusalOf(error);
    throw error;
  }
};

export const createOauthStates = (deps: OauthStatesDeps): OauthStates => {
  const { sessions, secrets, clock } = deps;
  /** Made from the state, so that it has to be kept nowhere. */
  const verifierOf = (state: string): string => secrets.digest(`pkce ${state}`);
  return {
    begin: async (request, reply, provider) => {
      const state = randomBytes(24).toString('base64url');
      const session = await sessions.begin(request, reply);
      const now = Math.floor(clock.now() / 1000);
      const times = { madeAt: now, claimedAt: 0 };
      const entry: Entry = { state: sha256(state), place: provider ?? '', ...times, claim: '', userId: 0 };
      await sessions.remember(session, 'oauth', (slot) =>
        [...entriesIn(slot).filter((known) => isCurrent(known, now)), entry].slice(-statesMax),
      );
      const verifier = provider !== undefined && pkceProviders.includes(provider) ? verifierOf(state) : undefined;
      const challenge = verifier && createHash('sha256').update(verifier).digest('base64url');
      return { state, challenge };
    },
    arrive: async (callback, exchange) => {
      const session = await sessions.look(callback.request);
      if (session === undefined || callback.state === '') throw unknownState();
      if (callback.code === '') throw new AppError('invalid_parameter');
      const { entry, first } = await claimState(deps, session, callback);
      const { state } = callback;
      const verifier = entry.place !== '' && pkceProviders.includes(callback.provider) ? verifierOf(state) : undefined;
      const outcome = first ? await outcomeOf(exchange(verifier)) : await awaitOutcome(deps, session, entry);
      if (first) await sessions.remember(session, 'oauth', (slot) => replaced(entriesIn(slot), { ...entry, outcome }));
      if ('refusal' in outcome) throw new AppError(outcome.refusal, outcome.values);
      return { account: outcome.account, userId: entry.userId, session, entry: { ...entry, outcome } };
    },
    carry: async (session, { entry }) => {
      await sessions.remember(session, 'oauth', () => [entry]);
    },
  };
};
