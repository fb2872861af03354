import type { Rollup } from 'vite';

type Graph = Pick<Rollup.PluginContext, 'getModuleInfo'>;

/**
 * Which pieces travel together. Left alone, the bundler makes a chunk of every set of screens that share something:
 * dozens of requests for a few hundred bytes each, and each with a compression dictionary of its own. The first
 * group that fits takes a module.
 */
const groups: readonly { readonly name: string; readonly roots: readonly string[]; readonly shared: number }[] = [
  // Both entries need it.
  { name: 'base', roots: ['src/app/boot.ts', 'src/app/auth-entry.tsx', 'src/app/app-entry.tsx'], shared: 2 },
  // Fields: the sign-in screen and the forms of the app.
  { name: 'field', roots: ['src/app/auth-entry.tsx', 'src/features/account/profile-screen.tsx'], shared: 2 },
  { name: 'app', roots: ['src/app/app-entry.tsx'], shared: 1 },
  {
    name: 'list',
    roots: [
      'src/features/tokens/tokens-screen.tsx',
      'src/features/channels/channels-screen.tsx',
      'src/features/logs/logs-screen.tsx',
    ],
    shared: 2,
  },
  {
    name: 'form',
    roots: [
      'src/features/tokens/token-form-screen.tsx',
      'src/features/channels/channel-form-screen.tsx',
      'src/features/account/profile-screen.tsx',
    ],
    shared: 2,
  },
];

const react = /node_modules\/(?:react|react-dom|scheduler)\/|rolldown\/runtime/;

const catalogue = /\/paraglide\/messages(?:\.js|\/_index\.js)$/;

/** The texts a module uses. It imports the whole catalogue; only what it names is left of that. */
const textsOf = (code: string): string[] => [...code.matchAll(/\bm\.(\w+)/g)].map(([, name]) => `/${name}.js`);

/** Everything a module imports statically, itself included; of the catalogue only what is named. */
const reachable = (graph: Graph, root: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(root)) return seen;
  seen.add(root);
  const info = graph.getModuleInfo(root);
  for (const imported of info?.importedIds ?? []) {
    if (!catalogue.test(imported)) reachable(graph, imported, seen);
    else
      for (const text of textsOf(info?.code ?? ''))
        seen.add(imported.replace(/messages(?:\/_index)?\.js$/, 'messages') + text);
  }
  return seen;
};

const assign = (graph: Graph, consoleDir: string): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const { name, roots, shared } of groups) {
    const counts = new Map<string, number>();
    for (const root of roots)
      for (const id of reachable(graph, `${consoleDir}/${root}`)) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const [id, count] of counts)
      if (count >= shared && !names.has(id)) names.set(id, react.test(id) ? 'react' : name);
  }
  return names;
};

/** The bundler's groups: what an earlier one took, a later one leaves alone. */
export const chunkGroups = (consoleDir: string) => {
  let names: ReadonlyMap<string, string> | undefined;
  const nameOf = (id: string, graph: Graph): string | undefined => {
    names ??= assign(graph, consoleDir);
    return names.get(id);
  };
  const inOrder = ['react', ...groups.map(({ name }) => name)];
  return inOrder.map((name, place) => ({
    name: (id: string, graph: Graph) => (nameOf(id, graph) === name ? name : null),
    priority: inOrder.length - place,
  }));
};
