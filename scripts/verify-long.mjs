// `npm run verify:long [-- NAME [arguments]]`: the long loops, or one of them. Each keeps its result in `bench/results/`.
// Checks with a database run on SQLite and on PostgreSQL; all together take some hours.
import { ensureChromium } from './steps/chromium.mjs';
import { ensureConsole } from './steps/console-build.mjs';
import { ensurePackages, nodePath } from './steps/packages.mjs';
import { startPostgres } from './steps/postgres.mjs';
import { run } from './steps/run.mjs';
import { runMain } from './steps/stop.mjs';

/** Checks without a database. */
const pure = ['oracles', 'simulation', 'orders'];
/** With the databases at hand, and once for both. */
const onBoth = ['mutants'];
/** Of several nodes, which share a PostgreSQL. */
const onPostgres = ['spending-over-nodes'];
const onDatabases = ['kill-loop', 'failpoints', 'cuts', 'spending', 'redeem-races', 'database-faults', 'attacks'];
const [chosen, ...rest] = process.argv.slice(2);
/** @param {string} name */
const isChosen = (name) => chosen === undefined || chosen === name;

/** Browser tests of every page: in every state, and at every width with little, ordinary and extreme data. */
const walks = { axe: 'accessibility', sizes: 'sizes' };

const walkScreens = async () => {
  const specs = Object.entries(walks).flatMap(([name, spec]) => (isChosen(name) ? [spec] : []));
  const chromium = await ensureChromium();
  await ensureConsole();
  const env = chromium === undefined ? {} : { CHROMIUM_PATH: chromium };
  return run(nodePath(), ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/long', ...specs], { env });
};

await runMain(async () => {
  const names = [...pure, ...onBoth, ...onPostgres, ...onDatabases, ...Object.keys(walks)];
  if (!names.some(isChosen)) {
    console.error(`Unknown check ${chosen}. Choose one of ${names.join(', ')}`);
    return 1;
  }
  await ensurePackages();
  if (chosen !== undefined && chosen in walks) return walkScreens();
  const postgres = await startPostgres();
  try {
    const codes = [0];
    for (const name of pure.filter(isChosen)) codes.push(await run(nodePath(), [`bench/long/${name}.ts`, ...rest]));
    for (const name of onBoth.filter(isChosen)) {
      const env = { TEST_POSTGRES_URL: postgres.url };
      codes.push(await run(nodePath(), [`bench/long/${name}.ts`, ...rest], { env }));
    }
    for (const name of [...onPostgres, ...onDatabases].filter(isChosen)) {
      for (const kind of onPostgres.includes(name) ? ['postgres'] : ['sqlite', 'postgres']) {
        const env = { TEST_DATABASE: kind, TEST_POSTGRES_URL: postgres.url };
        codes.push(await run(nodePath(), [`bench/long/${name}.ts`, ...rest], { env }));
      }
    }
    if (chosen === undefined) codes.push(await walkScreens());
    return Math.max(...codes);
  } finally {
    await postgres.stop();
  }
});
