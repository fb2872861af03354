// `npm start`: installs packages and builds the console if needed, then runs the server until it ends.
import { ensureConsole } from './console-build.mjs';
import { nodeStart } from './node-start.mjs';
import { ensurePackages, nodePath } from './packages.mjs';
import { run } from './run.mjs';
import { runMain } from './stop.mjs';

await runMain(async () => {
  await ensurePackages();
  await ensureConsole({ packing: 'quick' });
  const { flags, env } = nodeStart();
  return run(nodePath(), [...flags, 'server/src/main.ts'], { env });
});
