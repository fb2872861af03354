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

export const createHoldGuard = (options: HoldGuardOptions): HoldGuard => {
  const { reservation, price, promptTokens, outputTokens, outputLimit, onError } = options;
  const free = price.quota({ prompt: 1, completion: 1 }) === 0;
  let covered = outputTokens;
  let used = 0;
  let slice = outputTokens;
  let extending: Promise<boolean> | null = null;

  /** Output tokens that may be sent before the hold must be extended. */
  const reach = () => (outputLimit !== null && covered >= outputLimit ? covered * limitKept : covered);
  const amountFor = (tokens: number) => price.quota({ prompt: promptTokens, completion: Math.ceil(tokens) });
  const extend = async (): Promise<boolean> => {
    const next = nextSlice(slice);
    const further = Math.max(covered, used) + next;
    const target = outputLimit !== null && covered < outputLimit ? Math.min(further, outputLimit) : further;
    const done = await reservation.extend(Math.max(1, amountFor(target) - reservation.amount()));
    if (done) {
      covered = target;
      slice = next;
      return true;
    }
    // The balance may not cover a slice and still cover the output so far, which grows while the hold is extended for it.
    let reached: number;
    do {
      reached = used;
      const least = amountFor(reached) - reservation.amount();
      if (least > 0 && !(await reservation.extend(least))) break;
      covered = Math.max(covered, reached);
    } while (used > reached && used > reach());
    return used <= reach();
  };
  const startExtension = (): Promise<boolean> => {
    extending ??= extend().finally(() => (extending = null));
    return extending;
  };
  const untilCovered = async (): Promise<boolean> => {
    while (used > reach()) if (!(await startExtension())) return false;
    return true;
  };

  return {
    take: (text) => {
      if (free || text === '') return null;
      used += roughTokens(text);
      if (used > reach()) return untilCovered();
      if (used > reach() * extendAt && extending === null) startExtension().catch(onError);
      return null;
    },
  };
};
