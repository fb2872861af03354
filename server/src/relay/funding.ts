import { createCover, type Cover } from '../billing/cover.ts';
import { type HoldPlan, planHold } from '../billing/hold.ts';
import type { Price } from '../billing/price.ts';
import type { Reservation } from '../billing/reservation.ts';
import { heldPromptTokens } from '../billing/rough-tokens.ts';
import type { Job, RelayTools } from './job.ts';
import { RelayError } from './relay-error.ts';
import type { RoutedChannel } from './routing-table.ts';

/** The money side of one attempt. */
export interface Terms {
  readonly model: string;
  readonly price: Price;
  /** Output tokens per choice that the upstream must be limited to; null: no limit is needed. */
  readonly outputCap: number | null;
  cover(): Cover;
}

/** The money side of one call: one reservation, whatever channels are tried. */
export interface Funding {
  readonly reservation: Reservation;
  readonly terms: Terms;
  /** Resolves once nothing may be lost any more when a first byte reaches the client; rejects when the hold was refused. */
  secured(): Promise<void>;
  /** Terms for another channel, whose prices may differ; null: the balance does not cover them. */
  retry(channel: RoutedChannel): Promise<Terms | null>;
}

/** Bodies up to this size are counted exactly before they are refused for a prompt that was only estimated. */
const countedBodyMax = 256 * 1024;

type Hold = Extract<HoldPlan, { kind: 'hold' }>;

const planFor = (
  tools: RelayTools,
  { chat }: Job,
  of: { readonly price: Price; readonly promptTokens: number; readonly free: number },
): HoldPlan => planHold({ ...of, ...limitsOf(chat), preConsumed: tools.options.get('PreConsumedQuota') });

const limitsOf = ({ outputLimit, choices, stream }: Job['chat']) => ({ outputLimit, choices, stream });

const priceFor = (job: Job, channel: RoutedChannel): Price =>
  job.prices.price({ model: channel.redirect(job.chat.model), channelType: channel.type, group: job.access.group });

/** The output limit of all choices together that upstream gets: the client's, or what the balance covers. */
const limitTold = ({ chat }: Job, { outputCap }: Hold): number | null => {
  const perChoice = outputCap ?? chat.outputLimit;
  return perChoice === null ? null : perChoice * chat.choices;
};

const refusal = (needed: number, free: { readonly user: number; readonly token: number }): RelayError =>
  free.token < free.user
    ? new RelayError('pre_consume_token_quota_failed', { needed, available: Math.max(0, free.token) })
    : new RelayError('insufficient_user_quota', { needed, available: Math.max(0, free.user) });

/**
 * Reserves in memory. An estimate that does not fit is replaced by an exact count, and a balance that does not by a fresh
 * one where other nodes may have changed it, before the call is refused.
 */
const reserve = async (tools: RelayTools, job: Job, price: Price) => {
  const { accounts } = tools;
  const { payer } = job.access;
  const attempt = (promptTokens: number) => {
    const free = accounts.free(payer);
    const plan = planFor(tools, job, { price, promptTokens, free: Math.min(free.user, free.token) });
    const reservation =
      plan.kind === 'hold' ? accounts.reserve({ requestId: job.requestId, payer, amount: plan.amount }) : null;
    return { free, plan, reservation, promptTokens };
  };
  const loading = accounts.ready(payer);
  if (loading !== null) await loading;
  const estimated = attempt(heldPromptTokens(job.chat.promptBytes));
  if (estimated.reservation !== null || estimated.free.user <= 0 || estimated.free.token <= 0) return estimated;
  if (tools.kind === 'postgres') await accounts.reload(payer);
  return attempt(job.chat.promptBytes <= countedBodyMax ? await job.countPrompt() : estimated.promptTokens);
};

/** Admits a call on its first channel, or throws the refusal that says what was needed and what was there. */
export const fund = async (tools: RelayTools, job: Job, channel: RoutedChannel): Promise<Funding> => {
  const onError = (error: unknown) => tools.log.error({ err: error, request_id: job.requestId }, 'a posting failed');
  const price = priceFor(job, channel);
  const { plan, reservation, free: found, promptTokens } = await reserve(tools, job, price);
  if (plan.kind === 'short') throw refusal(plan.needed, found);
  if (reservation === null) throw refusal(plan.amount, found);

  const termsOf = (tried: RoutedChannel, triedPrice: Price, hold: Hold): Terms => ({
    model: tried.redirect(job.chat.model),
    price: triedPrice,
    outputCap: hold.outputCap,
    cover: () => {
      const { outputTokens } = hold;
      const outputLimit = limitTold(job, hold);
      return createCover({ reservation, price: triedPrice, promptTokens, outputTokens, outputLimit, onError });
    },
  });
  const held = reservation.hold({
    channelId: channel.id,
    priceVersion: price.version,
    modelName: channel.redirect(job.chat.model),
    openedAt: Math.floor(job.startedMs / 1000),
    lazy: tools.kind === 'sqlite' && !job.chat.stream,
  });
  // The result is awaited where it matters; a failure before that must not end the process.
  held.catch(() => undefined);
  const secured = async () => {
    const done = await held.catch((error: unknown) => {
      throw new RelayError('database_unavailable', {}, error);
    });
    if (!done) throw refusal(plan.amount, tools.accounts.free(job.access.payer));
  };
  // Another node may spend the same balance: there the database decides before the upstream works.
  if (tools.kind === 'postgres') await secured();

  return {
    reservation,
    terms: termsOf(channel, price, plan),
    secured,
    retry: async (other) => {
      const otherPrice = priceFor(job, other);
      const now = tools.accounts.free(job.access.payer);
      const free = reservation.amount() + Math.max(0, Math.min(now.user, now.token));
      const again = planFor(tools, job, { price: otherPrice, promptTokens, free });
      if (again.kind === 'short') return null;
      const more = again.amount - reservation.amount();
      if (more > 0 && !(await reservation.extend(more))) return null;
      return termsOf(other, otherPrice, again);
    },
  };
};
