import type { DeferredHold, DeferredHolds } from './deferred-holds.ts';
import type { ReservedQuota } from './reserved-quota.ts';

/** What pays: the account, and the token too where it has an allocation of its own. */
export interface Payer {
  readonly userId: number;
  readonly tokenId: number;
  readonly tokenLimited: boolean;
  /** The member of the team whose token it is; absent: the account is no team's. */
  readonly memberId?: number;
  /** Periods of budgets that the call counts against (`period-names.ts`); absent: none. */
  readonly budgets?: string;
}

/** What the durable hold remembers of the request. */
export interface HoldDetails {
  readonly channelId: number;
  readonly priceVersion: number;
  readonly modelName: string;
  /** Unix seconds. */
  readonly openedAt: number;
}

export interface StoredHoldOptions {
  readonly deferredHolds: DeferredHolds;
  readonly requestId: string;
  readonly payer: Payer;
  readonly quota: ReservedQuota;
  /** Receives the errors of postings that no caller awaits. */
  onError(error: unknown): void;
}

/** The hold of a reservation in the database. States: not requested, requested, posted; ended from each of them. */
export class StoredHold implements DeferredHold {
  waits: DeferredHold['waits'] = null;
  /** Changed here alone, like `ended`. */
  posted = false;
  ended = false;
  /** Whether the hold as it was posted first is stored; null: it was not posted. Rejects where that is not known. */
  decision: Promise<boolean> | null = null;
  /** Null: the hold was not requested yet. */
  private details: HoldDetails | null = null;
  /** What the hold has once all that was posted is done. */
  private amount = 0;
  private readonly options: StoredHoldOptions;

  constructor(options: StoredHoldOptions) {
    this.options = options;
  }

  /** Posts it after a short delay, unless it has ended by then; a hold of 0 with its first extension. */
  defer(details: HoldDetails, amount: number): void {
    this.details = details;
    this.amount = amount;
    if (amount > 0) this.options.deferredHolds.add(this);
  }

  write(): void {
    // Where this fails, or the balance was lowered meanwhile, the request goes on: it is settled before its answer is
    // sent, and until then its quota stays reserved in memory.
    const { details, amount } = this;
    if (details !== null) this.post(details, { amount, given: 0 }).catch(this.options.onError);
  }

  /** False: refused, and `given` of `amount` is free again. */
  post(details: HoldDetails, asked: { readonly amount: number; readonly given: number }): Promise<boolean> {
    this.posted = true;
    this.amount = asked.amount;
    this.decision = this.decide(details, asked);
    return this.decision;
  }

  private async decide(
    details: HoldDetails,
    { amount, given }: { readonly amount: number; readonly given: number },
  ): Promise<boolean> {
    const { channelId, priceVersion, modelName, openedAt } = details;
    const { requestId, payer, quota, deferredHolds } = this.options;
    deferredHolds.remove(this);
    const { outcome } = await quota.post(
      { kind: 'hold', requestId, ...payer, channelId, amount, priceVersion, modelName, openedAt },
      ({ outcome: decided }) => (decided === 'refused' ? given : amount),
    );
    return outcome !== 'refused';
  }

  /** Adds `by`, which is reserved in memory; resolves to false where it is refused. Null: nothing is to be stored yet. */
  extend(by: number): Promise<boolean> | null {
    if (this.posted) return this.postExtension(by);
    // An operator may have lowered the balance while the hold was in memory: from here on the database decides.
    return this.details === null ? null : this.post(this.details, { amount: this.amount + by, given: by });
  }

  /** Quota of the stored hold once what was posted is done; undefined: none was posted. */
  held(): number | undefined {
    return this.posted ? this.amount : undefined;
  }

  private async postExtension(by: number): Promise<boolean> {
    const { requestId, payer, quota } = this.options;
    const held = this.amount;
    const amount = held + by;
    this.amount = amount;
    const { outcome } = await quota.post({ kind: 'extend', requestId, ...payer, held, amount }, () => by);
    if (outcome === 'refused') this.amount -= by;
    return outcome !== 'refused';
  }

  end(): void {
    this.ended = true;
    this.options.deferredHolds.remove(this);
  }

  /** Ends a request whose hold was refused. Nothing of it stays reserved, nor what an extension under way set aside. */
  endRefused(): void {
    this.end();
    const { quota } = this.options;
    quota.drop(quota.amount);
  }
}
