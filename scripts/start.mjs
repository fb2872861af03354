// `npm start`: installs packages and builds console and server if needed, then runs the server until it ends.
import { ensureConsole } from './steps/console-build.mjs';
import { nodeStart } from './steps/node-start.mjs';
import { ensurePackages, nodePath } from './steps/packages.mjs';
import { run } from './steps/run.mjs';
import { ensureServer, serverEntry } from './steps/server-build.mjs';
import { runMain } from './steps/stop.mjs';

await runMain(async () => {
  await ensurePackages();
  await ensureConsole({ packing: 'quick' });
  await ensureServer();
  const { flags, env } = nodeStart();
  return run(nodePath(), [...flags, serverEntry], { env });
});
