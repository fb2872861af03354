import type { RestReason } from '@weir/contract/channel-route';
import type { RelayFailure } from '../../providers/provider.ts';
import { failureKind } from './failure-kind.ts';
import { retryAfterMs } from '../upstream/retry-after.ts';
import type { RoutedChannel } from './routed-channel.ts';

/** Why and until when (Unix milliseconds) a channel's key is passed over while others can be taken. */
export interface Rest {
  readonly reason: RestReason;
  readonly until: number;
}

/** What is known of the keys of channels by the calls of this node: which of them should rest. */
export interface Rests {
  /** Null: it takes calls. */
  of(channel: RoutedChannel, model: string): Rest | null;
  /** A call goes to it. Where its rest is over this call is its trial, and others pass it by meanwhile. */
  took(channel: RoutedChannel): void;
  answered(channel: RoutedChannel, model: string): void;
  /** `retryAfter`: the upstream's own header, or empty. */
  failed(channel: RoutedChannel, model: string, failure: RelayFailure, retryAfter: string): void;
}

/** Failures in a row before a rest, and how long the first and the longest rest are. */
export const failuresMax = 5;
export const restMs = 30_000;
export const restMostMs = 300_000;
/** Upstreams may ask for more. */
export const retryAfterMostMs = 60 * 60_000;
/** How long a trial may stay without a result before there is another. */
const trialMs = 30_000;
/** Failing keys that are remembered at most: those whose rest is over are forgotten first. */
const statesMax = 10_000;

interface State {
  phase: 'well' | 'resting' | 'trial';
  /** In a row, while it is well. */
  failures: number;
  /** Rests since it last did well for long: each is longer than the one before. */
  rests: number;
  /** The end of the rest or trial; where it is well again, since when. */
  until: number;
  reason: RestReason;
}

/** The fault is the request's or the setup's: the upstream does well. */
const innocent = new Set<string>(['request', 'setup']);

const forgetOld = (map: Map<string, { readonly until: number }>, now: number): void => {
  if (map.size < statesMax) return;
  for (const [name, { until }] of map) if (until <= now) map.delete(name);
};

const createStates = (clock: { now(): number }) => {
  const states = new Map<string, State>();
  const rest = (state: State, reason: RestReason): void => {
    state.rests += 1;
    const until = clock.now() + Math.min(restMostMs, restMs * state.rests);
    Object.assign(state, { phase: 'resting', failures: 0, until, reason });
  };
  return {
    of: ({ lane }: RoutedChannel): Rest | null => {
      const state = states.get(lane);
      return state === undefined || state.phase === 'well' ? null : { reason: state.reason, until: state.until };
    },
    took: ({ lane }: RoutedChannel): void => {
      const state = states.get(lane);
      const now = clock.now();
      if (state === undefined || state.phase === 'well' || state.until > now) return;
      Object.assign(state, { phase: 'trial', until: now + trialMs });
    },
    answered: ({ lane }: RoutedChannel): void => {
      const state = states.get(lane);
      if (state === undefined) return;
      const now = clock.now();
      if (state.phase !== 'well') Object.assign(state, { phase: 'well', failures: 0, until: now });
      else if (state.rests === 0 || now - state.until > restMostMs) states.delete(lane);
      else state.failures = 0;
    },
    failed: ({ lane, lanes }: RoutedChannel, refused: boolean): void => {
      forgetOld(states, clock.now());
      const state = states.get(lane) ?? { phase: 'well', failures: 0, rests: 0, until: 0, reason: 'failures' };
      states.set(lane, state);
      // What was under way when the rest began says nothing new.
      if (state.phase === 'resting') return;
      state.failures += 1;
      if (refused && lanes.length > 1) rest(state, 'refused');
      else if (state.phase === 'trial' || state.failures >= failuresMax) rest(state, 'failures');
    },
  };
};

/** What an upstream asked for concerns one model of one key: vendors limit by both. */
const createCooling = (clock: { now(): number }) => {
  const cooling = new Map<string, Rest>();
  const nameOf = ({ lane }: RoutedChannel, model: string): string => `${lane}\n${model}`;
  return {
    of: (channel: RoutedChannel, model: string): Rest | null =>
      cooling.size === 0 ? null : (cooling.get(nameOf(channel, model)) ?? null),
    end: (channel: RoutedChannel, model: string): void => {
      if (cooling.size > 0) cooling.delete(nameOf(channel, model));
    },
    start: (channel: RoutedChannel, model: string, ms: number): void => {
      const now = clock.now();
      forgetOld(cooling, now);
      const until = now + Math.min(ms, retryAfterMostMs);
      cooling.set(nameOf(channel, model), { reason: 'retry_after', until });
    },
  };
};

/** Rests are passed over, never final: where nobody else is left, a resting channel is taken all the same. */
export const createRests = ({ clock }: { readonly clock: { now(): number } }): Rests => {
  const circuits = createStates(clock);
  const cooling = createCooling(clock);
  const lasting = (rest: Rest | null): Rest | null => {
    if (rest === null) return null;
    const left = rest.until - clock.now();
    // A rest longer than any can be: the clock was set back.
    return left > 0 && left <= retryAfterMostMs ? rest : null;
  };
  return {
    of: (channel, model) => lasting(cooling.of(channel, model)) ?? lasting(circuits.of(channel)),
    took: circuits.took,
    answered: (channel, model) => {
      cooling.end(channel, model);
      circuits.answered(channel);
    },
    failed: (channel, model, failure, retryAfter) => {
      if (innocent.has(failureKind(failure))) return;
      const ms = retryAfterMs(retryAfter, clock.now());
      if (ms > 0 && failure.refusesAccount !== true) return cooling.start(channel, model, ms);
      circuits.failed(channel, failure.refusesAccount === true);
    },
  };
};
