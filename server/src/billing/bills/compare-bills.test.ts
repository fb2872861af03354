import fc from 'fast-check';
import type { BillFigures, BillLine } from '@weir/contract/bills/bills';
import { describe, expect, test } from 'vitest';
import { compareBills, noFigures, type DayEvidence, type OurLine } from './compare-bills.ts';

const line = (day: string, model: string, figures: Partial<BillFigures>): BillLine => ({
  ...noFigures,
  day,
  model,
  ...figures,
});
const usage = (requests: number, input: number, output: number, cost?: number): Partial<BillFigures> => ({
  requests,
  input,
  output,
  ...(cost === undefined ? {} : { cost }),
});
const first = '2026-11-01';
const second = '2026-11-02';
const nano = 1_000_000_000;

interface Sides {
  readonly theirs?: readonly BillLine[];
  readonly ours?: readonly OurLine[];
  readonly evidence?: readonly DayEvidence[];
}
const reasons = ({ theirs = [], ours = [], evidence = [] }: Sides) =>
  compareBills({ theirs, ours, evidence }).map(({ day, reason }) => `${day.slice(-2)} ${reason}`);
const one = (theirs: Partial<BillFigures>, ours: Partial<BillFigures>, evidence: Partial<DayEvidence> = {}) =>
  reasons({
    theirs: [line(first, 'gpt-4o-2024-08-06', theirs)],
    ours: [line(first, 'gpt-4o', ours)],
    evidence: [{ day: first, failed: 0, estimated: 0, ...evidence }],
  })[0]?.slice(3);

describe('a day and model of a vendor and ours', () => {
  test.each<[string, Partial<BillFigures>, Partial<BillFigures>, Partial<DayEvidence>]>([
    ['equal', usage(10, 1000, 500), usage(10, 1000, 500), {}],
    ['equal', { cost: 5 * nano }, usage(10, 1000, 500, 5 * nano), {}],
    ['close', usage(10, 1000, 500), usage(10, 1009, 500), {}],
    ['close', { cost: 5_000_000 }, usage(1, 1000, 500, 14_000_000), {}],
    ['unexplained', usage(10, 1000, 500), usage(10, 1011, 500), {}],
    ['unexplained', { cost: 5 * nano }, usage(10, 1000, 500, 4 * nano), {}],
    ['not_comparable', { cost: 5 * nano }, usage(10, 1000, 500), {}],
    ['price', usage(10, 1000, 500, 6 * nano), usage(10, 1000, 500, 5 * nano), {}],
    ['unbilled_calls', usage(12, 1200, 600), usage(10, 1000, 500), { failed: 2 }],
    ['unexplained', usage(13, 1300, 600), usage(10, 1000, 500), { failed: 2 }],
    ['unexplained', usage(12, 9000, 600), usage(10, 1000, 500), { failed: 1 }],
    ['unexplained', usage(12, 1200, 300), usage(10, 1000, 500), { failed: 2 }],
    ['estimated', usage(10, 1200, 500), usage(10, 1000, 500), { estimated: 3 }],
    ['unexplained', usage(10, 5200, 500), usage(10, 1000, 500), { estimated: 1 }],
    ['unexplained', usage(20, 1200, 500), usage(10, 1000, 500), { estimated: 3 }],
  ])('is %s', (reason, theirs, ours, evidence) => {
    expect(one(theirs, ours, evidence)).toBe(reason);
  });

  test('names the implied prices where the tokens agree and the cost does not', () => {
    const [row] = compareBills({
      theirs: [line(first, 'm', usage(1, 600_000, 400_000, 3 * nano))],
      ours: [line(first, 'm', usage(1, 600_000, 400_000, 2 * nano))],
      evidence: [],
    });
    expect(row).toMatchObject({ reason: 'price', flagged: true, their_price: 3 * nano, our_price: 2 * nano });
  });

  test('is flagged where only one side has it, also without a name in common', () => {
    const rows = compareBills({
      theirs: [line(first, 'theirs', usage(1, 10, 10))],
      ours: [line(first, 'ours', usage(1, 10, 10))],
      evidence: [],
    });
    expect(rows.map(({ model, reason, flagged }) => [model, reason, flagged])).toEqual([
      ['ours', 'only_ours', true],
      ['theirs', 'only_theirs', true],
    ]);
  });

  test('is the day boundary where the difference cancels with the neighbouring day, and not two days on', () => {
    const theirs = (next: string) => [line(first, 'm', usage(8, 800, 400)), line(next, 'm', usage(12, 1200, 600))];
    const ours = (next: string) => [line(first, 'm', usage(10, 1000, 500)), line(next, 'm', usage(10, 1000, 500))];
    expect(reasons({ theirs: theirs(second), ours: ours(second) })).toEqual(['01 day_boundary', '02 day_boundary']);
    const later = '2026-11-03';
    expect(reasons({ theirs: theirs(later), ours: ours(later) })).toEqual(['01 unexplained', '03 unexplained']);
    const late = [line(second, 'm', usage(5, 500, 100))];
    expect(reasons({ theirs: late, ours: [line(first, 'm', usage(5, 500, 100))] })).toEqual([
      '01 day_boundary',
      '02 day_boundary',
    ]);
  });

  test('adds up the names that are one model, and keeps them', () => {
    const [row] = compareBills({
      theirs: [line(first, 'gpt-4o-2024-08-06', usage(1, 10, 1)), line(first, 'gpt-4o-2024-11-20', usage(2, 20, 2))],
      ours: [line(first, 'openai/gpt-4o', usage(3, 30, 3))],
      evidence: [],
    });
    expect(row).toMatchObject({
      model: 'gpt-4o',
      reason: 'equal',
      their_names: ['gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'],
      our_names: ['openai/gpt-4o'],
    });
  });
});

test('our cost is compared where that of every call is known, and nowhere else', () => {
  const theirs = [line(first, 'm', usage(2, 200, 100, 3 * nano))];
  const ours = (cost?: number) => [
    line(first, 'm', usage(1, 100, 50, nano)),
    line(first, 'm', usage(1, 100, 50, cost)),
  ];
  expect(reasons({ theirs, ours: ours() })).toEqual(['01 equal']);
  expect(reasons({ theirs, ours: ours(nano) })).toEqual(['01 price']);
  expect(reasons({ theirs, ours: ours(2 * nano) })).toEqual(['01 equal']);
});

const count = fc.integer({ min: 0, max: 1e9 });
const known = fc.option(count, { nil: null });
const figures = fc.record({
  requests: known,
  input: known,
  cached: known,
  cache_write: known,
  output: known,
  cost: known,
});
const lines = fc.array(
  fc
    .tuple(fc.constantFrom('2026-11-01', '2026-11-02', '2026-11-03'), fc.constantFrom('a', 'b'), figures)
    .map(([day, model, of]) => line(day, model, of)),
  { maxLength: 8 },
);

test('every line is in exactly one row, and a bill beside itself is never flagged', () => {
  fc.assert(
    fc.property(lines, lines, (theirs, ours) => {
      const rows = compareBills({ theirs, ours, evidence: [] });
      const sum = (all: readonly BillFigures[]) => all.reduce((total, { input }) => total + (input ?? 0), 0);
      expect(sum(rows.flatMap((row) => (row.theirs === null ? [] : [row.theirs])))).toBe(sum(theirs));
      expect(sum(rows.flatMap((row) => (row.ours === null ? [] : [row.ours])))).toBe(sum(ours));
      const same = compareBills({ theirs, ours: theirs, evidence: [] });
      expect(same.filter(({ flagged }) => flagged)).toEqual([]);
    }),
  );
});
