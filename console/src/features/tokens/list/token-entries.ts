import { tokenStatus } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import type { MenuEntry } from '../../../components/overlay/overlays.ts';
import { trimSlash } from '../../../lib/format/format.ts';
import { hasCapabilities } from '../../../lib/api/capabilities.ts';
import { currentStatus } from '../../../lib/api/status.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { amaLink, nextChatLink, openCatLink } from '../detail/client-links.ts';
import type { ClientLink } from '../detail/client-links.ts';

/** The actions of a row of the token list. */
export interface TokenActions {
  readonly copy: (text: string) => void;
  readonly open: (address: string) => void;
  readonly edit: (token: Token) => void;
  /** Opens the form of a new token with the limits of this one. */
  readonly duplicate: (token: Token) => void;
  readonly flip: (token: Token) => void;
  /** Resolves to whether the token was deleted. */
  readonly remove: (token: Token) => Promise<boolean>;
}

export const linkOf = (token: Token): ClientLink => {
  const { server_address: address, chat_link: chatLink } = currentStatus();
  return { key: `sk-${token.key}`, address: trimSlash(address ?? '') || location.origin, chatLink: chatLink ?? '' };
};

/** The actions of the specification: copy, copy for three clients, chat in two (the web app has a button), edit, switch, delete. */
export const tokenEntries = (token: Token, actions: TokenActions, t: Translate): readonly MenuEntry[] => {
  const link = linkOf(token);
  const enabled = token.status === tokenStatus.enabled;
  const copyFor = (text: string, value: string): MenuEntry => ({
    kind: 'action',
    text,
    run: () => actions.copy(value),
  });
  const openIn = (text: string, address: string): MenuEntry => ({
    kind: 'action',
    text,
    run: () => actions.open(address),
  });
  return [
    { kind: 'action', icon: 'copy', text: t(m.token_copy), keys: 'C', run: () => actions.copy(link.key) },
    {
      kind: 'sub',
      icon: 'link',
      text: t(m.token_copy_for),
      entries: [
        copyFor('ChatGPT-Next-Web', nextChatLink(link)),
        copyFor('AMA (BotGem)', amaLink(link)),
        copyFor('OpenCat', openCatLink(link)),
      ],
    },
    {
      kind: 'sub',
      icon: 'chat',
      text: t(m.token_chat_in),
      entries: [openIn('AMA (BotGem)', amaLink(link)), openIn('OpenCat', openCatLink(link))],
    },
    { kind: 'line' },
    { kind: 'action', icon: 'edit', text: t(m.edit), keys: 'E', run: () => actions.edit(token) },
    { kind: 'action', icon: 'plus', text: t(m.token_duplicate), run: () => actions.duplicate(token) },
    {
      kind: 'action',
      icon: enabled ? 'pause' : 'play',
      sends: true,
      text: t(enabled ? m.disable : m.enable),
      run: () => actions.flip(token),
    },
    ...(hasCapabilities(currentStatus())
      ? ([
          { kind: 'link', icon: 'chart', text: t(m.token_detail), href: `/token/${token.id}` },
          { kind: 'link', icon: 'wallet', text: t(m.budget_add), href: `/budget/add?scope=token&subject=${token.id}` },
        ] as const)
      : []),
    { kind: 'link', icon: 'log', text: t(m.token_logs), href: `/log?token_name=${encodeURIComponent(token.name)}` },
    { kind: 'line' },
    {
      kind: 'action',
      sends: true,
      icon: 'trash',
      text: t(m.token_delete),
      danger: true,
      run: () => void actions.remove(token),
    },
  ];
};
