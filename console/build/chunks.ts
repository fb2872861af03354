import type { Rollup } from 'vite';

type Graph = Pick<Rollup.PluginContext, 'getModuleInfo'>;

const view = /node_modules\/(?:react|react-dom|scheduler)\/|rolldown\/runtime/;
const catalogue = /\/paraglide\/messages(?:\.js|\/_index\.js)$/;

/** The message texts that a module uses. It imports the whole catalogue; the bundler keeps only the texts it names. */
const textsOf = (code: string): string[] => [...code.matchAll(/\bm\.(\w+)/g)].map(([, name]) => `/${name}.js`);

/** Every module that a module imports statically, including the module; of the catalogue only the texts it names. */
const reachable = (graph: Graph, root: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(root)) return seen;
  seen.add(root);
  const info = graph.getModuleInfo(root);
  for (const imported of info?.importedIds ?? []) {
    if (!catalogue.test(imported)) {
      reachable(graph, imported, seen);
      continue;
    }
    const folder = imported.replace(/messages(?:\/_index)?\.js$/, 'messages');
    for (const text of textsOf(info?.code ?? '')) seen.add(folder + text);
  }
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

/** The screens that need a module, by module. */
type Screens = ReadonlySet<string>;

/** Modules that are bundled together. */
interface Bundle {
  readonly screens: Screens;
  readonly modules: readonly string[];
  /** Bytes of source. */
  readonly size: number;
}

/**
 * How much a byte for a screen counts. Lists, named in the plural, are opened first; forms and details from them, when
 * most of their code is there.
 */
const weightOf = (screen: string): number => (screen.endsWith('s-screen.tsx') ? 20 : 1);

/** Weights of the screens in one set that are not in another, added up. */
const weighMissing = (some: Screens, others: Screens): number =>
  [...some].reduce((sum, id) => sum + (others.has(id) ? 0 : weightOf(id)), 0);

/** Weighted bytes that screens would load unnecessarily if two bundles were merged. */
const waste = (one: Bundle, other: Bundle): number =>
  weighMissing(other.screens, one.screens) * one.size + weighMissing(one.screens, other.screens) * other.size;

const join = (one: Bundle, other: Bundle): Bundle => ({
  screens: new Set([...one.screens, ...other.screens]),
  modules: [...one.modules, ...other.modules],
  size: one.size + other.size,
});

/** Merges the two bundles with the lowest cost until at most `max` are left. */
const joinUntil = (bundles: readonly Bundle[], max: number): readonly Bundle[] => {
  let left = [...bundles];
  while (left.length > max) {
    const pairs = left.flatMap((one, index) => left.slice(index + 1).map((other) => ({ one, other })));
    const cheapest = pairs.reduce((best, pair) =>
      waste(pair.one, pair.other) < waste(best.one, best.other) ? pair : best,
    );
    const { one, other } = cheapest;
    left = [...left.filter((bundle) => bundle !== one && bundle !== other), join(one, other)];
  }
  return left.toSorted((one, other) => other.screens.size - one.screens.size);
};

/** With fewer, a list page loads too much that only other screens need; each further one is a request more. */
const sharedMax = 40;

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
  const bundles = new Map<string, Bundle>();
  for (const [id, users] of uses) {
    const chunk = entryChunk(id, users, entries);
    const needing = new Set(screens.filter((screen) => users.has(screen)));
    if (chunk !== undefined) chunkNames.set(id, chunk);
    else if (needing.size > 1) {
      const key = [...needing].join();
      const alone = { screens: needing, modules: [id], size: graph.getModuleInfo(id)?.code?.length ?? 0 };
      const others = bundles.get(key);
      bundles.set(key, others ? join(others, alone) : alone);
    }
  }
  for (const [index, { modules }] of joinUntil([...bundles.values()], sharedMax).entries())
    for (const id of modules) chunkNames.set(id, `shared${index}`);
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
