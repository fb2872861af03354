/** A row of the head script's table; the first whose pattern fits the address counts. */
export interface HeadRoute {
  readonly pattern: string;
  /** Visitors without a session see the sign-in instead. */
  readonly guarded: boolean;
  /** Belongs to the entry of the screens before sign-in. */
  readonly auth: boolean;
  /** Modules whose chunks it preloads, from the folder of the console. */
  readonly modules: readonly string[];
  /** Those that only phones show at once. */
  readonly phoneModules: readonly string[];
  /** Requests to send at once, separated by a space; a plus in front: only to servers that report their build. */
  readonly request: string;
  readonly adminRequest: string;
}

const app = 'src/app/app-entry.tsx';
const auth = 'src/app/auth-entry.tsx';

/** The module that a function of a screen table imports, from the folder of the console. */
const moduleOf = (load: () => unknown): string => {
  const specifier = /import\(["'](.+?)["']\)/.exec(load.toString())?.[1];
  if (specifier === undefined) throw new Error(`no import in ${load.toString()}`);
  return new URL(specifier, 'file:///src/app/').pathname.slice(1);
};

const none = { guarded: false, auth: false, phoneModules: [], request: '', adminRequest: '' } as const;

/**
 * The head script's table, derived from the two screen tables. They are imported only now: the texts they name exist once
 * the message plugin has run.
 */
export const readHeadRoutes = async (): Promise<readonly HeadRoute[]> => {
  const { patternOf, screens } = await import('../src/app/screens.ts');
  const { authScreens } = await import('../src/app/auth-screens.ts');
  const before = Object.entries({ '/login': undefined, ...authScreens }).map(([path, load]): HeadRoute => ({
    ...none,
    pattern: patternOf([path]).source,
    auth: true,
    modules: [auth, ...(load ? [moduleOf(load)] : [])],
  }));
  const behind = screens.map(({ path, access, over, early, load, loadOnPhone }): HeadRoute => {
    const list = screens.find((screen) => screen.path === over);
    const request = early?.user ?? '';
    return {
      pattern: patternOf([path]).source.replaceAll(/\(\?<\w+>/g, '(?:'),
      guarded: access !== 'public',
      auth: false,
      modules: [app, ...(list ? [moduleOf(list.load)] : []), moduleOf(load)],
      phoneModules: loadOnPhone ? [moduleOf(loadOnPhone)] : [],
      request,
      adminRequest: early?.admin ?? request,
    };
  });
  return [...before, ...behind, { ...none, pattern: '', modules: [app] }];
};
