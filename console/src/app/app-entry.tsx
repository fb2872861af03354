import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { Toaster } from '../components/toaster.tsx';
import { watchTips } from '../components/tips.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { loadStatus } from '../lib/status.ts';
import { showCarriedToast } from '../lib/toasts.ts';
import { followLinks } from './follow-links.ts';
import { listenForShortcuts } from './shortcuts.ts';
import { createAppRouter } from './router.tsx';

/** Shows the console itself. */
export const mountApp = (place: HTMLElement): void => {
  const router = createAppRouter();
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
  void loadStatus();
};
