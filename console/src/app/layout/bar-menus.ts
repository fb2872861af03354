import { role } from '@weir/contract/roles';
import type { MenuEntry, MenuRequest } from '../../components/overlay/overlays.ts';
import { quotaText } from '../../lib/api/status.ts';
import { language, setLanguage } from '../../lib/browser/locale.ts';
import type { SessionUser } from '../../lib/api/session.ts';
import { currentTheme, setTheme } from '../../lib/browser/theme.ts';
import type { Theme } from '../../lib/browser/theme.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { signOut } from '../sign-out.ts';

export const languageMenu = (t: Translate): MenuRequest => ({
  label: t(m.language),
  entries: [
    { kind: 'choice', text: 'English', chosen: language() === 'en', run: () => setLanguage('en') },
    { kind: 'choice', text: '中文', chosen: language() === 'zh', run: () => setLanguage('zh') },
  ],
});

export const themeMenu = (t: Translate): MenuRequest => {
  const choice = (theme: Theme, icon: 'sun' | 'moon' | 'device', text: string): MenuEntry => ({
    kind: 'choice',
    icon,
    text,
    chosen: currentTheme() === theme,
    run: () => setTheme(theme),
  });
  return {
    label: t(m.theme),
    entries: [
      choice('light', 'sun', t(m.theme_light)),
      choice('dark', 'moon', t(m.theme_dark)),
      choice('system', 'device', t(m.theme_system)),
    ],
  };
};

export const roleText = (t: Translate, number: number): string => {
  if (number >= role.root) return t(m.role_root);
  if (number >= role.admin) return t(m.role_admin);
  return number >= role.user ? t(m.role_user) : t(m.role_unknown);
};

/** `quota`: the account's remaining balance; absent until it is loaded. */
export const accountMenu = (t: Translate, user: SessionUser, quota: number | undefined): MenuRequest => ({
  label: t(m.account, { name: user.username }),
  entries: [
    {
      kind: 'group',
      text: [
        user.username,
        roleText(t, user.role),
        ...(quota === undefined ? [] : [`${t(m.balance)} ${quotaText(quota)}`]),
      ].join(' · '),
      entries: [
        { kind: 'link', icon: 'user', text: t(m.profile), href: '/user/edit' },
        { kind: 'link', icon: 'settings', text: t(m.nav_setting), href: '/setting' },
        { kind: 'action', icon: 'sign-out', text: t(m.sign_out), run: () => void signOut() },
      ],
    },
  ],
});
