import { can } from '@weir/contract/roles';
import { currentUser } from '../../lib/api/session.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

const words = {
  profile: [m.personal_profile, m.personal_update_profile],
  token: [m.personal_token, m.personal_token_hint],
  invite: [m.personal_invite, m.personal_invite_hint],
  bindings: [m.personal_bindings, m.personal_bindings_hint, m.personal_email],
  look: [m.personal_look, m.language, m.theme, m.personal_density, m.personal_shortcuts],
  danger: [m.personal_danger, m.personal_danger_hint],
} as const satisfies Record<string, readonly Message[]>;

export type PersonalCard = keyof typeof words;

/** Whether a card of one's own settings says what is searched for. */
export const cardSays = (t: Translate, card: PersonalCard, search: string): boolean => {
  const wanted = search.trim().toLowerCase();
  return words[card].some((word) => t(word).toLowerCase().includes(wanted));
};

const cards: readonly PersonalCard[] = ['profile', 'token', 'invite', 'bindings', 'look', 'danger'];

/** Whether any of them does. Nobody deletes the account of root. */
export const personalSays = (t: Translate, search: string): boolean =>
  cards.some((card) => (card !== 'danger' || !can(currentUser()?.role, 'root')) && cardSays(t, card, search));
