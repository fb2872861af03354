// `npm run verify:long [kills] [seeds]`: the long loops. A kill takes about two seconds and happens on both databases; a
// million seeds of the simulation take about half an hour of one core.
import { ensurePackages, nodePath } from './packages.mjs';
import { startPostgres } from './postgres.mjs';
import { run } from './run.mjs';
import { runMain } from './stop.mjs';

const [rounds = '300', seeds = '1000000'] = process.argv.slice(2);

await runMain(async () => {
  await ensurePackages();
  const postgres = await startPostgres();
  try {
    const codes = [await run(nodePath(), ['bench/oracles.ts']), await run(nodePath(), ['bench/simulation.ts', seeds])];
    for (const kind of ['sqlite', 'postgres']) {
      const env = { TEST_DATABASE: kind, TEST_POSTGRES_URL: postgres.url };
      codes.push(await run(nodePath(), ['bench/kill-loop.ts', rounds], { env }));
      codes.push(await run(nodePath(), ['bench/redeem-races.ts'], { env }));
    }
    return Math.max(...codes);
  } finally {
    await postgres.stop();
  }
});
