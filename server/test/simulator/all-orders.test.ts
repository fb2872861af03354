import { expect, test } from 'vitest';
import { runAllOrders } from './all-orders.ts';
import { runAllChoices } from './choices.ts';
import { ofOrders } from './mutants.ts';
import { ordersCases } from './orders-cases.ts';
import { findPlantedBugs } from './planted-bugs.ts';

/** Seconds on a machine with nothing else to do. */
const patienceMs = 600_000;

test('N1 G5 every sequence of choices is run once', async () => {
  const sequences: string[] = [];
  await runAllChoices((choose) => {
    const first = choose(3);
    const sequence = first === 1 ? [first, choose(2), choose(2)] : [first];
    sequences.push(sequence.join(''));
    return Promise.resolve(true);
  });
  expect(sequences).toEqual(['0', '100', '101', '110', '111', '2']);
});

test(
  'N1 G5 in every order of three nodes that spend one balance, and of two with a fault, each answer is paid and none is refused that could be',
  async () => {
    const cases = [...ordersCases({ nodes: 3, faults: 0 }), ...ordersCases({ nodes: 2, faults: 1 })];
    let orders = 0;
    for (const given of cases) {
      const report = await runAllOrders(given);
      expect(report.broken, JSON.stringify(given)).toEqual([]);
      orders += report.orders;
    }
    expect(orders).toBeGreaterThan(80_000);
  },
  patienceMs,
);

test('N1 G5 in every order of two calls of a node and one of another, each answer is paid and none is refused that could be', async () => {
  for (const balance of [10, 20, 30]) {
    const amounts = { bound: 'account', balance, hold: 10, price: 10, faults: 0 } as const;
    const report = await runAllOrders({ nodes: [['whole', 'stream'], ['whole']], ...amounts });
    expect(report.broken).toEqual([]);
    expect(report.orders).toBeGreaterThan(300);
  }
});

test(
  'N1 G48 bugs of what nodes share are found in the orders of three nodes',
  async () => {
    const found = await findPlantedBugs('orders');
    expect(new Set(found.map(({ name }) => name))).toEqual(ofOrders);
    expect(found.filter(({ order }) => order === undefined).map(({ name }) => name)).toEqual([]);
  },
  patienceMs,
);
