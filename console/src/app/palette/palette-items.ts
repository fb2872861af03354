import { useQueryClient } from '@tanstack/react-query';
import type { IconName } from '../../components/icon.tsx';
import { setLanguage, useLanguage } from '../../lib/browser/locale.ts';
import { mayI, useUser } from '../../lib/api/session.ts';
import { setTheme } from '../../lib/browser/theme.ts';
import { toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { NavEntry } from '../layout/navigation.ts';
import { useFound } from './palette-found.ts';
import type { PaletteItem } from './palette-found.ts';
import { recentItems } from './palette-recent.ts';
import { signOut } from '../sign-out.ts';

interface PaletteContext {
  readonly entries: readonly NavEntry[];
  readonly go: (path: string) => void;
}

/** Starts a test of all channels; the channel list shows its progress. */
const useTestAll = ({ go }: PaletteContext): (() => void) => {
  const client = useQueryClient();
  return () => {
    go('/channel');
    void import('../../features/channels/list/list-work.ts')
      .then(({ start }) => start(client, 'all'))
      .catch(toastFailure);
  };
};

const useActions = (context: PaletteContext): readonly PaletteItem[] => {
  const { entries, go } = context;
  const testAll = useTestAll(context);
  const t = useT();
  const user = useUser();
  const language = useLanguage();
  const section = t(m.palette_actions);
  const dark = document.documentElement.dataset['theme'] === 'dark';
  const has = (path: string): boolean => entries.some((entry) => entry.path === path);
  const action = (id: string, icon: IconName, text: string, run: () => void): PaletteItem => ({
    id,
    section,
    icon,
    text,
    run,
  });
  return [
    ...(user && has('/token') ? [action('new-key', 'plus', t(m.token_create), () => go('/token/add'))] : []),
    ...(has('/channel')
      ? [
          action('new-channel', 'plus', t(m.channel_create), () => go('/channel/add')),
          action('test-channels', 'play', t(m.channel_test_all), testAll),
        ]
      : []),
    ...(has('/user') ? [action('new-user', 'plus', t(m.user_add), () => go('/user/add'))] : []),
    // Only on a server that has what the specification does not name, such as the audit.
    ...(has('/audit') ? [action('find-key', 'search', t(m.token_find), () => go('/user/find-key'))] : []),
    ...(has('/audit') ? [action('new-keys', 'key', t(m.token_many_title), () => go('/user/new-keys'))] : []),
    ...(has('/redemption') ? [action('new-codes', 'plus', t(m.redemption_add), () => go('/redemption/add'))] : []),
    ...(has('/audit') ? [action('margins', 'chart', t(m.margin_title), () => go('/margin'))] : []),
    ...(has('/audit') ? [action('bills', 'file', t(m.bill_title), () => go('/bill'))] : []),
    ...(mayI('root') && has('/pricing')
      ? [action('price-book', 'tag', t(m.book_title), () => go('/pricing/book'))]
      : []),
    action('theme', dark ? 'sun' : 'moon', t(dark ? m.palette_light : m.palette_dark), () =>
      setTheme(dark ? 'light' : 'dark'),
    ),
    language === 'en'
      ? action('language', 'globe', '切换到中文', () => setLanguage('zh'))
      : action('language', 'globe', 'Switch to English', () => setLanguage('en')),
    ...(user
      ? [
          action('profile', 'user', t(m.profile), () => go('/user/edit')),
          action('sign-out', 'sign-out', t(m.sign_out), () => void signOut()),
        ]
      : []),
  ];
};

/**
 * The palette's entries for a text: screens and actions that contain it, tokens, channels and models too, and users that
 * begin with it; without a text, the recent results first.
 */
export const usePaletteItems = (typed: string, searched: string, context: PaletteContext): readonly PaletteItem[] => {
  const t = useT();
  const actions = useActions(context);
  const found = useFound(searched, context.go);
  const pages = context.entries.map(({ path, title, icon }): PaletteItem => ({
    id: path,
    section: t(m.palette_screens),
    icon,
    text: t(title),
    run: () => context.go(path),
  }));
  const query = typed.trim().toLowerCase();
  const recent = recentItems().map(({ path, text, icon }): PaletteItem => ({
    id: `recent ${path}`,
    section: t(m.palette_recent),
    icon,
    text,
    run: () => context.go(path),
  }));
  return [
    ...(query === '' ? recent : []),
    ...[...pages, ...actions].filter(({ text }) => text.toLowerCase().includes(query)),
    ...found,
  ];
};
