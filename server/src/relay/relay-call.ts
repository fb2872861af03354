import type { AttemptResult } from './attempt.ts';
import { attemptOn, unsupported } from './attempt-on.ts';
import { chooseChannel } from './choose-channel.ts';
import { deliverPlain } from './deliver-plain.ts';
import { deliverStream } from './deliver-stream.ts';
import { fund, type Funding, type Terms } from './funding.ts';
import type { Job, RelayTools } from './job.ts';
import { FailedUpstream, RelayError } from './relay-error.ts';
import type { RoutedChannel } from './routing-table.ts';

type Answered = Exclude<AttemptResult, { kind: 'failed' }>;

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

interface Route {
  readonly candidates: readonly RoutedChannel[];
  readonly first: RoutedChannel;
}

interface Winner {
  readonly answered: Answered;
  readonly channel: RoutedChannel;
  readonly terms: Terms;
}

/** Tries channels until one answers: nothing has reached the client yet, so a failure can still be replaced. */
const findAnswer = async (
  tools: RelayTools,
  job: Job,
  { candidates, first }: Route,
  funding: Funding,
): Promise<Winner> => {
  let tried: Set<number> | undefined;
  const retries = tools.settings().retryTimes;
  let channel = first;
  let { terms } = funding;
  for (;;) {
    const answered = await attemptOn(tools, job, channel, terms.outputCap);
    if (answered.kind !== 'failed') return { answered, channel, terms };
    const failure = new FailedUpstream(answered.failure, answered.retryAfter);
    tried ??= new Set();
    tried.add(channel.id);
    if (!answered.failure.retryable || tried.size > retries || job.client.gone()) throw failure;
    const next = chooseChannel(candidates, tried, tools.random);
    const nextTerms = next === null ? null : await funding.retry(next);
    if (next === null || nextTerms === null) throw failure;
    channel = next;
    terms = nextTerms;
  }
};

const none: ReadonlySet<number> = new Set();

/** Relays one call of a model: choose, reserve, ask, deliver and settle, or release. */
export const relayCall = async (tools: RelayTools, job: Job): Promise<void> => {
  // What is in memory is not waited for: most calls wait for their upstream and their settlement alone.
  const found = candidatesFor(tools, job);
  const candidates = found instanceof Promise ? await found : found;
  const first = chooseChannel(candidates, none, tools.random);
  if (first === null) throw new RelayError('no_channel', { model: job.inbound.model, group: job.access.group });
  const funded = fund(tools, job, first);
  const funding = funded instanceof Promise ? await funded : funded;
  try {
    const { answered, channel, terms } = await findAnswer(tools, job, { candidates, first }, funding);
    const paid = { funding, terms, channel };
    if (answered.kind === 'stream') await deliverStream(tools, job, answered, paid);
    else await deliverPlain(tools, job, answered, paid);
  } finally {
    // Whatever was not settled by now is not charged.
    if (!funding.reservation.isEnded()) await funding.reservation.release();
  }
};
