/**
 * Loaded into a server before all else (`node --import`): kills its process when it has reached one of `failpoints.ts`
 * for the so-manieth time, as FAILPOINT and FAILPOINT_PASS say; where FAILPOINT_ARMED names a file, since there was one. The
 * sources stay as they are.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failpoints } from './failpoints.ts';

const point = failpoints.find(({ name }) => name === process.env['FAILPOINT']);
if (point === undefined) throw new Error(`there is no failpoint ${process.env['FAILPOINT']}`);
const file = join(import.meta.dirname, '..', '..', 'src', point.file);
const armedBy = process.env['FAILPOINT_ARMED'];
let left = Number(process.env['FAILPOINT_PASS'] ?? 1);

Object.defineProperty(globalThis, 'weirPasses', {
  value: () => {
    if (armedBy !== undefined && !existsSync(armedBy)) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  },
});

registerHooks({
  load: (url, context, next) => {
    if (!url.startsWith('file:') || fileURLToPath(url) !== file) return next(url, context);
    const passes = 'globalThis.weirPasses();\n';
    const source = readFileSync(file, 'utf8').replace(point.text, (text) =>
      point.at === 'before' ? `${passes}${text}` : `${text}${passes}`,
    );
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
