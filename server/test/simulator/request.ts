import { createHoldGuard } from '../../src/billing/hold-guard.ts';
import { planHold, type HoldPlan } from '../../src/billing/hold.ts';
import type { Price } from '../../src/billing/price/price.ts';
import type { Reservation } from '../../src/billing/reservation.ts';
import type { Payer } from '../../src/billing/stored-hold.ts';
import type { StoreKind, SimulatedProcess } from './process.ts';
import type { RequestRecord } from './observations.ts';

/** What one request will do and meet, decided before it starts. */
export interface RequestPlan {
  readonly requestId: string;
  readonly payer: Payer;
  readonly stream: boolean;
  /** Among several nodes: a whole answer does not wait for its hold, however little the balance has to spare. */
  readonly defers: boolean;
  readonly price: Price;
  /** Of the channel that is tried second; null: the first one answers. */
  readonly otherPrice: Price | null;
  readonly promptTokens: number;
  /** What the prompt is held for before it is counted: never less. */
  readonly estimatedPrompt: number;
  /** Of the client; null: it bounds nothing. */
  readonly outputLimit: number | null;
  /** What the upstream would put out if nothing bounded it. */
  readonly output: number;
  readonly chunkTokens: number;
  readonly chunkMs: number;
  readonly firstByteMs: number;
  /** `fails`: no answer at all; `breaks`, `leaves`: the upstream, or the client, is gone after so many tokens. */
  readonly end:
    | { readonly kind: 'completes' | 'fails' }
    | { readonly kind: 'breaks' | 'leaves'; readonly after: number };
  /** Times the truth that the upstream reports; 1: it is honest. */
  readonly exaggeration: number;
}

export interface RequestWorld {
  readonly kind: StoreKind;
  readonly process: SimulatedProcess;
  readonly record: RequestRecord;
  now(): number;
  wait(ms: number): Promise<void>;
  /** Called before a refusal is sent: `needed` quota units were not available. */
  onRefusal(needed: number): void;
  onError(error: unknown): void;
}

const checkpointMs = 1000;
const preConsumed = 100;

interface Admitted {
  readonly reservation: Reservation;
  readonly plan: Extract<HoldPlan, { kind: 'hold' }>;
  readonly held: Promise<boolean> | null;
}

const planFor = (
  plan: RequestPlan,
  { price, promptTokens, free }: { price: Price; promptTokens: number; free: number },
) =>
  planHold({
    price,
    promptTokens,
    outputLimit: plan.outputLimit,
    choices: 1,
    stream: plan.stream,
    preConsumed,
    free,
  });

/** Records what is set aside, extensions on their way included. */
const watchReservation = (record: RequestRecord, reservation: Reservation): Reservation => {
  let extending = 0;
  let unsure = 0;
  record.aside = () => reservation.amount() + extending;
  record.unsure = () => unsure;
  return {
    amount: () => reservation.amount(),
    history: () => reservation.history(),
    isEnded: () => reservation.isEnded(),
    hold: (details) => reservation.hold(details),
    deferHold: (details) => reservation.deferHold(details),
    progress: (amount) => reservation.progress(amount),
    settle: (charge) => reservation.settle(charge),
    release: () => reservation.release(),
    extend: (by) => {
      extending += by;
      // One that failed stays aside: whether it was done is not known.
      return reservation.extend(by).then(
        (done) => {
          extending -= by;
          return done;
        },
        (error: unknown) => {
          unsure += by;
          throw error;
        },
      );
    },
  };
};

const reserveNow = (world: RequestWorld, plan: RequestPlan, promptTokens: number) => {
  const { accounts } = world.process;
  const { payer, price, requestId } = plan;
  const { user, token, budget } = accounts.free(payer);
  const hold = planFor(plan, { price, promptTokens, free: Math.min(user, token, budget) });
  const reservation = hold.kind === 'hold' ? accounts.reserve({ requestId, payer, amount: hold.amount }) : null;
  return { hold, reservation: reservation === null ? null : watchReservation(world.record, reservation) };
};

/** As `relay/call/call-funds.ts` admits: at once, or after an exact count and, among several nodes, a fresh look. */
const admit = async (world: RequestWorld, plan: RequestPlan): Promise<Admitted | null> => {
  const { kind, process, now } = world;
  const { payer, price } = plan;
  const loading = process.accounts.ready(payer);
  if (loading !== null) await loading;
  let promptTokens = plan.estimatedPrompt;
  let { hold, reservation } = reserveNow(world, plan, promptTokens);
  if (reservation === null) {
    if (kind === 'postgres') await process.accounts.reload(payer);
    promptTokens = plan.promptTokens;
    ({ hold, reservation } = reserveNow(world, plan, promptTokens));
  }
  if (reservation === null || hold.kind === 'short') {
    world.onRefusal(price.quota({ prompt: promptTokens, completion: 1 }));
    return null;
  }
  const details = { channelId: 1, priceVersion: price.version, modelName: 'model', openedAt: Math.floor(now() / 1000) };
  if (!plan.stream && (kind === 'sqlite' || plan.defers)) {
    reservation.deferHold(details);
    return { reservation, plan: hold, held: null };
  }
  const held = reservation.hold(details);
  held.catch(() => undefined);
  if (kind === 'postgres' && !(await held)) {
    world.onRefusal(hold.amount);
    return null;
  }
  return { reservation, plan: hold, held };
};

interface Charged {
  readonly price: Price;
  readonly output: number;
  readonly complete: boolean;
  readonly balanceEnded?: true;
}

/** As `relay/call/settlement.ts` charges. */
const settle = async (world: RequestWorld, plan: RequestPlan, reservation: Reservation, charged: Charged) => {
  const { price, output, complete } = charged;
  const reports = complete ? plan.exaggeration : 1;
  const full = price.quota({ prompt: plan.promptTokens, completion: output * reports });
  const amount = charged.balanceEnded ? Math.min(full, reservation.amount()) : full;
  world.record.most = Math.max(world.record.most, amount);
  const needed = reservation.amount();
  const result = await reservation.settle({
    amount,
    channelId: 1,
    priceVersion: price.version,
    estimated: !complete,
    at: Math.floor(world.now() / 1000),
    log: null,
  });
  if (result?.outcome === 'refused') world.onRefusal(needed);
  else if (complete) world.record.owed = amount;
};

const streamOut = async (
  world: RequestWorld,
  plan: RequestPlan,
  { reservation, plan: hold, held }: Admitted,
  price: Price,
) => {
  if (held !== null && !(await held)) return world.onRefusal(reservation.amount());
  const { end, outputLimit, promptTokens } = plan;
  const { record } = world;
  const limit = hold.outputCap ?? outputLimit;
  const answer = Math.min(plan.output, limit ?? Infinity);
  const last = 'after' in end ? Math.min(end.after, answer) : answer;
  const { onError } = world;
  const { outputTokens } = hold;
  const guard = createHoldGuard({
    reservation,
    price,
    promptTokens: plan.estimatedPrompt,
    outputTokens,
    outputLimit: limit,
    onError,
  });
  let delivered = 0;
  let checkedAt = world.now();
  while (delivered < last) {
    await world.wait(plan.chunkMs);
    const tokens = Math.min(plan.chunkTokens, last - delivered);
    const covered = await Promise.resolve(guard.take('abc'.repeat(tokens))).catch(() => 'failed' as const);
    if (covered === 'failed') break;
    if (covered === false) {
      return settle(world, plan, reservation, { price, output: delivered, complete: false, balanceEnded: true });
    }
    delivered += tokens;
    const cost = price.quota({ prompt: promptTokens, completion: delivered });
    record.most = Math.max(record.most, cost);
    if (world.now() - checkedAt < checkpointMs) continue;
    checkedAt = world.now();
    void reservation.progress(cost);
  }
  const complete = end.kind === 'completes' && delivered === last;
  if (complete || delivered > 0) await settle(world, plan, reservation, { price, output: delivered, complete });
};

const answerWhole = async (
  world: RequestWorld,
  plan: RequestPlan,
  { reservation, plan: hold }: Admitted,
  price: Price,
) => {
  await world.wait(plan.chunkMs);
  if (plan.end.kind !== 'completes') return;
  const output = Math.min(plan.output, hold.outputCap ?? plan.outputLimit ?? Infinity);
  await settle(world, plan, reservation, { price, output, complete: true });
};

/** The channel that is tried second may cost more: what is held must cover it. */
const failOver = async (world: RequestWorld, plan: RequestPlan, admitted: Admitted, price: Price) => {
  const { reservation } = admitted;
  const { user, token, budget } = world.process.accounts.free(plan.payer);
  const free = reservation.amount() + Math.max(0, Math.min(user, token, budget));
  const hold = planFor(plan, { price, promptTokens: plan.estimatedPrompt, free });
  if (hold.kind === 'short') return null;
  const more = hold.amount - reservation.amount();
  if (more > 0 && !(await reservation.extend(more))) return null;
  return { ...admitted, plan: hold };
};

/** One request, as the relay takes it from its admission to its end. */
export const runRequest = async (world: RequestWorld, plan: RequestPlan): Promise<void> => {
  const { record } = world;
  let admitted: Admitted | null = null;
  try {
    admitted = await admit(world, plan);
    if (admitted === null) return;
    let { price } = plan;
    await world.wait(plan.firstByteMs);
    if (plan.otherPrice !== null) {
      price = plan.otherPrice;
      const other = await failOver(world, plan, admitted, price);
      if (other === null) return;
      admitted = other;
      await world.wait(plan.firstByteMs);
    }
    if (plan.end.kind === 'fails') return;
    if (plan.stream) await streamOut(world, plan, admitted, price);
    else await answerWhole(world, plan, admitted, price);
  } catch (error) {
    world.onError(error);
  } finally {
    // What the relay does in its own `finally`: whatever was not settled by now is not charged.
    const reservation = admitted?.reservation;
    if (reservation !== undefined && !reservation.isEnded()) await reservation.release().catch(world.onError);
    record.over = true;
  }
};
