import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { testDatabaseKind } from '../database/database.ts';
import { parseObject } from '../parsing/json.ts';
import { runAllOrders } from './all-orders.ts';
import { runAllChoices } from './choices.ts';
import { mutants, ofOrders } from './mutants.ts';
import { ordersCases } from './orders-cases.ts';

/** No database is needed: each of the two suites takes its half. */
const half = testDatabaseKind === 'sqlite' ? 0 : 1;
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
    for (const given of cases.filter((_, index) => index % 2 === half)) {
      const report = await runAllOrders(given);
      expect(report.broken, JSON.stringify(given)).toEqual([]);
      orders += report.orders;
    }
    expect(orders).toBeGreaterThan(20_000);
  },
  patienceMs,
);

test(
  'N1 G48 bugs of what nodes share are found in the orders of three nodes',
  async () => {
    const script = join(import.meta.dirname, 'find-planted-bugs.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, 'orders', String(half)]);
    const found = stdout.trim().split('\n').map(parseObject);
    const wanted = mutants.filter(({ name }, index) => index % 2 === half && ofOrders.has(name));
    expect(wanted.length).toBeGreaterThan(2);
    expect(found.map(({ name }) => name)).toEqual(wanted.map(({ name }) => name));
    expect(found.filter(({ order }) => order === undefined).map(({ name }) => name)).toEqual([]);
  },
  patienceMs,
);
