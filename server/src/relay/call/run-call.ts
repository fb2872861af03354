import { routeHeader } from '@weir/contract/channel-route';
import type { RelayFailure } from '../../providers/provider.ts';
import type { FailedAttempt } from './attempt.ts';
import { type ConversationKey, conversationKeyOf } from '../routing/affinity.ts';
import { isFailed, type Succeeded, type AttemptTarget, unsupported } from './attempt-on.ts';
import { chooseChannel } from '../routing/choose-channel.ts';
import { callRoute } from '../routing/explain-route.ts';
import { failureKind } from '../routing/failure-kind.ts';
import { openCallBudget, type CallBudget, type AttemptTerms } from './call-budget.ts';
import type { RelayContext } from './relay-context.ts';
import type { RelayedCall } from './relayed-call.ts';
import { FailedUpstream, RelayError } from '../client/relay-error.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import type { AttemptBilling } from './settlement.ts';

const pinnedChannel = async (
  context: RelayContext,
  { dialect }: RelayedCall,
  pinned: string,
): Promise<readonly RoutedChannel[]> => {
  const channel = /^\d{1,15}$/.test(pinned) ? await context.routes.find(Number(pinned)) : null;
  if (channel === null) throw new RelayError('channel_invalid');
  if (!channel.enabled) throw new RelayError('channel_disabled');
  const { provider } = channel;
  if (provider === null || context.translations.of(dialect, provider) === null) throw unsupported(channel);
  return [channel];
};

const servingChannels = (
  context: RelayContext,
  { access, inbound, dialect }: RelayedCall,
): readonly RoutedChannel[] => {
  const serving = context.routes.serving(access.group, inbound.model);
  const [first] = serving;
  if (first === undefined) throw new RelayError('no_channel', { model: inbound.model, group: access.group });
  const speaks = ({ provider }: RoutedChannel) =>
    provider !== null && context.translations.of(dialect, provider) !== null;
  if (serving.every(speaks)) return serving;
  const able = serving.filter(speaks);
  if (able.length === 0) throw unsupported(first);
  return able;
};

/** The channels that may serve this call: the pinned one alone, or all that serve the model to the group. */
const candidatesFor = (
  context: RelayContext,
  call: RelayedCall,
): readonly RoutedChannel[] | Promise<readonly RoutedChannel[]> => {
  if (call.access.pinned !== null) return pinnedChannel(context, call, call.access.pinned);
  const loading = context.routes.ready();
  return loading === null ? servingChannels(context, call) : loading.then(() => servingChannels(context, call));
};

/** Where a call may go. */
interface Choices {
  readonly candidates: readonly RoutedChannel[];
  readonly failedKeys: Set<RoutedChannel>;
  readonly conversation: ConversationKey | null;
  /** The `channelKey` that served the conversation before; null: none. */
  readonly stickyKey: string | null;
}

/** A conversation is only looked at where there is a choice. */
const choicesOf = (
  { affinity }: RelayContext,
  { inbound, access }: RelayedCall,
  candidates: readonly RoutedChannel[],
): Choices => {
  const [first] = candidates;
  const single = candidates.length === 1 && first?.channelKeys.length === 1;
  const conversation = single ? null : conversationKeyOf(inbound, access.payer.userId);
  const stickyKey = conversation?.continued === true ? affinity.find(conversation.key) : null;
  return { candidates, failedKeys: new Set(), conversation, stickyKey };
};

const choose = (
  context: RelayContext,
  call: RelayedCall,
  { candidates, failedKeys, stickyKey }: Choices,
): RoutedChannel | null =>
  chooseChannel(candidates, {
    model: call.inbound.model,
    failedKeys,
    breaker: context.breaker,
    stickyKey,
    random: context.random,
  });

/** A refused or limited key says nothing of the others of its channel; whatever else failed would fail with them too. */
const failedWith = (channel: RoutedChannel, failure: RelayFailure): readonly RoutedChannel[] => {
  const kind = failureKind(failure);
  return kind === 'account' || kind === 'rate_limit' ? [channel] : channel.channelKeys;
};

/** How a kind of call is tried on a channel, and what becomes of an answer. */
export interface CallKind<T extends Succeeded> {
  /** Rejects only when the client went away. */
  attempt(target: AttemptTarget): Promise<T | FailedAttempt>;
  /** Gives the answer to the client, and settles. */
  deliver(answered: T, billing: AttemptBilling): Promise<void>;
}

interface Winner<T> {
  readonly answered: T;
  readonly channel: RoutedChannel;
  readonly terms: AttemptTerms;
}

/** Tries channels until one answers: nothing has reached the client yet, so a failure can still be replaced. */
const findAnswer = async <T extends Succeeded>(
  context: RelayContext,
  call: RelayedCall,
  {
    choices,
    first,
    attempt,
  }: Pick<CallKind<T>, 'attempt'> & { readonly choices: Choices; readonly first: RoutedChannel },
  budget: CallBudget,
): Promise<Winner<T>> => {
  const { failedKeys, conversation } = choices;
  const retries = context.settings().retryTimes;
  let channel = first;
  let { terms } = budget;
  for (let attempts = 1; ; attempts += 1) {
    const answered = await attempt({ channel, outputCap: terms.outputCap });
    if (!isFailed(answered)) {
      if (conversation !== null && channel.affinity) context.affinity.keep(conversation.key, channel);
      return { answered, channel, terms };
    }
    const failure = new FailedUpstream(answered.failure, answered.retryAfter);
    for (const key of failedWith(channel, answered.failure)) failedKeys.add(key);
    const repeatable = call.rest?.isReplayable() ?? true;
    if (!answered.failure.retryable || !repeatable || attempts > retries || call.client.gone()) throw failure;
    const next = choose(context, call, choices);
    const nextTerms = next === null ? null : await budget.retry(next);
    if (next === null || nextTerms === null) throw failure;
    channel = next;
    terms = nextTerms;
  }
};

/** Tells the route of a call whose caller wants to know it, while its answer has not begun. */
const tellRoute = (context: RelayContext, call: RelayedCall, stickyKey: string | null): void => {
  if (call.explains && !call.client.started()) call.client.tell(routeHeader, callRoute(context, call, stickyKey));
};

/** Runs one call of a model: choose, reserve, ask, deliver and settle, or release. */
export const runCall = async <T extends Succeeded>(
  context: RelayContext,
  call: RelayedCall,
  kind: CallKind<T>,
): Promise<void> => {
  // What is in memory is not waited for: most calls wait for their upstream and their settlement alone.
  const found = candidatesFor(context, call);
  const candidates = found instanceof Promise ? await found : found;
  const choices = choicesOf(context, call, candidates);
  const first = choose(context, call, choices);
  if (first === null) throw new RelayError('no_channel', { model: call.inbound.model, group: call.access.group });
  const funded = openCallBudget(context, call, first);
  const budget = funded instanceof Promise ? await funded : funded;
  try {
    let winner: Winner<T>;
    try {
      winner = await findAnswer(context, call, { choices, first, attempt: kind.attempt }, budget);
    } finally {
      tellRoute(context, call, choices.stickyKey);
    }
    const { answered, channel, terms } = winner;
    await kind.deliver(answered, { budget, terms, channel });
  } finally {
    // Whatever was not settled by now is not charged.
    if (!budget.reservation.isEnded()) await budget.reservation.release();
  }
};
