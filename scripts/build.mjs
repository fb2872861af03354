// `npm run build`: the console's files, unless they are fresh.
import { ensureConsole } from './console-build.mjs';
import { ensurePackages } from './packages.mjs';
import { runMain } from './stop.mjs';

await runMain(async () => {
  await ensurePackages();
  await ensureConsole();
  return 0;
});
