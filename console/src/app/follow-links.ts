import { isAuthPath } from '../lib/api/paths.ts';
import { navigate } from '../lib/router/navigate.ts';
import { prepareScreen } from './load-screen.ts';

const hrefOf = (event: Event): string | undefined => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin)
    return undefined;
  // Files, the APIs and the screens before sign-in are separate documents.
  if (/^\/(?:api|v1|v1beta|assets)\//.test(link.pathname) || isAuthPath(link.pathname)) return undefined;
  if (link.pathname === location.pathname && link.hash !== '') return undefined;
  return link.pathname + link.search;
};

/**
 * Plain links work everywhere in the console, also in menus and dialogs outside the React tree of the screens:
 * a click navigates without a page load, pointing at a link fetches its screen.
 */
export const followLinks = (): void => {
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const href = hrefOf(event);
    if (href === undefined) return;
    event.preventDefault();
    void navigate(href);
  });
  const fetchScreen = (event: Event): void => {
    const href = hrefOf(event);
    if (href !== undefined) prepareScreen(new URL(href, location.origin).pathname)?.catch(() => undefined);
  };
  document.addEventListener('pointerover', fetchScreen);
  document.addEventListener('focusin', fetchScreen);
};
