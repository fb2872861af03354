// `npm start`: installs packages and builds console and server if needed, then runs the server until it ends.
import { ensureConsole } from './console-build.mjs';
import { nodeStart } from './node-start.mjs';
import { ensurePackages, nodePath } from './packages.mjs';
import { run } from './run.mjs';
import { ensureServer, serverEntry } from './server-build.mjs';
import { runMain } from './stop.mjs';

await runMain(async () => {
  await ensurePackages();
  await ensureConsole({ packing: 'quick' });
  await ensureServer();
  const { flags, env } = nodeStart();
  return run(nodePath(), [...flags, serverEntry], { env });
});
