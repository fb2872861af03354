// `npm run check`: format, lint, types, unused code, and the speed of a call.
import { runChecks } from './checks/checks.mjs';
import { ensureConsole } from './steps/console-build.mjs';
import { ensurePackages } from './steps/packages.mjs';
import { runMain } from './steps/stop.mjs';

await runMain(async () => {
  await ensurePackages();
  // The build makes the message functions that the console's types come from.
  await ensureConsole();
  const results = await runChecks();
  return results.some(({ failed }) => failed > 0) ? 1 : 0;
});
