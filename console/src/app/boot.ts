import '../styles.css';
import { isAuthPath, rememberReturnPath } from '../lib/api/paths.ts';
import { pause } from '../lib/pause.ts';

/** Evaluates the view library in a task of its own, so that no task blocks the page for long. */
const appEntry = async () => {
  await import('react-dom/client');
  await pause();
  return import('./app-entry.tsx');
};

const openApp = async (root: HTMLElement, path: string): Promise<void> => {
  const { mountApp } = await appEntry();
  history.replaceState(null, '', path);
  // A new root element: the auth entry releases the old one.
  const next = document.createElement('div');
  next.id = root.id;
  root.replaceWith(next);
  await mountApp(next);
};

/**
 * Opens the small entry of the screens before sign-in or the app, as the head script chose by the address: visitors
 * without a session sign in before they see a guarded screen.
 */
const boot = async (root: HTMLElement): Promise<void> => {
  if (document.documentElement.dataset['entry'] === 'auth' || isAuthPath(location.pathname)) {
    if (!isAuthPath(location.pathname)) {
      rememberReturnPath(location.pathname + location.search);
      history.replaceState(null, '', '/login');
    }
    const { mountAuth } = await import('./auth-entry.tsx');
    mountAuth(
      root,
      (path) => openApp(root, path),
      () => void appEntry(),
    );
    return;
  }
  const { mountApp } = await appEntry();
  await mountApp(root);
};

const root = document.getElementById('root');
if (root) void boot(root);
