import type { Rollup } from 'vite';

type Graph = Pick<Rollup.PluginContext, 'getModuleInfo'>;

/** The screens whose common pieces travel together. */
const roots = {
  boot: ['src/app/boot.ts'],
  auth: ['src/app/auth-entry.tsx'],
  app: ['src/app/app-entry.tsx'],
  list: [
    'src/features/tokens/list/tokens-screen.tsx',
    'src/features/channels/list/channels-screen.tsx',
    'src/features/logs/logs-screen.tsx',
    'src/features/redemptions/redemptions-screen.tsx',
    'src/features/users/users-screen.tsx',
  ],
  form: [
    'src/features/tokens/form/token-form-screen.tsx',
    'src/features/channels/form/channel-form-screen.tsx',
    'src/features/account/profile-screen.tsx',
    'src/features/redemptions/redemption-form-screen.tsx',
    'src/features/users/user-form-screen.tsx',
  ],
  /** A list of its own kind: of the others it needs the tools, not the table. */
  log: ['src/features/logs/logs-screen.tsx'],
  /** What else has pieces in common with sign-in. */
  seldom: ['src/app/not-found.tsx', 'src/features/account/personal-tab.tsx', 'src/features/auth/oauth-screen.tsx'],
  channels: ['src/features/channels/list/channels-screen.tsx'],
  tokens: ['src/features/tokens/list/tokens-screen.tsx'],
  token: ['src/features/tokens/form/token-form-screen.tsx', 'src/features/tokens/detail/detail-screen.tsx'],
  /** What the log's screen fetches later, or only on phones. */
  record: [
    'src/features/logs/list/phone-logs.tsx',
    'src/features/logs/record/log-drawer.tsx',
    'src/features/logs/list/logs-histogram.tsx',
    'src/features/logs/list/logs-total.tsx',
    'src/features/logs/record/row-entries.ts',
  ],
  /** What has a few pieces in common with all of these. */
  elsewhere: ['src/features/dashboard/dashboard-screen.tsx', 'src/features/audit/audit-screen.tsx'],
  channel: [
    'src/features/channels/health/health-screen.tsx',
    'src/features/channels/list/list-work.ts',
    'src/features/channels/list/test-run-bar.tsx',
    'src/features/channels/form/channel-form-screen.tsx',
  ],
} as const;

type Uses = Readonly<Record<keyof typeof roots, number>>;

const chunks = ['view', 'base', 'field', 'app', 'kit', 'tools', 'list', 'form', 'channels', 'tokens', 'logs'] as const;
type ChunkName = (typeof chunks)[number];

/**
 * The chunk of a module by how many screens of each kind use it; undefined leaves it to the bundler. Left alone, that
 * makes a chunk of every set of screens with something in common: dozens of requests for a few hundred bytes each, and
 * each with a compression dictionary of its own. Sign-in must never load what only the app needs.
 */
const chunkFor = (uses: Uses): ChunkName | undefined => {
  const { boot, auth, app, list, form, log, seldom } = uses;
  const entries = boot + auth + app;
  // Sign-in loads both files, so that it does not matter to it which of them holds what lists need as well.
  if (auth > 0) return entries > 1 || list > 0 ? 'base' : form + seldom > 0 ? 'field' : undefined;
  if (entries > 0) return boot > 0 ? 'base' : 'app';
  if (list > 1) return form > 0 ? 'kit' : log > 0 ? 'tools' : 'list';
  // One screen's list must not wait for everything that forms have in common.
  if (form > 1) return list > 0 ? 'kit' : 'form';
  return familyOf(uses);
};

/** What the screens of one family share. */
const familyOf = ({ channels, channel, tokens, token, log, record, form, elsewhere }: Uses): ChunkName | undefined => {
  if (channels > 0 && channel > 0) return 'channels';
  // A chunk takes along all it imports: what others need as well must lie where they look anyway.
  if (log > 0 && record > 0 && form > 0) return 'kit';
  if (log > 0 && record > 0) return token + elsewhere > 0 ? 'tools' : 'logs';
  return tokens > 0 && token > 0 && elsewhere === 0 ? 'tokens' : undefined;
};

const view = /node_modules\/(?:react|react-dom|scheduler)\/|rolldown\/runtime/;
const catalogue = /\/paraglide\/messages(?:\.js|\/_index\.js)$/;
/** Parts of packages that come in by their index file although only some screens use them. */
const leftAlone = /\/useBlocker\.js$/;

/** The texts a module uses. It imports the whole catalogue; only what it names is left of that. */
const textsOf = (code: string): string[] => [...code.matchAll(/\bm\.(\w+)/g)].map(([, name]) => `/${name}.js`);

/** Everything a module imports statically, itself included; of the catalogue only what is named. */
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

const kinds = Object.keys(roots).filter((name): name is keyof typeof roots => Object.hasOwn(roots, name));
const none: Uses = {
  boot: 0,
  auth: 0,
  app: 0,
  list: 0,
  form: 0,
  log: 0,
  seldom: 0,
  channels: 0,
  channel: 0,
  tokens: 0,
  token: 0,
  record: 0,
  elsewhere: 0,
};

const countUses = (graph: Graph, consoleDir: string): ReadonlyMap<string, Uses> => {
  const uses = new Map<string, Uses>();
  for (const kind of kinds) {
    for (const root of roots[kind]) {
      for (const id of reachable(graph, `${consoleDir}/${root}`)) {
        const before = uses.get(id) ?? none;
        uses.set(id, { ...before, [kind]: before[kind] + 1 });
      }
    }
  }
  return uses;
};

/** The bundler's groups: what an earlier one took, with all it imports, a later one leaves alone. */
export const chunkGroups = (consoleDir: string) => {
  let uses: ReadonlyMap<string, Uses> | undefined;
  const nameOf = (id: string, graph: Graph): ChunkName | undefined => {
    uses ??= countUses(graph, consoleDir);
    if (view.test(id)) return 'view';
    return leftAlone.test(id) ? undefined : chunkFor(uses.get(id) ?? none);
  };
  return chunks.map((name, place) => ({
    debugName: name,
    name: (id: string, graph: Graph) => (nameOf(id, graph) === name ? name : null),
    priority: chunks.length - place,
  }));
};
