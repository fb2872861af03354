import { lazy, Suspense } from 'react';
import type { ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { Toaster } from '../components/overlay/toaster.tsx';
import { authScreens } from './auth-screens.ts';
import { AuthFooter } from './layout/auth-footer.tsx';
import { LoginScreen } from '../features/auth/login-screen.tsx';
import type { AuthScreenProps } from '../features/auth/login-screen.tsx';
import { landing, takeReturnPath } from '../lib/api/paths.ts';
import { currentUser, followOtherTabs } from '../lib/api/session.ts';
import { loadStatus } from '../lib/api/status.ts';
import { showCarriedToast, toast } from '../lib/toasts.ts';
import { useT } from '../lib/hooks/use-t.ts';
import { m } from '../paraglide/messages.js';

const screens = new Map<string, ComponentType<AuthScreenProps>>([
  ['/login', LoginScreen],
  ...Object.entries(authScreens).map(([path, load]) => [path, lazy(load)] as const),
]);

const hasScreen = (path: string): boolean => screens.has(path);

/** Forms that begin a session. The other screens of this entry also serve users who have one. */
const entryForms = ['/login', '/register', '/reset'];

const pathOf = (): string => location.pathname.replace(/(.)\/$/, '$1');

const MissingScreen = () => {
  const t = useT();
  return (
    <main className="flex flex-1 items-center justify-center p-8">
      <h1 className="text-16">{t(m.not_found)}</h1>
    </main>
  );
};

/** Shows the screen of an address before sign-in; a signed-in user gets the console instead of the entry forms. */
export const mountAuth = (
  container: HTMLElement,
  openApp: (path: string) => Promise<void>,
  fetchApp: () => void,
): void => {
  if (entryForms.includes(pathOf())) {
    if (currentUser() !== undefined) {
      void openApp(takeReturnPath() ?? landing);
      return;
    }
    followOtherTabs();
  }
  const root = createRoot(container);
  const leave = async (path: string): Promise<void> => {
    fetchApp();
    await openApp(path);
    root.unmount();
  };
  const Screen = screens.get(pathOf()) ?? MissingScreen;
  root.render(
    <>
      <Suspense>
        <Screen openApp={leave} fetchApp={fetchApp} hasScreen={hasScreen} />
      </Suspense>
      <AuthFooter />
      <Toaster />
    </>,
  );
  showCarriedToast();
  if (new URLSearchParams(location.search).has('expired')) toast('error', m.error_not_signed_in());
  void loadStatus();
};
