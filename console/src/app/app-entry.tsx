import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { Toaster } from '../components/overlay/toaster.tsx';
import { watchTips } from '../components/overlay/tips.ts';
import { pause } from '../lib/pause.ts';
import { createQueryClient } from '../lib/api/query-client.ts';
import { isFirstVisit, loadStatus, statusKnown } from '../lib/api/status.ts';
import { showCarriedToast } from '../lib/toasts.ts';
import { followLinks } from './follow-links.ts';
import { listenForShortcuts } from './shortcuts.ts';
import { createAppRouter } from './router.tsx';

const statusWaitMs = 300;

/** Shows the console itself. Reading the scripts, making the router and drawing are tasks of their own: none is long. */
export const mountApp = async (place: HTMLElement): Promise<void> => {
  void loadStatus();
  await pause();
  const router = createAppRouter();
  await pause();
  // The status says what there is to draw; it was asked for before the scripts.
  if (isFirstVisit) await Promise.race([statusKnown.promise, pause(statusWaitMs)]);
  createRoot(place).render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
  followLinks(router);
  listenForShortcuts(router);
  watchTips();
  showCarriedToast();
};
