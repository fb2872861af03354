/**
 * Cuts answers at many positions, by their client and by their upstream, plain and as streams, on the database of
 * TEST_DATABASE, and stores the result in `bench/results/`.
 *
 *   npm run verify:long -- cuts [positions]
 */
import { playCutRound, type CutReport } from '../../server/test/faults/cut-round.ts';
import { testDatabaseKind } from '../../server/test/database/database.ts';
import { buildRelayApp } from '../../server/test/app/relay-app.ts';
import { circumstances, keepResult } from '../circumstances.ts';

const cutCount = Number(process.argv[2] ?? 500);
const before = circumstances();
const started = performance.now();
const relay = await buildRelayApp();
await relay.addChannel();
const rounds: CutReport[] = [];
for (const by of ['client', 'upstream'] as const) {
  for (const stream of [false, true]) rounds.push(await playCutRound(relay, { by, stream, offsets: cutCount }));
}
const disagreements = await relay.disagreements();
await relay.close();
keepResult(`cuts-${testDatabaseKind}`, {
  what: 'answers cut by their client, or by their upstream, at many positions',
  database: testDatabaseKind,
  ...before,
  seconds: Math.round((performance.now() - started) / 1000),
  rounds,
  disagreements,
});
console.log(`${testDatabaseKind}: ${rounds.length * cutCount} cuts, ${disagreements.length} disagreements`);
for (const disagreement of disagreements) console.log(disagreement);
process.exitCode = disagreements.length === 0 ? 0 : 1;
