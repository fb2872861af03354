import type { Access } from '@weir/contract/endpoint';
import { m } from '../../paraglide/messages.js';
import type { IconName } from '../../components/icon.tsx';
import type { Message } from '../../lib/hooks/use-t.ts';

export interface NavEntry {
  readonly path: string;
  readonly title: Message;
  readonly icon: IconName;
  readonly access: Access;
  /** Beyond the specification: only where the server has its data. */
  readonly extra?: true;
  /** Stands in the menu at the end of the bar, however wide it is. */
  readonly folded?: true;
}

/** The entries of the top navigation in the specified order; those without a screen or a right are left out. */
export const navEntries: readonly NavEntry[] = [
  { path: '/', title: m.nav_home, icon: 'home', access: 'public' },
  { path: '/dashboard', title: m.dash_title, icon: 'chart', access: 'user', extra: true },
  { path: '/channel', title: m.nav_channel, icon: 'channel', access: 'admin' },
  { path: '/token', title: m.nav_token, icon: 'key', access: 'public' },
  { path: '/redemption', title: m.nav_redemption, icon: 'ticket', access: 'admin' },
  { path: '/topup', title: m.nav_topup, icon: 'wallet', access: 'public' },
  { path: '/user', title: m.nav_user, icon: 'users', access: 'admin' },
  { path: '/log', title: m.nav_log, icon: 'log', access: 'public' },
  { path: '/setting', title: m.nav_setting, icon: 'settings', access: 'public' },
  { path: '/about', title: m.nav_about, icon: 'info', access: 'public' },
  { path: '/chat', title: m.nav_chat, icon: 'chat', access: 'public' },
  { path: '/playground', title: m.play_title, icon: 'flask', access: 'user', extra: true, folded: true },
  { path: '/pricing', title: m.price_title, icon: 'tag', access: 'user', extra: true, folded: true },
  { path: '/audit', title: m.audit_title, icon: 'file', access: 'admin', extra: true, folded: true },
];
