/**
 * 1,000 concurrent calls compete for a balance that covers ten, many times, on the database of TEST_DATABASE: plain answers
 * and streams, paid by an account and by a token in turn. The result is stored in `bench/results/`.
 *
 *   npm run verify:long -- spending [rounds] [seconds at most]
 */
import { testDatabaseKind } from '../../server/test/database/database.ts';
import { buildRelayApp } from '../../server/test/app/relay-app.ts';
import { playSpendingRound, type SpendingRound } from '../../server/test/faults/spending-round.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const [rounds = 200, secondsMax = Infinity] = process.argv.slice(2).map(Number);
const forms: readonly Pick<SpendingRound, 'stream' | 'payer'>[] = [
  { stream: false, payer: 'account' },
  { stream: true, payer: 'account' },
  { stream: false, payer: 'token' },
  { stream: true, payer: 'token' },
];
const before = circumstances();
const started = performance.now();
const relay = await buildRelayApp();
await relay.addChannel();
const faults: string[] = [];
let played = 0;
for (; played < rounds && performance.now() - started < secondsMax * 1000; played += 1) {
  const form = forms[played % forms.length];
  if (form === undefined) break;
  const found = await playSpendingRound(relay, { ...form, parallel: 1000, covered: 10 });
  faults.push(...found.map((fault) => `round ${played}, ${JSON.stringify(form)}: ${fault}`));
}
const disagreements = [...faults, ...(await relay.disagreements())];
await relay.close();
keepResult(`spending-${testDatabaseKind}`, {
  what: '1,000 calls at once on a balance that covers ten of them',
  database: testDatabaseKind,
  ...before,
  seconds: Math.round((performance.now() - started) / 1000),
  rounds: played,
  calls: played * 1000,
  served: played * 10,
  disagreements,
});
console.log(`${testDatabaseKind}: ${played} rounds, ${disagreements.length} disagreements`);
for (const disagreement of disagreements) console.log(disagreement);
process.exitCode = disagreements.length === 0 ? 0 : 1;
