import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../../test/oracles/usage-vectors.json' with { type: 'json' };
import { parseObject } from '../../../test/parsing/json.ts';
import { acceptUsage, chargeUsage, tokensMax } from './usage.ts';

const counted = { prompt: 11, completion: 22 };
const charge = (prompt: unknown, completion: unknown, total?: unknown, hasOutput = true) =>
  chargeUsage(acceptUsage({ prompt, completion, total }, hasOutput), counted);

describe('usage', () => {
  test('RELAY-07 a sound report is charged as it is', () => {
    expect(charge(5, 6, 11)).toMatchObject({ prompt: 5, completion: 6, estimated: false });
    expect(charge(5, 0, 5, false)).toMatchObject({ prompt: 5, completion: 0, estimated: false });
    expect(charge(5, undefined, 12)).toMatchObject({ prompt: 5, completion: 7, estimated: false });
  });

  test('RELAY-07 no report: both parts are counted and the charge is flagged', () => {
    expect(chargeUsage(acceptUsage(null, true), counted)).toMatchObject({ ...counted, estimated: true });
    expect(charge(0, 0, 0)).toMatchObject({ ...counted, estimated: true });
  });

  test.each([null, -1, -0.5, 1.5, '7', tokensMax + 1, 2 ** 53, 1e308, Number.NaN, Infinity, true, [], {}])(
    'RELAY-07 a part reported as %j is counted instead',
    (bad) => {
      expect(charge(bad, 6, 11)).toMatchObject({ prompt: 11, completion: 6, estimated: true });
      expect(charge(5, bad)).toMatchObject({ prompt: 5, completion: 22, estimated: true });
    },
  );

  test('RELAY-07 a completion of 0 is rejected if there was output, a prompt of 0 always', () => {
    expect(charge(5, 0)).toMatchObject({ prompt: 5, completion: 22, estimated: true });
    expect(charge(0, 6)).toMatchObject({ prompt: 11, completion: 6, estimated: true });
  });

  test('RELAY-07 a charge shows which parts were counted and why', () => {
    expect(charge(5, 6).counted).toEqual({});
    expect(chargeUsage(acceptUsage(null, true), counted).counted).toEqual({
      prompt: 'unreported',
      completion: 'unreported',
    });
    expect(charge(-5, null).counted).toEqual({ prompt: 'implausible', completion: 'unreported' });
    expect(charge(5, 0).counted).toEqual({ completion: 'implausible' });
    expect(charge(undefined, undefined, 40).counted).toEqual({ prompt: 'unreported' });
  });

  test('RELAY-07 a total alone is split by the counted prompt', () => {
    expect(charge(undefined, undefined, 40)).toMatchObject({ prompt: 11, completion: 29, estimated: true });
    expect(charge(undefined, undefined, 3)).toMatchObject({ ...counted, estimated: true });
  });

  test('M16 a total that leaves nothing beside the prompt does not say that there was no completion: it is counted', () => {
    expect(charge(undefined, undefined, 11)).toMatchObject({ ...counted, estimated: true });
    expect(charge(undefined, undefined, 11).counted).toEqual({ prompt: 'unreported', completion: 'unreported' });
    for (const hasOutput of [true, false]) {
      expect(charge(5, undefined, 5, hasOutput)).toMatchObject({ prompt: 5, completion: 22, estimated: true });
    }
  });

  test('M16 only a whole number of reasoning tokens allows a completion that is larger than the answer', () => {
    const bounds = {
      allowsPrompt: () => true,
      allowsCompletion: (tokens: number, reasoning: number) => tokens - reasoning <= 100,
    };
    const isBelieved = (completion: number, reasoning: unknown) =>
      acceptUsage({ prompt: 5, completion, total: undefined, parts: { reasoning } }, true, bounds).completion !== null;
    expect(isBelieved(150, 50)).toBe(true);
    expect(isBelieved(151, 50)).toBe(false);
    for (const wrong of [undefined, null, '50', 50.5, -50, 2 ** 60, Number.NaN, [50], true]) {
      expect(isBelieved(100, wrong), String(wrong)).toBe(true);
      expect(isBelieved(101, wrong), String(wrong)).toBe(false);
    }
  });

  test('RELAY-07 G8 judges as the oracle written in Python does, 2,000 vectors', () => {
    for (const [text, hasOutput, prompt, completion, estimated] of vectors) {
      const usage = parseObject(String(text));
      const { prompt: p, completion: c, total } = usage;
      expect(charge(p, c, total, hasOutput === true), String(text)).toMatchObject({ prompt, completion, estimated });
    }
  });

  test('RELAY-07 whatever is reported, whole amounts from 0 to 10^8 are charged', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), fc.boolean(), (prompt, completion, total, hasOutput) => {
        const result = charge(prompt, completion, total, hasOutput);
        for (const part of [result.prompt, result.completion]) {
          expect(Number.isSafeInteger(part) && part >= 0 && part <= tokensMax).toBe(true);
        }
      }),
    );
  });
});
