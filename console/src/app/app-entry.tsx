import { QueryClientProvider } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Toaster } from '../components/overlay/toaster.tsx';
import { watchTips } from '../components/overlay/tips.ts';
import { createQueryClient } from '../lib/api/query-client.ts';
import { selfQuery } from '../lib/api/self.ts';
import { currentUser, followOtherTabs, storeUser } from '../lib/api/session.ts';
import { isFirstVisit, loadStatus, statusKnown, whenShownAgain } from '../lib/api/status.ts';
import { whenIdle } from '../lib/browser/when-idle.ts';
import { pause } from '../lib/pause.ts';
import { startNavigation } from '../lib/router/navigate.ts';
import { showCarriedToast } from '../lib/toasts.ts';
import { followLinks } from './follow-links.ts';
import { prefetchScreen, prepareScreen } from './load-screen.ts';
import { AppRouter } from './router.tsx';
import { cleanSearch } from './screen-at.ts';
import { listenForShortcuts } from './shortcuts.ts';

const statusWaitMs = 300;
/** Data of the head script's requests that has arrived is read in less; the screen does not wait for the network. */
const dataWaitMs = 20;
const freshMs = 60_000;

/** Brings the stored account up to date: its role may have changed since it signed in. */
const refreshUser = async (client: QueryClient): Promise<void> => {
  const user = currentUser();
  if (user === undefined) return;
  const { role, status, username, display_name } = await client.query({ ...selfQuery, staleTime: freshMs });
  const fresh = { ...user, role, status, username, display_name };
  if (JSON.stringify(fresh) !== JSON.stringify(user)) storeUser(fresh);
};

/** Looks for another role and another version of the gateway, now and when the page is shown again. */
const stayCurrent = (client: QueryClient): void => {
  const refresh = (): void => void refreshUser(client).catch(() => undefined);
  whenIdle(refresh);
  whenShownAgain(() => {
    void loadStatus({ quiet: true });
    refresh();
  });
};

/** Shows the console. Evaluating the scripts and rendering are separate tasks, so that neither blocks for long. */
export const mountApp = async (container: HTMLElement): Promise<void> => {
  void loadStatus();
  const screen = startNavigation({ cleanSearch, load: prepareScreen });
  await pause();
  // The status decides what to render; it was requested before the scripts.
  if (isFirstVisit) await Promise.race([statusKnown.promise, pause(statusWaitMs)]);
  await screen;
  const client = createQueryClient();
  await Promise.race([prefetchScreen(location.pathname, client), pause(dataWaitMs)]);
  const app = (
    <QueryClientProvider client={client}>
      <AppRouter />
      <Toaster />
    </QueryClientProvider>
  );
  // As a transition React renders in slices of a few milliseconds and lets the page react between them.
  const root = createRoot(container);
  startTransition(() => root.render(app));
  followLinks();
  listenForShortcuts();
  watchTips();
  showCarriedToast();
  stayCurrent(client);
  followOtherTabs();
};
