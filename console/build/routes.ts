/** A row of the head script's table; the first row whose pattern matches the address applies. */
export interface HeadRoute {
  readonly pattern: string;
  /** Visitors without a session see the sign-in instead. */
  readonly guarded: boolean;
  /** Part of the entry of the screens before sign-in. */
  readonly auth: boolean;
  /** Modules whose chunks it preloads, relative to the console folder. */
  readonly modules: readonly string[];
  /** Modules that only phones show immediately. */
  readonly phoneModules: readonly string[];
  /** Requests to send immediately, separated by spaces; a leading plus: only to servers that report their build. */
  readonly request: string;
  readonly adminRequest: string;
}

const app = 'src/app/app-entry.tsx';
const auth = 'src/app/auth-entry.tsx';

/** The module that a function of a screen table imports, relative to the console folder. */
const moduleOf = (load: () => unknown): string => {
  const specifier = /import\(["'](.+?)["']\)/.exec(load.toString())?.[1];
  if (specifier === undefined) throw new Error(`no import in ${load.toString()}`);
  return new URL(specifier, 'file:///src/app/').pathname.slice(1);
};

const none = { guarded: false, auth: false, phoneModules: [], request: '', adminRequest: '' } as const;

/**
 * The head script's table, derived from the two screen tables. They are imported late: the texts they name exist only
 * after the message plugin has run.
 */
export const readHeadRoutes = async (): Promise<readonly HeadRoute[]> => {
  const { screens } = await import('../src/app/screens.ts');
  const { patternOf } = await import('../src/app/screen-at.ts');
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
