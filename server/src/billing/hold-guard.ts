import { nextSlice } from './hold.ts';
import type { Price } from './price/price.ts';
import type { Reservation } from './reservation.ts';
import { roughTokens } from './counting/rough-tokens.ts';

/** Compares a stream's output with what its hold covers, and extends the hold before it is used up. */
export interface HoldGuard {
  /** Null: the text is covered. Otherwise resolves to whether it is, once the extension is decided. */
  take(text: string): Promise<boolean> | null;
}

export interface HoldGuardOptions {
  readonly reservation: Pick<Reservation, 'amount' | 'extend'>;
  readonly price: Price;
  /** Prompt tokens as held. */
  readonly promptTokens: number;
  /** Output tokens that the hold covers at first. */
  readonly outputTokens: number;
  /** The output limit sent to the upstream, in tokens of all choices together; null: none was sent. */
  readonly outputLimit: number | null;
  onError(error: unknown): void;
}

/** The extension starts when this share of the covered tokens was used. */
const extendAt = 0.8;
/**
 * An upstream enforces its limit by its own count; the rough count here may differ with the tokenizer or the text. Only
 * an output of this many times the limit shows that the upstream ignores it.
 */
const limitKept = 4;

class Guard implements HoldGuard {
  private covered: number;
  private used = 0;
  private slice: number;
  private extending: Promise<boolean> | null = null;
  private readonly free: boolean;
  private readonly options: HoldGuardOptions;

  constructor(options: HoldGuardOptions) {
    this.options = options;
    this.covered = options.outputTokens;
    this.slice = options.outputTokens;
    this.free = options.price.quota({ prompt: 1, completion: 1 }) === 0;
  }

  take(text: string): Promise<boolean> | null {
    if (this.free || text === '') return null;
    this.used += roughTokens(text);
    const reach = this.reach();
    if (this.used > reach) return this.untilCovered();
    if (this.used > reach * extendAt && this.extending === null) this.startExtension().catch(this.options.onError);
    return null;
  }

  /** Output tokens that may be sent before the hold must be extended. */
  private reach(): number {
    const { outputLimit } = this.options;
    if (outputLimit === null || this.covered < outputLimit) return this.covered;
    return Math.max(this.covered, outputLimit * limitKept);
  }

  private amountFor(tokens: number): number {
    const { price, promptTokens } = this.options;
    return price.quota({ prompt: promptTokens, completion: Math.ceil(tokens) });
  }

  private async extend(): Promise<boolean> {
    const { reservation, outputLimit } = this.options;
    const next = nextSlice(this.slice);
    const further = Math.max(this.covered, this.used) + next;
    const target = outputLimit !== null && this.covered < outputLimit ? Math.min(further, outputLimit) : further;
    const done = await reservation.extend(Math.max(1, this.amountFor(target) - reservation.amount()));
    if (done) {
      this.covered = target;
      this.slice = next;
      return true;
    }
    // The balance may not cover a slice and still cover the output so far, which grows while the hold is extended for it.
    do {
      const reached = this.used;
      const least = this.amountFor(reached) - reservation.amount();
      if (least > 0 && !(await reservation.extend(least))) break;
      this.covered = Math.max(this.covered, reached);
    } while (this.used > this.reach());
    return this.used <= this.reach();
  }

  private startExtension(): Promise<boolean> {
    this.extending ??= this.extend().finally(() => (this.extending = null));
    return this.extending;
  }

  private async untilCovered(): Promise<boolean> {
    while (this.used > this.reach()) if (!(await this.startExtension())) return false;
    return true;
  }
}

export const createHoldGuard = (options: HoldGuardOptions): HoldGuard => new Guard(options);
