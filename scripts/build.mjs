// `npm run build`: the files of the console and of the server, unless they are fresh.
import { ensureConsole } from './steps/console-build.mjs';
import { ensurePackages } from './steps/packages.mjs';
import { ensureServer } from './steps/server-build.mjs';
import { runMain } from './steps/stop.mjs';

await runMain(async () => {
  await ensurePackages();
  await ensureConsole();
  await ensureServer();
  return 0;
});
