import type { BillFigures, BillLine, BillReason, ComparedDay } from '@weir/contract/bills/bills';
import { flaggedReasons } from '@weir/contract/bills/bills';
import { modelKey } from './model-key.ts';

/** Our calls of one day and model; `model` is the name that the vendor was sent. */
export interface OurLine extends BillFigures {
  readonly day: string;
  readonly model: string;
}

/** What is known of a day besides the sums. */
export interface DayEvidence {
  readonly day: string;
  /** Attempts that failed at the vendor, which were not charged. */
  readonly failed: number;
  /** Calls whose usage was counted here, as the vendor reported none that is plausible. */
  readonly estimated: number;
}

export interface BillComparison {
  readonly theirs: readonly BillLine[];
  readonly ours: readonly OurLine[];
  readonly evidence: readonly DayEvidence[];
}

interface Side {
  readonly names: Set<string>;
  figures: BillFigures;
}

interface Row {
  readonly day: string;
  readonly model: string;
  readonly theirs: Side | undefined;
  readonly ours: Side | undefined;
}

export const noFigures: BillFigures = {
  requests: null,
  input: null,
  cached: null,
  cache_write: null,
  output: null,
  cost: null,
};

const plus = (one: number | null, other: number | null): number | null => (one === null ? other : one + (other ?? 0));

/** What is not known of one is that of the other. */
export const addFigures = (one: BillFigures, other: BillFigures): BillFigures => ({
  requests: plus(one.requests, other.requests),
  input: plus(one.input, other.input),
  cached: plus(one.cached, other.cached),
  cache_write: plus(one.cache_write, other.cache_write),
  output: plus(one.output, other.output),
  cost: plus(one.cost, other.cost),
});

const figuresOf = ({ requests, input, cached, cache_write, output, cost }: BillFigures): BillFigures => ({
  requests,
  input,
  cached,
  cache_write,
  output,
  cost,
});

/** A hundredth of the larger of two counts, or a cent: vendors' tables round costs to cents. */
const closeShare = 100;
const closeNano = 10_000_000;

const isClose = (name: keyof BillFigures, theirs: number, ours: number): boolean => {
  const off = Math.abs(theirs - ours);
  const share = Math.floor(Math.max(Math.abs(theirs), Math.abs(ours)) / closeShare);
  return off <= (name === 'cost' ? Math.max(share, closeNano) : share);
};

interface Pair {
  readonly name: keyof BillFigures;
  readonly theirs: number;
  readonly ours: number;
}

const usageNames = ['requests', 'input', 'cached', 'cache_write', 'output'] as const;

/** The figures that both sides know. */
const pairsOf = (theirs: BillFigures, ours: BillFigures): readonly Pair[] =>
  [...usageNames, 'cost' as const].flatMap((name) => {
    const [one, other] = [theirs[name], ours[name]];
    return one === null || other === null ? [] : [{ name, theirs: one, ours: other }];
  });

const close = ({ name, theirs, ours }: Pair): boolean => isClose(name, theirs, ours);
const tokensOf = ({ input, output }: BillFigures): number => (input ?? 0) + (output ?? 0);

/** Zero for what the other side knows. */
const noneOf = (other: BillFigures): BillFigures => ({
  requests: other.requests === null ? null : 0,
  input: other.input === null ? null : 0,
  cached: null,
  cache_write: null,
  output: other.output === null ? null : 0,
  cost: other.cost === null ? null : 0,
});

const bothOf = ({ theirs, ours }: Row): { readonly theirs: BillFigures; readonly ours: BillFigures } => {
  const their = theirs?.figures;
  const our = ours?.figures;
  return { theirs: their ?? noneOf(our ?? noFigures), ours: our ?? noneOf(their ?? noFigures) };
};

/** Tokens of a call, on average, by the side that knows its requests. */
const meanTokens = (row: Row): number => {
  const { theirs, ours } = bothOf(row);
  const [side] = [theirs, ours].filter(({ requests }) => (requests ?? 0) > 0);
  return side === undefined ? 0 : Math.ceil(tokensOf(side) / (side.requests ?? 1));
};

/** A call that was cut may be longer than the mean of all. */
const longCall = 4;

/** The vendor counts more in everything, and no more than so many failed attempts can have used. */
const fromFailed = (row: Row, failed: number): boolean => {
  const { theirs, ours } = bothOf(row);
  if (failed === 0) return false;
  const usage = pairsOf(theirs, ours).filter(
    ({ name }) => name === 'requests' || name === 'input' || name === 'output',
  );
  const more = usage.every((pair) => pair.theirs >= pair.ours || close(pair));
  const requests = usage.find(({ name }) => name === 'requests');
  const extra = tokensOf(theirs) - tokensOf(ours);
  return (
    more &&
    usage.some(({ name }) => name !== 'requests') &&
    (requests === undefined || requests.theirs - requests.ours <= failed) &&
    extra <= failed * longCall * meanTokens(row)
  );
};

/** As many calls on both sides, whose tokens differ by no more than those of the calls that were counted here. */
const fromEstimates = (row: Row, estimated: number): boolean => {
  const { theirs, ours } = bothOf(row);
  if (estimated === 0) return false;
  const requests = pairsOf(theirs, ours).find(({ name }) => name === 'requests');
  return (
    (requests === undefined || close(requests)) &&
    Math.abs(tokensOf(theirs) - tokensOf(ours)) <= estimated * meanTokens(row)
  );
};

/** What the sums of two days tell that each alone does not: both days together are close. */
const cancels = (row: Row, next: Row): boolean => {
  const [one, other] = [bothOf(row), bothOf(next)];
  const theirs = addFigures(one.theirs, other.theirs);
  const ours = addFigures(one.ours, other.ours);
  const pairs = pairsOf(theirs, ours);
  const off = ({ theirs: their, ours: our }: ReturnType<typeof bothOf>): number => tokensOf(their) - tokensOf(our);
  return (
    pairs.some(({ name }) => name === 'input' || name === 'output') && off(one) * off(other) < 0 && pairs.every(close)
  );
};

/** The reason that a day by itself has; undefined: it is to be explained by what is known of its surroundings. */
const reasonAlone = (row: Row): BillReason | undefined => {
  const { theirs, ours } = bothOf(row);
  const pairs = pairsOf(theirs, ours);
  if (row.theirs !== undefined && row.ours !== undefined && pairs.length === 0) return 'not_comparable';
  if (pairs.every((pair) => pair.theirs === pair.ours)) return 'equal';
  if (pairs.every(close)) return 'close';
  const usage = pairs.filter(({ name }) => name !== 'cost');
  const tokens = usage.some(({ name }) => name === 'input' || name === 'output');
  return tokens && usage.every(close) && tokensOf(theirs) > 0 ? 'price' : undefined;
};

const reasonAround = (row: Row, evidence: DayEvidence | undefined): BillReason => {
  if (fromFailed(row, evidence?.failed ?? 0)) return 'unbilled_calls';
  if (row.ours === undefined) return 'only_theirs';
  if (row.theirs === undefined) return 'only_ours';
  return fromEstimates(row, evidence?.estimated ?? 0) ? 'estimated' : 'unexplained';
};

/** Nano-dollars for a million tokens. */
const priceOf = (figures: BillFigures): number | null => {
  const tokens = BigInt(tokensOf(figures));
  if (tokens === 0n || figures.cost === null) return null;
  const price = Number((BigInt(figures.cost) * 1_000_000n) / tokens);
  return Number.isSafeInteger(price) ? price : null;
};

const dayMs = 86_400_000;
const dayAfter = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

const gather = (lines: readonly (BillFigures & { readonly day: string; readonly model: string })[]) => {
  const sides = new Map<string, Side>();
  for (const line of lines) {
    const key = `${line.day}\n${modelKey(line.model)}`;
    const side = sides.get(key) ?? { names: new Set<string>(), figures: noFigures };
    side.names.add(line.model);
    side.figures = addFigures(side.figures, figuresOf(line));
    sides.set(key, side);
  }
  return sides;
};

/** Our cost is known where that of every call is. */
export const addOurs = (lines: readonly BillFigures[]): BillFigures => ({
  ...lines.reduce(addFigures, noFigures),
  ...(lines.some(({ cost }) => cost === null) ? { cost: null } : {}),
});

const gatherOurs = (lines: readonly OurLine[]) => {
  const sides = gather(lines);
  const byKey = Map.groupBy(lines, ({ day, model }) => `${day}\n${modelKey(model)}`);
  for (const [key, side] of sides) side.figures = figuresOf(addOurs(byKey.get(key) ?? []));
  return sides;
};

const rowsOf = ({ theirs, ours }: BillComparison): readonly Row[] => {
  const [their, our] = [gather(theirs), gatherOurs(ours)];
  return [...new Set([...their.keys(), ...our.keys()])].toSorted().map((key) => {
    const [day = '', model = ''] = key.split('\n', 2);
    return { day, model, theirs: their.get(key), ours: our.get(key) };
  });
};

/** Days whose difference cancels with that of a neighbour; each has one neighbour at most. */
const boundaryRows = (open: readonly Row[]): ReadonlySet<Row> => {
  const byKey = new Map(open.map((row) => [`${row.day}\n${row.model}`, row]));
  const found = new Set<Row>();
  for (const row of open) {
    const next = byKey.get(`${dayAfter(row.day)}\n${row.model}`);
    if (next === undefined || found.has(row) || !cancels(row, next)) continue;
    found.add(row);
    found.add(next);
  }
  return found;
};

const compared = (row: Row, reason: BillReason): ComparedDay => ({
  day: row.day,
  model: row.model,
  their_names: [...(row.theirs?.names ?? [])].toSorted(),
  our_names: [...(row.ours?.names ?? [])].toSorted(),
  theirs: row.theirs?.figures ?? null,
  ours: row.ours?.figures ?? null,
  reason,
  flagged: flaggedReasons.has(reason),
  their_price: reason === 'price' ? priceOf(row.theirs?.figures ?? noFigures) : null,
  our_price: reason === 'price' ? priceOf(row.ours?.figures ?? noFigures) : null,
});

/**
 * Compares what a vendor states with what passed through here, by UTC day and model, in the order of both, and gives
 * each its reason. The caller decides which days take part: our lines of days that no statement covers would all be
 * "only ours".
 */
export const compareBills = (input: BillComparison): ComparedDay[] => {
  const evidence = new Map(input.evidence.map((day) => [day.day, day]));
  const alone = rowsOf(input).map((row) => ({ row, reason: reasonAlone(row) }));
  const boundary = boundaryRows(alone.filter(({ reason }) => reason === undefined).map(({ row }) => row));
  return alone.map(({ row, reason }) =>
    compared(row, reason ?? (boundary.has(row) ? 'day_boundary' : reasonAround(row, evidence.get(row.day)))),
  );
};
