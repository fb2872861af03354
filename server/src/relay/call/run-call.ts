import { routeHeader } from '@weir/contract/channel-route';
import type { RelayFailure } from '../../providers/provider.ts';
import { FailedUpstream, RelayError } from '../client/relay-error.ts';
import { type ConversationKey, conversationKeyOf } from '../routing/affinity.ts';
import { channelWait, refusedByChannels } from '../rates/channel-wait.ts';
import { chooseChannel } from '../routing/choose-channel.ts';
import { callRoute } from '../routing/explain-route.ts';
import { failureKind } from '../routing/failure-kind.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import { type FailedAttempt, isFailed } from './attempt-result.ts';
import type { NamedState } from '../state/named-state.ts';
import { type AttemptTerms, type CallFunds, openCallFunds } from './call-funds.ts';
import type { AttemptTarget } from './provider-call.ts';
import type { RelayedCall } from './relayed-call.ts';
import { type Succeeded, unsupported } from './run-attempt.ts';
import type { AttemptBilling } from './settlement.ts';

const pinnedChannel = async ({ context, dialect }: RelayedCall, pinned: string): Promise<readonly RoutedChannel[]> => {
  const channel = /^\d{1,15}$/.test(pinned) ? await context.routes.find(Number(pinned)) : null;
  if (channel === null) throw new RelayError('channel_invalid');
  if (!channel.enabled) throw new RelayError('channel_disabled');
  const { provider } = channel;
  if (provider === null || context.translations.of(dialect, provider) === null) throw unsupported(channel);
  return [channel];
};

const servingChannels = ({ access, context, dialect, inbound }: RelayedCall): readonly RoutedChannel[] => {
  const serving = context.routes.serving(access.group, inbound.model);
  const [first] = serving;
  if (first === undefined) throw new RelayError('no_channel', { model: inbound.model, group: access.group });
  const isSupported = ({ provider }: RoutedChannel) =>
    provider !== null && context.translations.of(dialect, provider) !== null;
  if (serving.every(isSupported)) return serving;
  const supported = serving.filter(isSupported);
  if (supported.length === 0) throw unsupported(first);
  return supported;
};

/** The one that knows what the call names, if it is among them: others would not find it. */
const knowing = ({ channelKey }: NamedState, serving: readonly RoutedChannel[]): readonly RoutedChannel[] => {
  if (channelKey === null) return serving;
  const known = serving.filter(({ channelKeys }) => channelKeys.some((key) => key.channelKey === channelKey));
  return known.length === 0 ? serving : known;
};

const presentCandidates = (call: RelayedCall): readonly RoutedChannel[] =>
  knowing(call.namedState, servingChannels(call));

/** The channels that may serve this call: the pinned one alone, or all that serve the model to the group. */
const candidatesFor = (call: RelayedCall): readonly RoutedChannel[] | Promise<readonly RoutedChannel[]> => {
  if (call.access.pinned !== null) return pinnedChannel(call, call.access.pinned);
  const loading = call.context.routes.ready();
  return loading === null ? presentCandidates(call) : loading.then(() => presentCandidates(call));
};

/** Input for the choice of a channel within one call. */
interface Choices {
  /** Changed when the call has waited for one of them. */
  candidates: readonly RoutedChannel[];
  /** Replaced, as most calls have none. */
  failedKeys: ReadonlySet<RoutedChannel>;
  readonly conversation: ConversationKey | null;
  /** The channel key that served the conversation before; null: none. */
  readonly stickyKey: string | null;
}

const noneFailed: ReadonlySet<RoutedChannel> = new Set();

/** The conversation is read only where there is a choice. */
const choicesOf = (
  { access, context, inbound, namedState }: RelayedCall,
  candidates: readonly RoutedChannel[],
): Choices => {
  const [first] = candidates;
  const single = candidates.length === 1 && first?.channelKeys.length === 1;
  const conversation = single ? null : conversationKeyOf(inbound, access.payer.userId);
  const served = conversation?.continued === true ? context.affinity.find(conversation.key) : null;
  const stickyKey = namedState.channelKey ?? served;
  return { candidates, failedKeys: noneFailed, conversation, stickyKey };
};

const choose = (
  { context: { breaker, random }, inbound: { model }, rates }: RelayedCall,
  { candidates, failedKeys, stickyKey }: Choices,
): RoutedChannel | null => {
  const isFull = rates === null ? null : (key: RoutedChannel) => rates.waitAt(key) > 0;
  const chosen = chooseChannel(candidates, { model, failedKeys, breaker, isFull, stickyKey, random });
  if (chosen !== null) rates?.enter(chosen);
  return chosen;
};

/** Waits in the queue, in its user's turn, where all candidates are at their limits for a time that it may wait. */
const waitForChannel = async (call: RelayedCall, choices: Choices): Promise<RoutedChannel> => {
  const { access, client, context, facts, inbound, rates } = call;
  const { group } = access;
  const { model } = inbound;
  const wait = rates === null ? null : channelWait(rates, choices.candidates);
  if (wait === null) throw new RelayError('no_channel', { model, group });
  const { waitMs } = context.settings().queue;
  if (waitMs === 0 || (!wait.untilCallEnds && wait.waitMs > waitMs)) throw refusedByChannels(model, wait);
  const ids = new Set(choices.candidates.map(({ id }) => id));
  const began = context.clock.now();
  try {
    return await context.rateLimits.queue.wait({
      userId: access.payer.userId,
      group,
      model,
      client,
      line: `${model}\n${[...ids].join(',')}`,
      channels: ids,
      enter: () => {
        if (access.pinned === null) choices.candidates = presentCandidates(call);
        return choose(call, choices);
      },
    });
  } finally {
    facts.queuedMs = Math.max(1, Math.round(context.clock.now() - began));
    context.observer.onQueued(facts.queuedMs);
  }
};

/** A refused or limited key does not affect the channel's other keys. Any other failure would occur with them too. */
const failedWith = (channel: RoutedChannel, failure: RelayFailure): readonly RoutedChannel[] => {
  const kind = failureKind(failure);
  return kind === 'account' || kind === 'rate_limit' ? [channel] : channel.channelKeys;
};

/** How a kind of call is sent to a channel, and how its answer is delivered. */
export interface CallKind<T extends Succeeded> {
  /** Rejects only when the client disconnected. */
  attempt(target: AttemptTarget): Promise<T | FailedAttempt>;
  /** Sends the answer to the client, and settles. */
  deliver(answered: T, billing: AttemptBilling): Promise<void>;
}

interface Winner<T> {
  readonly answered: T;
  readonly channel: RoutedChannel;
  readonly terms: AttemptTerms;
}

interface Start {
  readonly choices: Choices;
  readonly first: RoutedChannel;
  readonly funds: CallFunds;
}

/** Tries channels until one answers: nothing has reached the client yet, so a failure can still be replaced. */
const findAnswer = async <T extends Succeeded>(
  call: RelayedCall,
  attempt: CallKind<T>['attempt'],
  { choices, first, funds }: Start,
): Promise<Winner<T>> => {
  const { context } = call;
  const { conversation } = choices;
  const retries = context.settings().retryTimes;
  let channel = first;
  let { terms } = funds;
  for (let attempts = 1; ; attempts += 1) {
    const answered = await attempt({ channel, outputCap: terms.outputCap });
    if (!isFailed(answered)) {
      if (conversation !== null && channel.affinity) context.affinity.keep(conversation.key, channel);
      return { answered, channel, terms };
    }
    const failure = new FailedUpstream(answered.failure, answered.retryAfter);
    choices.failedKeys = new Set([...choices.failedKeys, ...failedWith(channel, answered.failure)]);
    call.rates?.leave();
    const repeatable = call.rest?.isReplayable() ?? true;
    if (!answered.failure.retryable || !repeatable || attempts > retries || call.client.gone()) throw failure;
    const next = choose(call, choices);
    const nextTerms = next === null ? null : await funds.retry(next);
    if (next === null || nextTerms === null) throw failure;
    channel = next;
    terms = nextTerms;
  }
};

/** Tells the client the output limit that its balance covers, in tokens per choice, where the request was sent with it. */
const outputCapHeader = 'x-weir-output-cap';

/** Adds the route to the answer's head, for a client that requested it. */
const addRouteHeader = (call: RelayedCall, stickyKey: string | null): void => {
  const { access, attempts, client, context, dialect, inbound } = call;
  if (!call.explains || client.started()) return;
  const { group } = access;
  client.addHeader(routeHeader, callRoute(context, { group, model: inbound.model, dialect, attempts, stickyKey }));
};

/** Runs one call: choose a channel, reserve quota, send, deliver and settle, or release. */
export const runCall = async <T extends Succeeded>(call: RelayedCall, kind: CallKind<T>): Promise<void> => {
  const finding = candidatesFor(call);
  const candidates = finding instanceof Promise ? await finding : finding;
  const choices = choicesOf(call, candidates);
  let first = choose(call, choices);
  if (first === null) {
    first = await waitForChannel(call, choices);
    // The key may have been disabled meanwhile, and so may the channel that it names.
    await call.checkAccess();
    if (call.access.pinned !== null) await pinnedChannel(call, call.access.pinned);
  }
  const opening = openCallFunds(call, first);
  const funds = opening instanceof Promise ? await opening : opening;
  try {
    let winner: Winner<T>;
    try {
      winner = await findAnswer(call, kind.attempt, { choices, first, funds });
    } finally {
      addRouteHeader(call, choices.stickyKey);
    }
    const { answered, channel, terms } = winner;
    if (terms.outputCap !== null) call.client.addHeader(outputCapHeader, String(terms.outputCap));
    await kind.deliver(answered, { funds, terms, channel });
  } finally {
    // A hold that is not settled by now is released.
    if (!funds.reservation.isEnded()) await funds.reservation.release();
  }
};
