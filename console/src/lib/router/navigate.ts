import { pause } from '../pause.ts';
import { createStore, useStorePart } from '../store.ts';

/** An address of the console. */
export interface Address {
  readonly path: string;
  /** With its question mark; empty: none. */
  readonly search: string;
}

/** The screen data that the navigation needs. */
export interface Routes {
  /** Removes the search parameters that the screen of a path does not read. */
  readonly cleanSearch: (path: string, search: string) => string;
  /** Loads the code of the screen of a path; undefined: already loaded. */
  readonly load: (path: string) => Promise<unknown> | undefined;
}

interface NavigateOptions {
  readonly replace?: boolean;
  /** Keeps the search parameters of the current address. */
  readonly keepSearch?: boolean;
  readonly keepScroll?: boolean;
  /** Skips the leave guards: the guarded values are saved. */
  readonly ignoreGuards?: boolean;
}

/** Resolves to whether the page may be left. */
type LeaveGuard = () => Promise<boolean>;

/** Milliseconds that the old screen stays while the code of the next one loads. */
export const pendingMs = 150;

const current = (): Address => ({ path: location.pathname, search: location.search });
const hrefOf = ({ path, search }: Address): string => path + search;

/** The address of the screen on display: the browser's, once the code of the screen has loaded or takes too long. */
export const shownAddress = createStore(current());
export const useShownPath = (): string => useStorePart(shownAddress, ({ path }) => path);

const guards = new Set<LeaveGuard>();
let routes: Routes = { cleanSearch: (_, search) => search, load: () => undefined };
let latest = 0;
/** Index of the current entry in the session history, stored in its state. */
let index = 0;

/** Calls `guard` before another path is shown; returns a function that removes it. */
export const guardLeaving = (guard: LeaveGuard): (() => void) => {
  guards.add(guard);
  return () => guards.delete(guard);
};

const mayLeaveFor = async (path: string): Promise<boolean> => {
  if (path === shownAddress.get().path) return true;
  for (const guard of guards) if (!(await guard())) return false;
  return true;
};

const show = async (next: Address): Promise<void> => {
  latest += 1;
  const own = latest;
  const code = routes.load(next.path)?.catch(() => undefined);
  if (code !== undefined) await Promise.race([code, pause(pendingMs)]);
  // Another navigation may have begun meanwhile.
  if (own === latest) shownAddress.set(next);
};

/** Goes to an address of the console; resolves when its screen is shown, or at once if a guard keeps the page. */
export const navigate = async (to: string, options: NavigateOptions = {}): Promise<void> => {
  const { pathname: path, search: ownSearch } = new URL(to, location.href);
  const next = { path, search: routes.cleanSearch(path, options.keepSearch ? location.search : ownSearch) };
  if (guards.size > 0 && !options.ignoreGuards && !(await mayLeaveFor(path))) return;
  if (options.replace) history.replaceState({ index }, '', hrefOf(next));
  else if (hrefOf(next) !== hrefOf(current())) {
    index += 1;
    history.pushState({ index }, '', hrefOf(next));
  }
  await show(next);
  if (!options.keepScroll) scrollTo(0, 0);
};

const indexOf = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'index' in state ? Number(state.index) : undefined;

/** How to handle the next `popstate` event, which this module causes. */
let expected: 'ignore' | 'follow' | undefined;

const follow = async (to: number): Promise<void> => {
  index = to;
  await show(current());
};

/** Back and forward. The browser has already moved: with a guard it first returns, and moves again once allowed. */
const onPop = async (event: PopStateEvent): Promise<void> => {
  const to = indexOf(event.state);
  const how = expected;
  expected = undefined;
  if (how === 'ignore') return;
  if (to === undefined) {
    // The entry comes from a link with a fragment.
    history.replaceState({ index: index + 1 }, '');
    await follow(index + 1);
    return;
  }
  const { path } = current();
  if (how === 'follow' || to === index || guards.size === 0 || path === shownAddress.get().path) {
    await follow(to);
    return;
  }
  const steps = to - index;
  expected = 'ignore';
  history.go(-steps);
  if (!(await mayLeaveFor(path))) return;
  expected = 'follow';
  history.go(steps);
};

/** Starts following the browser's address; resolves when the code of the first screen has loaded, or takes too long. */
export const startNavigation = async (known: Routes): Promise<void> => {
  routes = known;
  index = indexOf(history.state) ?? 0;
  const { path, search } = current();
  const first = { path, search: known.cleanSearch(path, search) };
  history.replaceState({ index }, '', hrefOf(first) + location.hash);
  addEventListener('popstate', (event) => void onPop(event));
  await show(first);
};
