/** What a refusal exceeded. */
export type MemoryBound = 'call' | 'user' | 'process';

/** Bytes that may be held at once. */
export interface MemoryLimits {
  readonly callMax: number;
  readonly userMax: number;
  readonly processMax: number;
}

/** Thrown where a call may hold no more. */
export class MemoryError extends Error {
  readonly bound: MemoryBound;

  constructor(bound: MemoryBound) {
    super(`the bytes that a ${bound} may hold are used up`);
    this.name = 'MemoryError';
    this.bound = bound;
  }
}

/** One kind of bytes that a call holds: its body, an answer. */
export interface MemoryPart {
  /** Sets how many bytes it is now. Returns the bound that this would exceed, and then changes nothing; null: done. */
  resize(bytes: number): MemoryBound | null;
}

/** The bytes that one call holds. */
export interface CallMemory {
  part(): MemoryPart;
  /** Nothing is held any more; later changes have no effect. */
  end(): void;
}

/** The account of all bytes that calls hold: of bodies, fetched content, answers and events. */
export interface MemoryBudget {
  open(userId: number): CallMemory;
  /** Bytes of all calls. */
  held(): number;
  /** How often each bound refused more. */
  refused(): Readonly<Record<MemoryBound, number>>;
  readonly limits: MemoryLimits;
}

/** What is held in the name of one user or of all. */
interface Account {
  held: number;
  /** Open calls. */
  calls: number;
}

class HeldMemory implements CallMemory {
  private held = 0;
  private ended = false;
  private readonly user: Account;
  private readonly take: (user: Account, by: number, held: number) => MemoryBound | null;
  private readonly close: (user: Account, held: number) => void;

  constructor(user: Account, take: HeldMemory['take'], close: HeldMemory['close']) {
    this.user = user;
    this.take = take;
    this.close = close;
  }

  part(): MemoryPart {
    return new HeldPart(this);
  }

  /** Holds more or less by so many bytes, or returns the bound that this would exceed. */
  change(by: number): MemoryBound | null {
    if (this.ended || by === 0) return null;
    const bound = this.take(this.user, by, this.held);
    if (bound === null) this.held += by;
    return bound;
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.close(this.user, this.held);
  }
}

/** A class, since each call has several: one small object each. */
class HeldPart implements MemoryPart {
  private size = 0;
  private readonly whole: HeldMemory;

  constructor(whole: HeldMemory) {
    this.whole = whole;
  }

  resize(bytes: number): MemoryBound | null {
    const bound = this.whole.change(bytes - this.size);
    if (bound === null) this.size = bytes;
    return bound;
  }
}

/** One for the process. What a call holds counts for the call, for its user, and for the process. */
export const createMemoryBudget = (limits: MemoryLimits): MemoryBudget => {
  const users = new Map<number, Account>();
  const refused: Record<MemoryBound, number> = { call: 0, user: 0, process: 0 };
  let total = 0;
  const exceeded = (user: Account, by: number, held: number): MemoryBound | null => {
    if (by <= 0) return null;
    if (held + by > limits.callMax) return 'call';
    if (user.held + by > limits.userMax) return 'user';
    return total + by > limits.processMax ? 'process' : null;
  };
  const take = (user: Account, by: number, held: number): MemoryBound | null => {
    const bound = exceeded(user, by, held);
    if (bound === null) {
      user.held += by;
      total += by;
    } else refused[bound] += 1;
    return bound;
  };
  return {
    open: (userId) => {
      const user = users.get(userId) ?? { held: 0, calls: 0 };
      users.set(userId, user);
      user.calls += 1;
      return new HeldMemory(user, take, (account, held) => {
        account.held -= held;
        total -= held;
        account.calls -= 1;
        if (account.calls === 0) users.delete(userId);
      });
    },
    held: () => total,
    refused: () => ({ ...refused }),
    limits,
  };
};

/** Sets how many bytes a part is, or throws. */
export const mustHold = (part: MemoryPart, bytes: number): void => {
  const bound = part.resize(bytes);
  if (bound !== null) throw new MemoryError(bound);
};

/** A piece that arrives alone is an object of its own, however short it is. */
export const pieceBytes = 128;

/** Counts nothing: for requests of the gateway itself, whose answers are small. */
export const uncounted: MemoryPart = { resize: () => null };
