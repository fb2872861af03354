import type { RestReason } from '@weir/contract/channel-route';
import type { RelayFailure } from '../../providers/provider.ts';
import { failureKind } from './failure-kind.ts';
import type { RoutedChannel } from './routed-channel.ts';

/** Why, and until when (Unix milliseconds), a channel key gets no calls while others can get them. */
export interface CoolDown {
  readonly reason: RestReason;
  readonly until: number;
}

/**
 * One circuit for each channel key, by the calls of this node. Closed: in use. Open: paused for the cool-down.
 * Half-open: the cool-down is over, and one trial call decides.
 */
export interface CircuitBreaker {
  /** Null: the circuit is closed, or its cool-down is over. */
  coolDownOf(channel: RoutedChannel, model: string): CoolDown | null;
  /** A call is sent with the key. Behind a cool-down it is the trial call, and other calls avoid the key meanwhile. */
  onAttempt(channel: RoutedChannel): void;
  onSuccess(channel: RoutedChannel, model: string): void;
  /** `retryAfter`: the upstream's header of that name, or empty. */
  onFailure(channel: RoutedChannel, model: string, failure: RelayFailure, retryAfter: string): void;
}

/** Consecutive failures that open a circuit; the first and the longest cool-down. */
export const failuresMax = 5;
export const coolDownMs = 30_000;
export const coolDownMsMax = 300_000;
/** An upstream may request a longer pause. */
export const retryAfterMsMax = 60 * 60_000;
/** A trial call without a result for this long is followed by another. */
const trialMs = 30_000;
/** Circuits in memory at most; those whose cool-down is over are removed first. */
const circuitsMax = 10_000;

interface Circuit {
  state: 'closed' | 'open' | 'half-open';
  /** Consecutive ones, while the circuit is closed. */
  failures: number;
  /** Cool-downs since the key last worked for long: each is longer than the one before. */
  coolDowns: number;
  /** The end of the cool-down or of the wait for the trial; closed: since when. */
  until: number;
  reason: RestReason;
}

/** The request or the channel's settings are at fault, not the upstream. */
const ignoredKinds = new Set<string>(['request', 'setup']);

const removeExpired = (map: Map<string, { readonly until: number }>, now: number): void => {
  if (map.size < circuitsMax) return;
  for (const [name, { until }] of map) if (until <= now) map.delete(name);
};

const createCircuits = (clock: { now(): number }) => {
  const circuits = new Map<string, Circuit>();
  const open = (circuit: Circuit, reason: RestReason): void => {
    circuit.coolDowns += 1;
    const until = clock.now() + Math.min(coolDownMsMax, coolDownMs * circuit.coolDowns);
    Object.assign(circuit, { state: 'open', failures: 0, until, reason });
  };
  return {
    coolDownOf: ({ channelKey }: RoutedChannel): CoolDown | null => {
      const circuit = circuits.get(channelKey);
      return circuit === undefined || circuit.state === 'closed'
        ? null
        : { reason: circuit.reason, until: circuit.until };
    },
    onAttempt: ({ channelKey }: RoutedChannel): void => {
      const circuit = circuits.get(channelKey);
      const now = clock.now();
      if (circuit === undefined || circuit.state === 'closed' || circuit.until > now) return;
      Object.assign(circuit, { state: 'half-open', until: now + trialMs });
    },
    onSuccess: ({ channelKey }: RoutedChannel): void => {
      const circuit = circuits.get(channelKey);
      if (circuit === undefined) return;
      const now = clock.now();
      if (circuit.state !== 'closed') Object.assign(circuit, { state: 'closed', failures: 0, until: now });
      else if (circuit.coolDowns === 0 || now - circuit.until > coolDownMsMax) circuits.delete(channelKey);
      else circuit.failures = 0;
    },
    onFailure: ({ channelKey, channelKeys }: RoutedChannel, refusesAccount: boolean): void => {
      removeExpired(circuits, clock.now());
      const circuit = circuits.get(channelKey) ?? {
        state: 'closed',
        failures: 0,
        coolDowns: 0,
        until: 0,
        reason: 'failures',
      };
      circuits.set(channelKey, circuit);
      // The call began before the circuit opened: its failure adds nothing.
      if (circuit.state === 'open') return;
      circuit.failures += 1;
      if (refusesAccount && channelKeys.length > 1) open(circuit, 'refused');
      else if (circuit.state === 'half-open' || circuit.failures >= failuresMax) open(circuit, 'failures');
    },
  };
};

/** Pauses that upstreams request. Each is for one model of one key, because vendors limit by both. */
const createRequestedPauses = (clock: { now(): number }) => {
  const pauses = new Map<string, CoolDown>();
  const nameOf = ({ channelKey }: RoutedChannel, model: string): string => `${channelKey}\n${model}`;
  return {
    of: (channel: RoutedChannel, model: string): CoolDown | null =>
      pauses.size === 0 ? null : (pauses.get(nameOf(channel, model)) ?? null),
    end: (channel: RoutedChannel, model: string): void => {
      if (pauses.size > 0) pauses.delete(nameOf(channel, model));
    },
    start: (channel: RoutedChannel, model: string, ms: number): void => {
      const now = clock.now();
      removeExpired(pauses, now);
      const until = now + Math.min(ms, retryAfterMsMax);
      pauses.set(nameOf(channel, model), { reason: 'retry_after', until });
    },
  };
};

/** An upstream's Retry-After in milliseconds (RFC 9110, 10.2.3: seconds or a date); 0: there is none. */
export const retryAfterMs = (header: string, now: number): number => {
  const text = header.trim();
  if (text === '') return 0;
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return Math.round(Number(text) * 1000);
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
};

/** An open circuit is a preference, not a ban: where no other key is left, routing takes it all the same. */
export const createCircuitBreaker = ({ clock }: { readonly clock: { now(): number } }): CircuitBreaker => {
  const circuits = createCircuits(clock);
  const pauses = createRequestedPauses(clock);
  const current = (coolDown: CoolDown | null): CoolDown | null => {
    if (coolDown === null) return null;
    const left = coolDown.until - clock.now();
    // Longer than any can be: the clock was set back.
    return left > 0 && left <= retryAfterMsMax ? coolDown : null;
  };
  return {
    coolDownOf: (channel, model) => current(pauses.of(channel, model)) ?? current(circuits.coolDownOf(channel)),
    onAttempt: circuits.onAttempt,
    onSuccess: (channel, model) => {
      pauses.end(channel, model);
      circuits.onSuccess(channel);
    },
    onFailure: (channel, model, failure, retryAfter) => {
      if (ignoredKinds.has(failureKind(failure))) return;
      const ms = retryAfterMs(retryAfter, clock.now());
      if (ms > 0 && failure.refusesAccount !== true) return pauses.start(channel, model, ms);
      circuits.onFailure(channel, failure.refusesAccount === true);
    },
  };
};
