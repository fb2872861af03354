/** Builds the server into the folder of the argument: `node server/build.ts FOLDER`; `scripts/steps/server-build.mjs` calls it. */
import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const src = join(import.meta.dirname, 'src');

/** Threads are programs of their own. Their names are unique: all files of the build are in one folder. */
const threads = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('-thread.ts'));

const place = '\0place';
/** Where a source is. The folder of the program is searched for: the build is anywhere below it. */
const placeModule = `
  import { existsSync } from 'node:fs';
  let root = new URL('./', import.meta.url);
  while (!existsSync(new URL('server/start.json', root))) {
    if (root.pathname === '/') throw new Error('The build is not in the folder of the program');
    root = new URL('../', root);
  }
  export const placeOf = (path) => new URL(path, root);`;

/** Threads are named beside a module, and are beside the build; data is named beside a module and stays with the sources. */
const named = /new URL\('\.\/([\w-]+-thread)\.ts', import\.meta\.url\)|import\.meta\.(url|dirname)/g;

const places: Plugin = {
  name: 'places',
  resolveId: (id) => (id === place ? id : null),
  load: (id) => (id === place ? placeModule : null),
  transform: {
    filter: { id: /server[\\/]src[\\/].*\.ts$/, code: 'import.meta.' },
    handler: (code, id) => {
      const url = `placeOf('${relative(root, id).replaceAll('\\', '/')}')`;
      const replaced = code.replace(named, (_, thread: string | undefined, member: string) => {
        if (thread !== undefined) return `new URL('./${thread}.mjs', import.meta.url)`;
        return member === 'url' ? `${url}.href` : `fileURLToPath(new URL('.', ${url}))`;
      });
      return `import { fileURLToPath } from 'node:url'; import { placeOf } from '${place}'; ${replaced}`;
    },
  },
};

const build = await rolldown({
  cwd: root,
  input: {
    main: join(src, 'main.ts'),
    ...Object.fromEntries(threads.map((file) => [basename(file, '.ts'), join(src, file)])),
  },
  platform: 'node',
  // It starts threads from files of its own.
  external: ['pino'],
  plugins: [places],
});
await build.write({
  dir: process.argv[2] ?? join(import.meta.dirname, 'dist'),
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  // The name of each source stays, where it begins.
  comments: { jsdoc: false, annotation: false },
});
