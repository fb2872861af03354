import { describe, expect, test } from 'vitest';
import { createHoldGuard } from './hold-guard.ts';
import { createPrice } from './price/price.ts';
import { one, ratio } from './price/ratio.ts';
import type { Reservation } from './reservation.ts';

const parts = { version: 1, completion: ratio(2n, 1n), group: one, modelKnown: true, groupKnown: true };
const price = createPrice({ ...parts, model: one });
/** Three ASCII characters: one rough token, two units. */
const word = 'abc';

/** A guard over an account of `balance`, of which a prompt of 10 and `outputTokens` are held. */
const start = (balance: number, outputTokens: number, outputLimit: number | null = null, free = false) => {
  let amount = 10 + 2 * outputTokens;
  const extensions: number[] = [];
  const reservation: Pick<Reservation, 'amount' | 'extend'> = {
    amount: () => amount,
    extend: async (by) => {
      if (amount + by > balance) return false;
      amount += by;
      extensions.push(by);
      return true;
    },
  };
  const guard = createHoldGuard({
    reservation,
    price: free ? createPrice({ ...parts, model: ratio(0n, 1n) }) : price,
    promptTokens: 10,
    outputTokens,
    outputLimit,
    onError: (error) => {
      throw error;
    },
  });
  /** The number of words that pass, of a given number in one turn. */
  const burst = async (words: number): Promise<number> => {
    for (let index = 0; index < words; index += 1) {
      const covered = guard.take(word);
      if (covered !== null && !(await covered)) return index;
    }
    return words;
  };
  /** The same of words that come apart: extensions that were begun early are decided between two of them. */
  const take = async (words: number): Promise<number> => {
    for (let index = 0; index < words; index += 1) {
      if ((await burst(1)) === 0) return index;
      await Promise.resolve();
    }
    return words;
  };
  return { guard, take, burst, held: () => amount, extensions };
};

describe('the guard of a stream', () => {
  test('RELAY-07 grows before what is held is used up, by slices that double', async () => {
    const { take, extensions } = start(1_000_000, 512);
    expect(await take(409)).toBe(409);
    expect(extensions).toEqual([]);
    expect(await take(2)).toBe(2);
    expect(extensions).toEqual([2 * 1024]);
    expect(await take(20_000)).toBe(20_000);
    expect(extensions.slice(0, 4)).toEqual([2 * 1024, 2 * 2048, 2 * 4096, 2 * 4096]);
  });

  test('RELAY-07 begins to grow only when more than four fifths are used', async () => {
    const { take, extensions } = start(1_000_000, 500);
    expect(await take(400)).toBe(400);
    expect(extensions).toEqual([]);
    expect(await take(1)).toBe(1);
    expect(extensions).toEqual([2 * 1000]);
  });

  test('RELAY-07 passes words that had to wait for an extension, which is made once', async () => {
    const { burst, held, extensions } = start(1_000_000, 512);
    expect(await burst(600)).toBe(600);
    expect(extensions).toEqual([2 * 1024]);
    expect(await burst(4400)).toBe(4400);
    expect(held()).toBeGreaterThanOrEqual(10 + 2 * 5000);
  });

  test('RELAY-07 asks for nothing where the hold covers exactly what was sent, and refuses the next word alone', async () => {
    const { guard, burst, extensions } = start(10 + 2 * 512, 512);
    expect(await burst(512)).toBe(512);
    await new Promise(setImmediate);
    expect(await burst(1)).toBe(0);
    expect(guard.take('')).toBeNull();
    expect(extensions).toEqual([]);
  });

  test('RELAY-07 gives what there is to words that come while an early extension is refused', async () => {
    const { burst, held } = start(10 + 2 * 612, 512);
    expect(await burst(1000)).toBe(612);
    expect(held()).toBe(10 + 2 * 612);
  });

  test('RELAY-07 ends when the balance does, and never holds more', async () => {
    for (const balance of [1034, 1035, 1500, 3000, 9999]) {
      const { take, held } = start(balance, 512);
      expect(await take(100_000)).toBe(Math.floor((balance - 10) / 2));
      expect(held()).toBeLessThanOrEqual(balance);
    }
  });

  test('RELAY-07 L8 refuses words that come while the hold is extended for those before them, where the balance ends', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let amount = 10 + 2 * 512 - 1;
    const balance = amount + 5;
    const extend = async (by: number): Promise<boolean> => {
      if (amount + by > balance) return false;
      await gate;
      amount += by;
      return true;
    };
    const guard = createHoldGuard({
      reservation: { amount: () => amount, extend },
      price,
      promptTokens: 10,
      outputTokens: 512,
      outputLimit: null,
      onError: (error) => {
        throw error;
      },
    });
    // All that is covered, with one unit less than it costs: the extension for that is under way.
    expect(guard.take(word.repeat(512))).toBeNull();
    await Promise.resolve();
    const further = guard.take(word.repeat(60));
    open();
    expect(await further).toBe(false);
    expect(amount).toBe(10 + 2 * 512);
  });

  test('RELAY-07 of a bounded stream holds no more than its bound, and lets it come to its end', async () => {
    const short = start(10 + 2 * 40, 40, 40);
    expect(await short.take(40 * 4)).toBe(160);
    expect(short.extensions).toEqual([]);
    const long = start(1_000_000, 512, 700);
    expect(await long.take(700 * 3)).toBe(2100);
    expect(long.held()).toBe(10 + 2 * 700);
  });

  test('RELAY-07 of a bound that upstream ignores ends with the balance', async () => {
    const { take, held } = start(200, 40, 40);
    expect(await take(10_000)).toBe(160);
    expect(held()).toBeLessThanOrEqual(200);
  });

  test('RELAY-07 of a bound that upstream ignores holds all that is sent once that is clear', async () => {
    const rich = start(1_000_000, 40, 40);
    expect(await rich.take(10_000)).toBe(10_000);
    expect(rich.held()).toBeGreaterThanOrEqual(10 + 2 * 10_000);
    expect(rich.held()).toBeLessThan(10 + 2 * 20_000);
    const poor = start(2000, 40, 40);
    expect(await poor.take(10_000)).toBe(995);
    expect(poor.held()).toBeLessThanOrEqual(2000);
  });

  test('RELAY-07 of a free model never ends', async () => {
    const { guard, extensions } = start(0, 0, null, true);
    for (let index = 0; index < 1000; index += 1) expect(guard.take(word)).toBeNull();
    await new Promise(setImmediate);
    expect(extensions).toEqual([]);
  });
});
