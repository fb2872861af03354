import { shortcuts } from '../lib/browser/shortcut-switch.ts';
import { setTheme } from '../lib/browser/theme.ts';
import { navigate } from '../lib/router/navigate.ts';
import { screens } from './screens.ts';

const chordMs = 1200;
const typing =
  'input:not([type=checkbox]),textarea,select,[contenteditable=true],[role=combobox],[role=menu],[role=dialog],[role=alertdialog]';

const press = (name: string): boolean => {
  const target = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${name}"]`);
  if (target === null) return false;
  if (target instanceof HTMLInputElement) target.select();
  else target.click();
  target.focus();
  return true;
};

/** The row keys work from anywhere on a page with a list: they lead to its current row. */
const enterList = (): boolean => {
  const row = document.querySelector<HTMLElement>('main [role=row][tabindex="0"], main tr[tabindex="0"]');
  row?.focus();
  return row !== null;
};

const isOff = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  !shortcuts.get() ||
  (event.target instanceof Element && event.target.closest(typing) !== null);

const flipTheme = (): void => setTheme(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark');

/**
 * Single-key shortcuts (design 5.6). Their targets are marked with `aria-keyshortcuts`, so that screens need no code
 * for them; off while typing and by preference (WCAG 2.1.4).
 */
export const listenForShortcuts = (): void => {
  let chordUntil = 0;
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isOff(event)) return;
    const path = Date.now() < chordUntil ? screens.find(({ nav }) => nav?.key === event.key)?.path : undefined;
    chordUntil = event.key === 'g' ? Date.now() + chordMs : 0;
    if (path !== undefined) void navigate(path);
    else if (event.key === 'D') flipTheme();
    else if (event.key === '?')
      void import('./shortcut-sheet.tsx').then(({ openShortcutSheet }) => openShortcutSheet());
    else if (event.key === 'j' || event.key === 'k') {
      if (!enterList()) return;
    } else if (!['/', 'n', 'r', 'f'].includes(event.key) || !press(event.key)) return;
    event.preventDefault();
  });
};
