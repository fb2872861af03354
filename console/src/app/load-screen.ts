import type { QueryClient } from '@tanstack/react-query';
import { hasCapabilities } from '../lib/api/capabilities.ts';
import { isOffline } from '../lib/api/offline.ts';
import { mayI } from '../lib/api/session.ts';
import { currentStatus, statusKnown } from '../lib/api/status.ts';
import { tabMemory } from '../lib/browser/storage.ts';
import type { ScreenComponent } from '../lib/router/screen-component.ts';
import { screenAt } from './screen-at.ts';
import type { Screen } from './screen.ts';
import { screens } from './screens.ts';

const loaded = new Map<Screen['load'], ScreenComponent>();

/** The component of a screen, if its code is loaded. */
export const loadedScreen = ({ load }: Screen): ScreenComponent | undefined => loaded.get(load);

export const loadScreen = async ({ load }: Screen): Promise<void> => {
  loaded.set(load, await load());
};

/** After an update the files of a page that was opened before no longer exist: one reload fetches the current ones. */
export const reloadOnce = (error: Error): boolean => {
  const key = `reload:${error.message}`;
  if (isOffline() || tabMemory.read(key) !== undefined) return false;
  tabMemory.write(key, true);
  location.reload();
  return true;
};

/** Whether this server supports a screen beyond the specification; waits for the status on a first visit. */
const waitForStatus = ({ optional }: Screen): Promise<void> | undefined =>
  optional && !hasCapabilities(currentStatus()) ? statusKnown.promise : undefined;

/** Loads the code that the screen of a path needs; undefined: nothing to load, or the user has no access. */
export const prepareScreen = (path: string): Promise<unknown> | undefined => {
  const screen = screenAt(path);
  if (screen === undefined || !mayI(screen.access)) return undefined;
  const list = screens.find(({ path: at }) => at === screen.over);
  const waits = [screen, ...(list ? [list] : [])]
    .filter((each) => loadedScreen(each) === undefined)
    .map((each) => loadScreen(each));
  const status = waitForStatus(screen);
  if (status !== undefined) waits.push(status);
  return waits.length > 0 ? Promise.all(waits) : undefined;
};

/** Requests the first data of the screen of a path, if its code is loaded. The screen shows failures. */
export const prefetchScreen = async (path: string, client: QueryClient): Promise<void> => {
  const screen = screenAt(path);
  if (screen === undefined || (screen.optional && !hasCapabilities(currentStatus()))) return;
  await loadedScreen(screen)
    ?.prefetch?.(client)
    ?.catch(() => undefined);
};
