// `npm run verify:long [rounds]`: the long loops, on SQLite and on PostgreSQL; about two seconds a round of kills.
import { ensurePackages, nodePath } from './packages.mjs';
import { startPostgres } from './postgres.mjs';
import { run } from './run.mjs';
import { runMain } from './stop.mjs';

const rounds = process.argv[2] ?? '300';

await runMain(async () => {
  await ensurePackages();
  const postgres = await startPostgres();
  try {
    const codes = [];
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
