/**
 * Runs every order of nodes that spend one balance, with more faults than the tests have, and stores the result:
 *
 *   npm run verify:long -- orders
 */
import { runAllOrders } from '../../server/test/simulator/all-orders.ts';
import { ordersCases } from '../../server/test/simulator/orders-cases.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const before = circumstances();
const started = performance.now();
const broken: string[] = [];
const runs = [
  { nodes: 3, faults: 1 },
  { nodes: 2, faults: 2 },
];
const results: ((typeof runs)[number] & { readonly cases: number; readonly orders: number })[] = [];
for (const { nodes, faults } of runs) {
  const cases = ordersCases({ nodes, faults });
  let orders = 0;
  for (const given of cases) {
    const report = await runAllOrders(given);
    orders += report.orders;
    if (report.broken.length > 0) broken.push(`${JSON.stringify(given)}: ${report.broken.join('; ')}`);
  }
  results.push({ nodes, faults, cases: cases.length, orders });
  console.log(`${nodes} nodes, at most ${faults} faults: ${orders} orders`);
}
keepResult('orders', {
  what: 'orders of what nodes and their database do while the nodes spend one balance, all that there are',
  ...before,
  results,
  seconds: Math.round((performance.now() - started) / 1000),
  broken,
});
for (const line of broken) console.log(line);
process.exitCode = broken.length === 0 ? 0 : 1;
