import type { OrdersCase } from './all-orders.ts';
import type { CallKind } from './orders-process.ts';

/** Of `count` nodes with a call each: every number of streams among them. */
const kindsOf = (count: number): readonly (readonly CallKind[])[][] =>
  Array.from({ length: count + 1 }, (_, streams) =>
    Array.from({ length: count }, (_call, index) => [index < streams ? 'stream' : 'whole'] as const),
  );

/** For calls that cost what they reserve, and for cheaper ones: a balance for one of them, and for two. */
const amounts = [
  { balance: 10, hold: 10, price: 10 },
  { balance: 20, hold: 10, price: 10 },
  { balance: 20, hold: 10, price: 6 },
] as const;

export const ordersCases = ({
  nodes: count,
  faults,
}: {
  readonly nodes: number;
  readonly faults: number;
}): OrdersCase[] =>
  kindsOf(count).flatMap((nodes) =>
    (['account', 'token', 'budget'] as const).flatMap((bound) =>
      amounts.map((amount) => ({ nodes, bound, faults, ...amount })),
    ),
  );
