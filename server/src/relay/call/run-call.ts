import { routeHeader } from '@weir/contract/channel-route';
import type { RelayFailure } from '../../providers/provider.ts';
import type { FailedAttempt } from './attempt.ts';
import { type Turn, turnOf } from '../routing/affinity.ts';
import { isFailed, type Succeeded, type Trial, unsupported } from './attempt-on.ts';
import { chooseChannel } from '../routing/choose-channel.ts';
import { callRoute } from '../routing/explain-route.ts';
import { failureKind } from '../routing/failure-kind.ts';
import { fund, type Funding, type Terms } from './funding.ts';
import type { Job, RelayTools } from './job.ts';
import { FailedUpstream, RelayError } from '../client/relay-error.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import type { Paid } from './settlement.ts';

const pinnedChannel = async (
  tools: RelayTools,
  { dialect }: Job,
  pinned: string,
): Promise<readonly RoutedChannel[]> => {
  const channel = /^\d{1,15}$/.test(pinned) ? await tools.routes.find(Number(pinned)) : null;
  if (channel === null) throw new RelayError('channel_invalid');
  if (!channel.enabled) throw new RelayError('channel_disabled');
  const { provider } = channel;
  if (provider === null || tools.translations.of(dialect, provider) === null) throw unsupported(channel);
  return [channel];
};

const servingChannels = (tools: RelayTools, { access, inbound, dialect }: Job): readonly RoutedChannel[] => {
  const serving = tools.routes.serving(access.group, inbound.model);
  const [first] = serving;
  if (first === undefined) throw new RelayError('no_channel', { model: inbound.model, group: access.group });
  const speaks = ({ provider }: RoutedChannel) =>
    provider !== null && tools.translations.of(dialect, provider) !== null;
  if (serving.every(speaks)) return serving;
  const able = serving.filter(speaks);
  if (able.length === 0) throw unsupported(first);
  return able;
};

/** The channels that may serve this call: the pinned one alone, or all that serve the model to the group. */
const candidatesFor = (tools: RelayTools, job: Job): readonly RoutedChannel[] | Promise<readonly RoutedChannel[]> => {
  if (job.access.pinned !== null) return pinnedChannel(tools, job, job.access.pinned);
  const loading = tools.routes.ready();
  return loading === null ? servingChannels(tools, job) : loading.then(() => servingChannels(tools, job));
};

/** Where a call may go. */
interface Choices {
  readonly candidates: readonly RoutedChannel[];
  readonly tried: Set<RoutedChannel>;
  readonly turn: Turn | null;
  /** The `lane` that served the conversation before; null: none. */
  readonly stays: string | null;
}

/** A conversation is only looked at where there is a choice. */
const choicesOf = (
  { affinity }: RelayTools,
  { inbound, access }: Job,
  candidates: readonly RoutedChannel[],
): Choices => {
  const [first] = candidates;
  const single = candidates.length === 1 && first?.lanes.length === 1;
  const turn = single ? null : turnOf(inbound, access.payer.userId);
  const stays = turn?.continued === true ? affinity.find(turn.conversation) : null;
  return { candidates, tried: new Set(), turn, stays };
};

const choose = (tools: RelayTools, job: Job, { candidates, tried, stays }: Choices): RoutedChannel | null =>
  chooseChannel(candidates, { model: job.inbound.model, tried, rests: tools.rests, stays, random: tools.random });

/** A refused or limited key says nothing of the others of its channel; whatever else failed would fail with them too. */
const failedWith = (channel: RoutedChannel, failure: RelayFailure): readonly RoutedChannel[] => {
  const kind = failureKind(failure);
  return kind === 'account' || kind === 'rate_limit' ? [channel] : channel.lanes;
};

/** How a kind of call is tried on a channel, and what becomes of an answer. */
export interface CallKind<T extends Succeeded> {
  /** Rejects only when the client went away. */
  attempt(trial: Trial): Promise<T | FailedAttempt>;
  /** Gives the answer to the client, and settles. */
  deliver(answered: T, paid: Paid): Promise<void>;
}

interface Winner<T> {
  readonly answered: T;
  readonly channel: RoutedChannel;
  readonly terms: Terms;
}

/** Tries channels until one answers: nothing has reached the client yet, so a failure can still be replaced. */
const findAnswer = async <T extends Succeeded>(
  tools: RelayTools,
  job: Job,
  {
    choices,
    first,
    attempt,
  }: Pick<CallKind<T>, 'attempt'> & { readonly choices: Choices; readonly first: RoutedChannel },
  funding: Funding,
): Promise<Winner<T>> => {
  const { tried, turn } = choices;
  const retries = tools.settings().retryTimes;
  let channel = first;
  let { terms } = funding;
  for (let attempts = 1; ; attempts += 1) {
    const answered = await attempt({ channel, outputCap: terms.outputCap });
    if (!isFailed(answered)) {
      if (turn !== null && channel.affinity) tools.affinity.keep(turn.conversation, channel);
      return { answered, channel, terms };
    }
    const failure = new FailedUpstream(answered.failure, answered.retryAfter);
    for (const lane of failedWith(channel, answered.failure)) tried.add(lane);
    const repeatable = job.rest?.isReplayable() ?? true;
    if (!answered.failure.retryable || !repeatable || attempts > retries || job.client.gone()) throw failure;
    const next = choose(tools, job, choices);
    const nextTerms = next === null ? null : await funding.retry(next);
    if (next === null || nextTerms === null) throw failure;
    channel = next;
    terms = nextTerms;
  }
};

/** Tells the route of a call whose caller wants to know it, while its answer has not begun. */
const tellRoute = (tools: RelayTools, job: Job, stays: string | null): void => {
  if (job.explains && !job.client.started()) job.client.tell(routeHeader, callRoute(tools, job, stays));
};

/** Runs one call of a model: choose, reserve, ask, deliver and settle, or release. */
export const runCall = async <T extends Succeeded>(tools: RelayTools, job: Job, kind: CallKind<T>): Promise<void> => {
  // What is in memory is not waited for: most calls wait for their upstream and their settlement alone.
  const found = candidatesFor(tools, job);
  const candidates = found instanceof Promise ? await found : found;
  const choices = choicesOf(tools, job, candidates);
  const first = choose(tools, job, choices);
  if (first === null) throw new RelayError('no_channel', { model: job.inbound.model, group: job.access.group });
  const funded = fund(tools, job, first);
  const funding = funded instanceof Promise ? await funded : funded;
  try {
    let winner: Winner<T>;
    try {
      winner = await findAnswer(tools, job, { choices, first, attempt: kind.attempt }, funding);
    } finally {
      tellRoute(tools, job, choices.stays);
    }
    const { answered, channel, terms } = winner;
    await kind.deliver(answered, { funding, terms, channel });
  } finally {
    // Whatever was not settled by now is not charged.
    if (!funding.reservation.isEnded()) await funding.reservation.release();
  }
};
