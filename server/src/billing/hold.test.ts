import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextSlice, planHold } from './hold.ts';
import { createPrice } from './price/price.ts';
import { one, ratio } from './price/ratio.ts';

const price = createPrice({
  version: 1,
  model: one,
  completion: ratio(2n, 1n),
  group: one,
  modelKnown: true,
  groupKnown: true,
});
const free = createPrice({
  version: 1,
  model: ratio(0n, 1n),
  completion: one,
  group: one,
  modelKnown: true,
  groupKnown: true,
});
const base = {
  price,
  promptTokens: 100,
  outputLimit: null,
  choices: 1,
  stream: false,
  preConsumed: 500,
  free: 1_000_000,
};

describe('planHold', () => {
  test('RELAY-07 a plain answer holds its worst case, an unbounded one max(PreConsumedQuota, 4096) tokens', () => {
    expect(planHold({ ...base, outputLimit: 10 })).toMatchObject({ amount: 120, outputCap: null });
    expect(planHold({ ...base, outputLimit: 10, choices: 3 })).toMatchObject({ amount: 160 });
    expect(planHold(base)).toMatchObject({ amount: 100 + 4096 * 2 });
    expect(planHold({ ...base, preConsumed: 5000 })).toMatchObject({ amount: 100 + 5000 * 2 });
  });

  test('RELAY-07 a stream holds its first slice and never more than the request bounds', () => {
    expect(planHold({ ...base, stream: true })).toMatchObject({ amount: 100 + 512 * 2 });
    expect(planHold({ ...base, stream: true, outputLimit: 7 })).toMatchObject({ amount: 114 });
    expect(planHold({ ...base, stream: true, outputLimit: 100_000 })).toMatchObject({ amount: 100 + 512 * 2 });
    expect(planHold({ ...base, stream: true, preConsumed: 600 })).toMatchObject({ amount: 100 + 600 * 2 });
  });

  test('RELAY-07 a balance that covers less limits the output to what it covers', () => {
    expect(planHold({ ...base, free: 121 })).toEqual({ kind: 'hold', amount: 120, outputTokens: 10, outputCap: 10 });
    expect(planHold({ ...base, free: 121, choices: 3 })).toEqual({
      kind: 'hold',
      amount: 118,
      outputTokens: 9,
      outputCap: 3,
    });
  });

  test('RELAY-07 a balance that does not cover the prompt and one token is short', () => {
    expect(planHold({ ...base, free: 101 })).toEqual({ kind: 'short', needed: 102 });
    expect(planHold({ ...base, free: 0 })).toEqual({ kind: 'short', needed: 102 });
    expect(planHold({ ...base, free: 105, choices: 3 })).toEqual({ kind: 'short', needed: 106 });
  });

  test('RELAY-07 a call that is priced as a whole is short where its whole amount is not covered', () => {
    const whole = { ...base, outputLimit: 10, isWhole: true };
    expect(planHold({ ...whole, free: 120 })).toMatchObject({ kind: 'hold', amount: 120, outputCap: null });
    expect(planHold({ ...whole, free: 119 })).toEqual({ kind: 'short', needed: 120 });
  });

  test('a free model holds nothing', () => {
    expect(planHold({ ...base, price: free, free: 0 })).toMatchObject({ amount: 0, outputCap: null });
  });

  test('RELAY-07 a hold is never above what is free, and never refused where the smallest answer is covered', () => {
    const question = fc.record({
      price: fc.constant(price),
      promptTokens: fc.nat(5000),
      outputLimit: fc.option(fc.integer({ min: 1, max: 5000 })),
      choices: fc.integer({ min: 1, max: 5 }),
      stream: fc.boolean(),
      preConsumed: fc.nat(2000),
      free: fc.nat(30_000),
    });
    fc.assert(
      fc.property(question, (size) => {
        const plan = planHold(size);
        if (plan.kind === 'short') expect(plan.needed).toBeGreaterThan(size.free);
        else expect(plan.amount).toBeLessThanOrEqual(size.free);
      }),
    );
  });
});

test('extensions double up to 4,096 tokens', () => {
  expect([0, 512, 1024, 2048, 4096].map(nextSlice)).toEqual([512, 1024, 2048, 4096, 4096]);
});
