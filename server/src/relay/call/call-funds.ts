import type { Free } from '../../billing/accounts.ts';
import { type HoldGuard, createHoldGuard } from '../../billing/hold-guard.ts';
import { type HoldPlan, planHold } from '../../billing/hold.ts';
import type { PriceQuestion } from '../../billing/price/price-question.ts';
import type { Price } from '../../billing/price/price.ts';
import type { VolumeKey } from '../../billing/price/times/monthly-volumes.ts';
import { heldClass } from '../../billing/price/service-class.ts';
import type { Charge, Reservation } from '../../billing/reservation.ts';
import { namePeriods } from '../../store/ledger/period-names.ts';
import type { PostingResult } from '../../store/ledger/postings.ts';
import type { HoldDetails, Payer } from '../../billing/stored-hold.ts';
import { heldPromptTokens } from '../../billing/counting/rough-tokens.ts';
import type { Metered, ReadFault } from '../../dialects/dialect.ts';
import type { RelayedCall } from './relayed-call.ts';
import { RelayError } from '../client/relay-error.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';

/** The money side of one attempt. */
export interface AttemptTerms {
  readonly model: string;
  readonly price: Price;
  /** Output tokens that the hold covers at first. */
  readonly outputTokens: number;
  /** Output tokens per choice that the upstream must be limited to; null: no limit is needed. */
  readonly outputCap: number | null;
  /** What the call costs, where the request and the model determine it; otherwise null. */
  readonly metered: Metered | null;
  /** Another model that writes the transcripts of a session, at a price of its own. */
  readonly transcriber?: string;
}

/** The money side of one call: one reservation, whatever channels are tried. */
export interface CallFunds {
  readonly reservation: Reservation;
  /** Of the first channel. */
  readonly terms: AttemptTerms;
  /**
   * Charges what the call cost; null: it was settled or released before. Rejects with a refusal where other nodes spent the
   * balance before the hold of a whole answer was written: the answer must not be sent.
   */
  settle(charge: Charge): Promise<PostingResult | null>;
  /** Resolves when the hold is durable, before the first byte reaches the client; rejects when it was refused. */
  secured(): Promise<void>;
  /** Terms for another channel, whose prices may differ; null: the balance does not cover them, or its model refuses. */
  retry(channel: RoutedChannel): Promise<AttemptTerms | null>;
  /** Extends the hold as the output of a stream grows, at these terms. */
  guard(terms: AttemptTerms): HoldGuard;
}

/**
 * A balance of this many holds is ample: other nodes cannot spend it while one hold is written, and what an estimate
 * holds too much of it decides nothing.
 */
const ampleHolds = 20;
/** Bodies up to this size are counted exactly where the balance is not ample. */
const countedBodyMax = 256 * 1024;

/** The price of a call on a channel, from its request alone; null: not known. */
const meteredOn = ({ inbound }: RelayedCall, channel: RoutedChannel): Metered | ReadFault | null =>
  inbound.metered?.(channel.redirect(inbound.model)) ?? null;

interface Counted {
  readonly price: Price;
  readonly metered: Metered | null;
}

/** Speech at a price for each character is counted in these, otherwise in bytes. */
const countedFor = (price: Price, metered: Metered | null): Counted => {
  const characters = metered?.characters;
  if (metered === null || characters === undefined) return { price, metered };
  const each = price.byUnit('character');
  return each.perCharacter ? { price: each, metered: { ...metered, tokens: characters } } : { price, metered };
};

interface Planned {
  readonly plan: Extract<HoldPlan, { kind: 'hold' }>;
  readonly price: Price;
  readonly metered: Metered | null;
}

/**
 * The limit that the balance demands, and no more than the model can: vendors refuse a higher one. A session's answers have
 * no limit that the gateway could set.
 */
const outputCapOf = (call: RelayedCall, channel: RoutedChannel, { outputCap }: Planned['plan']): number | null => {
  if (outputCap === null || call.upgrade !== null) return null;
  const most = call.context.models.outputMax(channel.type, channel.redirect(call.inbound.model));
  return most === null ? outputCap : Math.min(outputCap, most);
};

const termsOf = (call: RelayedCall, channel: RoutedChannel, { plan, price, metered }: Planned): AttemptTerms => ({
  model: channel.redirect(call.inbound.model),
  price,
  outputTokens: plan.outputTokens,
  outputCap: outputCapOf(call, channel, plan),
  metered,
});

/** What is asked for a price: of the account, the model and the channel, at the instant of admission. */
const questionFor = (call: RelayedCall, channel: RoutedChannel): PriceQuestion => ({
  model: channel.redirect(call.inbound.model),
  channelType: channel.type,
  channelId: channel.id,
  group: call.access.group,
  atMs: call.startedMs,
});

/** Whose use of the month the price depends on; null: it does not. */
const volumeKey = (call: RelayedCall, question: PriceQuestion): VolumeKey | null => {
  const zone = call.prices.volumeZone(question);
  return zone === null ? null : { userId: call.access.payer.userId, model: question.model, zone };
};

/** Null: the price can be told at once. */
const volumeReady = (call: RelayedCall, channel: RoutedChannel): Promise<void> | null => {
  const key = volumeKey(call, questionFor(call, channel));
  return key === null ? null : call.context.volumes.ready(key, call.startedMs);
};

const priceFor = (call: RelayedCall, channel: RoutedChannel): Price => {
  const question = questionFor(call, channel);
  const key = volumeKey(call, question);
  if (key === null) return call.prices.price(question);
  return call.prices.price({ ...question, tokensBefore: call.context.volumes.tokens(key) });
};

/** Calls of models without a price are refused where the operator demands prices. */
const checkPriced = (call: RelayedCall, channel: RoutedChannel, price: Price): Price => {
  if (price.refused) throw new RelayError('model_unpriced', { model: channel.redirect(call.inbound.model) });
  return price;
};

/** Of what limits the call most. */
const refusal = ({ context, run }: RelayedCall, needed: number, free: Free): RelayError => {
  if (run !== null && free.periodId === run.periodId && free.budget < Math.min(free.user, free.token))
    return new RelayError('run_budget_used_up', { run: run.name, needed, available: free.budget });
  if (free.budget < Math.min(free.user, free.token)) {
    const period = context.budgets.findPeriod(free.periodId);
    const renews = period === undefined ? '' : `${new Date(period.endsAt * 1000).toISOString().slice(0, 19)}Z`;
    return new RelayError('budget_used_up', { budget: period?.budgetId ?? 0, needed, available: free.budget, renews });
  }
  return free.token < free.user
    ? new RelayError('pre_consume_token_quota_failed', { needed, available: Math.max(0, free.token) })
    : new RelayError('insufficient_user_quota', { needed, available: Math.max(0, free.user) });
};

interface Question {
  readonly price: Price;
  readonly promptTokens: number;
  readonly metered: Metered | null;
}

interface PlanQuestion extends Question {
  readonly free: number;
}

/** The answer may be of a dearer service class than the standard one where the request asks for it. */
const heldPrice = ({ inbound }: RelayedCall, price: Price): Price =>
  inbound.serviceTier === undefined ? price : price.heldFor(heldClass(inbound.serviceTier));

const planFor = (call: RelayedCall, { price, promptTokens, metered, free }: PlanQuestion): HoldPlan => {
  const { context, inbound } = call;
  return planHold({
    price: heldPrice(call, price),
    promptTokens,
    outputLimit: metered?.images?.outputTokens ?? inbound.outputLimit,
    isWhole: metered?.images !== undefined,
    choices: inbound.choices,
    stream: inbound.stream,
    preConsumed: context.settings().preConsumedQuota,
    free,
  });
};

/** The result of a plan, with its reservation if one fits. */
interface Reserved extends Question {
  readonly plan: HoldPlan;
  readonly reservation: Reservation | null;
  readonly free: Free;
}

const freeFor = ({ context, payer }: RelayedCall): Free => context.accounts.free(payer);
const leastOf = ({ user, token, budget }: Free): number => Math.min(user, token, budget);

/** Plans and reserves in one turn of the event loop, so that no other call comes between. */
const reserveNow = (call: RelayedCall, question: Question): Reserved => {
  const { payer, context } = call;
  const { accounts } = context;
  const free = freeFor(call);
  const plan = planFor(call, { ...question, free: leastOf(free) });
  const reservation =
    plan.kind === 'hold' ? accounts.reserve({ requestId: call.requestId, payer, amount: plan.amount }) : null;
  return { ...question, plan, reservation, free };
};

/** A refusal, or a limit on the output that the balance demands. */
const isCurtailed = ({ plan, reservation }: Reserved): boolean =>
  plan.kind === 'short' || reservation === null || plan.outputCap !== null;

const isAmple = (reserved: Reserved): boolean =>
  !isCurtailed(reserved) && leastOf(reserved.free) >= ampleHolds * (reserved.reservation?.amount() ?? 0);

/** Reserves with an exact count where there is something to count and anything to pay it. */
const reserveCounted = async (call: RelayedCall, question: Question): Promise<Reserved> => {
  const { audioInput, promptBytes } = call.inbound;
  const isCountable = !audioInput && question.metered === null && promptBytes <= countedBodyMax;
  if (!isCountable || leastOf(freeFor(call)) === 0) return reserveNow(call, question);
  return reserveNow(call, { ...question, promptTokens: await call.countPrompt() });
};

/**
 * Replaces an estimate by an exact count: what an estimate holds too much would refuse or cut what the balance covers.
 * Before either, reads the balance anew where other nodes may have changed it.
 */
const reserveExactly = async (call: RelayedCall, estimated: Reserved): Promise<Reserved> => {
  await estimated.reservation?.release();
  const found = await reserveCounted(call, estimated);
  if (call.context.kind === 'sqlite' || !isCurtailed(found)) return found;
  await found.reservation?.release();
  await call.context.accounts.reload(call.payer);
  return reserveCounted(call, estimated);
};

interface AdmittedFunds {
  readonly reservation: Reservation;
  readonly terms: AttemptTerms;
  readonly promptTokens: number;
  /** The hold is written later, or never. */
  readonly defers: boolean;
}

/** Writes the hold to the database while the upstream works already. */
class ReservedFunds implements CallFunds {
  readonly reservation: Reservation;
  readonly terms: AttemptTerms;
  /** Null: the hold is written later, or never. */
  private held: Promise<boolean> | null = null;
  private details: HoldDetails | null = null;
  private readonly promptTokens: number;
  private readonly defers: boolean;
  private readonly call: RelayedCall;

  constructor(call: RelayedCall, found: AdmittedFunds) {
    this.call = call;
    this.reservation = found.reservation;
    this.terms = found.terms;
    this.promptTokens = found.promptTokens;
    this.defers = found.defers;
  }

  /** Starts to make the reservation durable. */
  hold(channelId: number): void {
    const { terms, call, reservation } = this;
    const openedAt = Math.floor(call.startedMs / 1000);
    const details = { channelId, priceVersion: terms.price.version, modelName: terms.model, openedAt };
    this.details = details;
    if (this.defers) return reservation.deferHold(details);
    this.held = reservation.hold(details);
    // The result is awaited in `secured`; a failure before that must not end the process.
    this.held.catch(() => undefined);
  }

  async secured(): Promise<void> {
    // The answer may be a stream although the request was for none.
    if (this.held === null && this.details !== null) this.held = this.reservation.hold(this.details);
    const done = await this.held?.catch((error: unknown) => {
      throw new RelayError('database_unavailable', {}, error);
    });
    if (done === false) throw refusal(this.call, this.reservation.amount(), freeFor(this.call));
  }

  settle(charge: Charge): Promise<PostingResult | null> {
    const needed = this.reservation.amount();
    const settling = this.reservation.settle(charge);
    if (!this.defers || this.call.context.kind === 'sqlite') return settling;
    return settling.then((result) => {
      if (result?.outcome === 'refused') throw refusal(this.call, needed, freeFor(this.call));
      return result;
    });
  }

  async retry(channel: RoutedChannel): Promise<AttemptTerms | null> {
    const { call, reservation } = this;
    const known = meteredOn(call, channel);
    if (known?.kind === 'fault') return null;
    await volumeReady(call, channel);
    const found = priceFor(call, channel);
    if (found.refused) return null;
    const { price, metered } = countedFor(found, known);
    const promptTokens = metered?.tokens ?? this.promptTokens;
    const free = reservation.amount() + Math.max(0, leastOf(freeFor(call)));
    const plan = planFor(call, { price, promptTokens, metered, free });
    if (plan.kind === 'short') return null;
    const more = plan.amount - reservation.amount();
    if (more > 0 && !(await reservation.extend(more))) return null;
    return termsOf(call, channel, { plan, price, metered });
  }

  guard({ price, outputTokens, outputCap }: AttemptTerms): HoldGuard {
    const { context, inbound, requestId } = this.call;
    const perChoice = outputCap ?? inbound.outputLimit;
    return createHoldGuard({
      reservation: this.reservation,
      price: heldPrice(this.call, price),
      promptTokens: this.promptTokens,
      outputTokens,
      outputLimit: perChoice === null ? null : perChoice * inbound.choices,
      onError: (error) => context.log.error({ err: error, request_id: requestId }, 'posting failed'),
    });
  }
}

const admit = (call: RelayedCall, channel: RoutedChannel, found: Reserved): CallFunds | Promise<CallFunds> => {
  const { plan, reservation, free, price, promptTokens, metered } = found;
  if (plan.kind === 'short') throw refusal(call, plan.needed, free);
  if (reservation === null) throw refusal(call, plan.amount, free);
  const terms = termsOf(call, channel, { plan, price, metered });
  const defers = !call.inbound.stream && call.context.accounts.mayDefer(call.payer, reservation.amount());
  const funds = new ReservedFunds(call, { reservation, terms, promptTokens, defers });
  funds.hold(channel.id);
  if (call.context.kind === 'sqlite' || defers) return funds;
  // Another node may spend the same balance. Where that could matter the database decides before the upstream works;
  // otherwise it decides meanwhile, before a stream's first byte, or with the charge of a whole answer.
  return isAmple(found) && call.inbound.stream ? funds : funds.secured().then(() => funds);
};

/** Prompt tokens to hold. The tokens of a recording are unknown: the option gives the number (wire contract 3.11). */
const heldPrompt = ({ context, inbound, namedState }: RelayedCall): number =>
  namedState.tokens +
  (inbound.audioInput ? context.settings().preConsumedQuota : heldPromptTokens(inbound.promptBytes));

/** The payer with the period of its run beside those of its budgets. */
const withRun = (payer: Payer, run: RelayedCall['run']): Payer => {
  if (run === null) return payer;
  const period = namePeriods([{ id: run.periodId, isHard: run.isHard }]);
  return { ...payer, budgets: payer.budgets === undefined ? period : `${payer.budgets},${period}` };
};

/** Names the budgets that the call counts against, and reads what is not in memory; null: all is. */
const balancesReady = (call: RelayedCall): Promise<void> | null => {
  const { accounts, budgets } = call.context;
  const found = budgets.payerOf(call.access.payer, call.inbound.model);
  const use = (payer: Payer): Promise<void> | null => {
    call.payer = withRun(payer, call.run);
    return accounts.ready(call.payer);
  };
  return found instanceof Promise ? found.then(use).then(() => undefined) : use(found);
};

/**
 * Admits a call on its first channel: at once where the balance is in memory and ample, otherwise with an exact count of
 * the prompt. Throws or rejects with a refusal that has the needed and the available amount, or the reason of the
 * channel's model.
 */
export const openCallFunds = (call: RelayedCall, channel: RoutedChannel): CallFunds | Promise<CallFunds> => {
  const known = meteredOn(call, channel);
  if (known?.kind === 'fault') throw new RelayError(known.code, { detail: known.message });
  const decide = (): CallFunds | Promise<CallFunds> => {
    const { price, metered } = countedFor(checkPriced(call, channel, priceFor(call, channel)), known);
    const promptTokens = metered?.tokens ?? heldPrompt(call);
    const estimated = reserveNow(call, { price, promptTokens, metered });
    if (isAmple(estimated)) return admit(call, channel, estimated);
    return reserveExactly(call, estimated).then((found) => admit(call, channel, found));
  };
  const loading = balancesReady(call);
  const counting = volumeReady(call, channel);
  if (counting !== null) return Promise.all([loading, counting]).then(decide);
  return loading === null ? decide() : loading.then(decide);
};
