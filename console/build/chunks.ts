import type { Rollup } from 'vite';
import { joinPieces } from './join-pieces.ts';
import type { Piece } from './join-pieces.ts';

type Graph = Pick<Rollup.PluginContext, 'getModuleInfo'>;

const view = /node_modules\/(?:react|react-dom|scheduler)\/|rolldown\/runtime/;
const catalogue = /\/paraglide\/messages(?:\.js|\/_index\.js)$/;

/** The message texts that a module uses. It imports the whole catalogue; the bundler keeps only the texts it names. */
const textsOf = (code: string): string[] => [...code.matchAll(/\bm\.(\w+)/g)].map(([, name]) => `/${name}.js`);

/** The modules that a module imports statically; of the catalogue only the texts it names. */
const importsOf = (graph: Graph, id: string): readonly string[] => {
  const info = graph.getModuleInfo(id);
  return (info?.importedIds ?? []).flatMap((imported) => {
    if (!catalogue.test(imported)) return [imported];
    const folder = imported.replace(/messages(?:\/_index)?\.js$/, 'messages');
    return textsOf(info?.code ?? '').map((text) => folder + text);
  });
};

/** Every module that a module imports directly or by others, and the module itself. */
const reachable = (graph: Graph, root: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(root)) return seen;
  seen.add(root);
  for (const imported of importsOf(graph, root)) reachable(graph, imported, seen);
  return seen;
};

/** The modules reachable from each dynamically imported module, in the order of discovery. */
const dynamicRoots = (graph: Graph, entry: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const roots = new Map<string, ReadonlySet<string>>([[entry, reachable(graph, entry)]]);
  // The map grows during the loop: a set found late can import further modules.
  for (const modules of roots.values()) {
    const imported = [...modules].flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []);
    for (const id of imported) if (!roots.has(id)) roots.set(id, reachable(graph, id));
  }
  return roots;
};

/**
 * How much a byte for a screen counts. Lists, named in the plural, are opened first; forms and details from them, when
 * most of their code is there.
 */
const weightOf = (screen: string): number => (screen.endsWith('s-screen.tsx') ? 20 : 1);

/** With fewer, a list page loads too much that only other screens need; each further one is a request more. */
const sharedMax = 36;

interface Entries {
  readonly boot: ReadonlySet<string>;
  readonly auth: ReadonlySet<string>;
  readonly app: ReadonlySet<string>;
}

/** The chunk of a module that an entry needs. Modules that only the sign-in needs stay in its chunk. */
const entryChunk = (id: string, users: ReadonlySet<string>, { boot, auth, app }: Entries): string | undefined => {
  if (boot.has(id) || (auth.has(id) && users.size > 1)) return 'base';
  return app.has(id) && !auth.has(id) ? 'app' : undefined;
};

/** The chunk of each module that several parts of the console need; the bundler assigns the others. */
const assignChunks = (graph: Graph, consoleDir: string): ReadonlyMap<string, string> => {
  const app = `${consoleDir}/src/app`;
  const roots = dynamicRoots(graph, `${app}/boot.ts`);
  const reachedBy = (module: string): ReadonlySet<string> => roots.get(`${app}/${module}`) ?? new Set();
  const entries = { boot: reachedBy('boot.ts'), auth: reachedBy('auth-entry.tsx'), app: reachedBy('app-entry.tsx') };
  const uses = new Map<string, Set<string>>();
  for (const [root, modules] of roots)
    for (const id of modules) uses.set(id, (uses.get(id) ?? new Set<string>()).add(root));

  const tables = ['screens.ts', 'more-screens.ts', 'auth-screens.ts'];
  const screens = tables.flatMap((name) => graph.getModuleInfo(`${app}/${name}`)?.dynamicallyImportedIds ?? []);
  const chunkNames = new Map<string, string>();
  const pieces = new Map<string, Piece & { readonly modules: string[] }>();
  for (const [id, users] of uses) {
    const chunk = entryChunk(id, users, entries);
    const needing = new Set(screens.filter((screen) => users.has(screen)));
    if (chunk !== undefined) chunkNames.set(id, chunk);
    else if (needing.size > 1) {
      const key = [...needing].join();
      const piece = pieces.get(key);
      if (piece) piece.modules.push(id);
      else pieces.set(key, { screens: needing, modules: [id] });
    }
  }
  const joined = joinPieces([...pieces.values()], {
    max: sharedMax,
    weightOf,
    sizeOf: (id) => graph.getModuleInfo(id)?.code?.length ?? 0,
    importsOf: (id) => importsOf(graph, id),
  });
  for (const [index, modules] of joined.entries()) for (const id of modules) chunkNames.set(id, `shared${index}`);
  return chunkNames;
};

const chunks = ['view', 'base', 'app', ...Array.from({ length: sharedMax }, (_, index) => `shared${index}`)];

/**
 * The bundler's groups. A later group skips the modules that an earlier one took, with their imports. The sign-in never
 * loads what only the app needs. By default the bundler makes a chunk for every set of screens with modules in common:
 * dozens of requests for a few hundred bytes each, and each with its own compression dictionary.
 */
export const chunkGroups = (consoleDir: string) => {
  let chunkNames: ReadonlyMap<string, string> | undefined;
  const nameOf = (id: string, graph: Graph): string | undefined => {
    chunkNames ??= assignChunks(graph, consoleDir);
    return view.test(id) ? 'view' : chunkNames.get(id);
  };
  return chunks.map((name, index) => ({
    debugName: name,
    name: (id: string, graph: Graph) => (nameOf(id, graph) === name ? name : null),
    priority: chunks.length - index,
  }));
};
