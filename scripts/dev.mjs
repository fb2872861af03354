// `npm run dev`: the server, restarted when its files change, and the console from source in front of it.
import { join } from 'node:path';
import { nodeStart } from './steps/node-start.mjs';
import { ensurePackages, nodePath } from './steps/packages.mjs';
import { root } from './steps/root.mjs';
import { run } from './steps/run.mjs';
import { runMain } from './steps/stop.mjs';

const watched = ['server/src', 'contract/src'].map((folder) => `--watch-path=${folder}`);
/** Otherwise Node reports loaded modules as messages of the worker threads, which their listeners do not expect. */
const quietThreads = ['--import', 'data:text/javascript,delete process.env.WATCH_REPORT_DEPENDENCIES'];

await runMain(async () => {
  await ensurePackages();
  const gateway = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { flags, env } = nodeStart();
  const codes = await Promise.all([
    run(nodePath(), [...watched, '--watch-preserve-output', ...quietThreads, ...flags, 'server/src/main.ts'], {
      env: { ...env, DRAIN_SECONDS: '0' },
    }),
    run(nodePath(), [vite, '--configLoader', 'native'], { cwd: join(root, 'console'), env: { WEIR_GATEWAY: gateway } }),
  ]);
  return Math.max(...codes);
});
