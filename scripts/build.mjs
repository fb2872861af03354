// `npm run build`: the files of the console and of the server, unless they are fresh.
import { ensureConsole } from './console-build.mjs';
import { ensurePackages } from './packages.mjs';
import { ensureServer } from './server-build.mjs';
import { runMain } from './stop.mjs';

await runMain(async () => {
  await ensurePackages();
  await ensureConsole();
  await ensureServer();
  return 0;
});
