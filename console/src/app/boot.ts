import '../styles.css';
import { isAuthPath, isGuarded, rememberPlace } from '../lib/api/paths.ts';
import { readJson } from '../lib/browser/storage.ts';

const appEntry = () => import('./app-entry.tsx');

const openApp = async (root: HTMLElement, path: string): Promise<void> => {
  const { mountApp } = await appEntry();
  history.replaceState(null, '', path);
  // A new place to render: the auth entry gives up the old one.
  const next = document.createElement('div');
  next.id = root.id;
  root.replaceWith(next);
  await mountApp(next);
};

/** Decides between the small auth entry and the app; visitors without a session go to sign in first. */
const boot = async (root: HTMLElement): Promise<void> => {
  if (isGuarded(location.pathname) && !readJson('user')) {
    rememberPlace(location.pathname + location.search);
    history.replaceState(null, '', '/login');
  }
  if (isAuthPath(location.pathname)) {
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
