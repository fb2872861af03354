import { createAccounts } from '../../src/billing/accounts.ts';
import type { Payer } from '../../src/billing/stored-hold.ts';
import { createPostingWriter, type BatchOutcome } from '../../src/store/engine/posting-writer.ts';
import type { NodeIdentity } from '../../src/store/ledger/accounts-state.ts';
import type { Posting } from '../../src/store/ledger/postings.ts';
import { createManualTimers } from './manual-timers.ts';
import type { SimulatedAccounts } from './simulated-accounts.ts';

/** `whole`: its hold waits in memory, and its charge may decide. `stream`: its hold decides. */
export type CallKind = 'whole' | 'stream';

/** A call as its client sees it. `dead`: its process died before it had an answer. */
export interface OrderedCall {
  readonly requestId: string;
  readonly kind: CallKind;
  state: 'comes' | 'open' | 'answered' | 'delivered' | 'refused' | 'dead';
}

/** Quota units that each call reserves, and that it costs. */
export interface Amounts {
  readonly hold: number;
  readonly price: number;
}

interface ProcessOptions {
  readonly identity: NodeIdentity;
  readonly stored: SimulatedAccounts;
  readonly payer: Payer;
  readonly amounts: Amounts;
  onError(error: unknown): void;
}

/** Longer than a hold waits in memory. */
const lateMs = 101;

/** One run of a node's process. Nothing of it moves on but by a call of one of these. */
export interface OrderedProcess {
  readonly calls: readonly OrderedCall[];
  /** A batch is on its way to the database. */
  hasSent(): boolean;
  receive(requestId: string, kind: CallKind): Promise<void>;
  /** The upstream of an open call answers. */
  answer(call: OrderedCall): Promise<void>;
  /** Holds that wait in memory are written. */
  waitLong(): Promise<void>;
  post(postings: readonly Posting[]): Promise<void>;
  /** Does at the database what was sent. */
  write(): BatchOutcome;
  /** What was sent ended so. */
  hear(outcome: BatchOutcome): Promise<void>;
}

/** Starts the code that reserves, holds, charges and commits. */
export const startOrderedProcess = (options: ProcessOptions): OrderedProcess => {
  const { identity, stored, payer, amounts, onError } = options;
  const timers = createManualTimers();
  const calls: OrderedCall[] = [];
  const answers = new Map<OrderedCall, () => void>();
  let sent: { readonly postings: readonly Posting[]; readonly end: (outcome: BatchOutcome) => void } | undefined;
  const writer = createPostingWriter({
    attempt: (units) =>
      new Promise((end) => {
        sent = { postings: units.map(({ posting }) => posting), end };
      }),
    close: () => Promise.resolve(),
    timers,
  });
  const changes = { subscribe: () => () => undefined };
  const accounts = createAccounts({ db: { kind: 'postgres', post: writer.post }, changes, timers, onError });

  /** As `relay/call/call-funds.ts` admits, however little the balance has to spare. */
  const admit = async ({ requestId, kind }: OrderedCall) => {
    const loading = accounts.ready(payer);
    if (loading !== null) await loading;
    const request = { requestId, payer, amount: amounts.hold };
    let reservation = accounts.reserve(request);
    if (reservation === null) {
      await accounts.reload(payer);
      reservation = accounts.reserve(request);
    }
    const details = { channelId: 1, priceVersion: 1, modelName: 'model', openedAt: 0 };
    if (kind === 'whole') reservation?.deferHold(details);
    else if (reservation !== null && !(await reservation.hold(details))) return null;
    return reservation;
  };
  const serve = async (call: OrderedCall) => {
    const reservation = await admit(call);
    if (reservation === null) {
      call.state = 'refused';
      return;
    }
    call.state = 'open';
    await new Promise<void>((resolve) => void answers.set(call, resolve));
    const charge = { amount: amounts.price, channelId: 1, priceVersion: 1, estimated: false, at: 0, log: null };
    const result = await reservation.settle(charge);
    call.state = result?.outcome === 'refused' ? 'refused' : 'delivered';
  };
  return {
    calls,
    hasSent: () => sent !== undefined,
    receive: (requestId, kind) => {
      const call: OrderedCall = { requestId, kind, state: 'comes' };
      calls.push(call);
      serve(call).catch(onError);
      return timers.advance(0);
    },
    answer: (call) => {
      call.state = 'answered';
      answers.get(call)?.();
      return timers.advance(0);
    },
    waitLong: () => timers.advance(lateMs),
    post: (postings) => {
      for (const posting of postings) writer.post(posting).catch(onError);
      return timers.advance(0);
    },
    write: () => ({ kind: 'done', results: stored.post(sent?.postings ?? [], identity) }),
    hear: (outcome) => {
      const end = sent?.end;
      sent = undefined;
      end?.(outcome);
      return timers.advance(0);
    },
  };
};
