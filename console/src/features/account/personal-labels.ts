import { can } from '@weir/contract/roles';
import { currentUser } from '../../lib/api/session.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

const labels = {
  profile: [m.personal_profile, m.personal_update_profile],
  token: [m.personal_token, m.personal_token_hint],
  invite: [m.personal_invite, m.personal_invite_hint],
  bindings: [m.personal_bindings, m.personal_bindings_hint, m.personal_email],
  look: [m.personal_look, m.language, m.theme, m.personal_density, m.personal_shortcuts],
  danger: [m.personal_danger, m.personal_danger_hint],
} as const satisfies Record<string, readonly Message[]>;

export type PersonalCard = keyof typeof labels;

/** Whether a card of the user's own settings matches the search. */
export const matchesCard = (t: Translate, card: PersonalCard, search: string): boolean => {
  const text = search.trim().toLowerCase();
  return labels[card].some((label) => t(label).toLowerCase().includes(text));
};

const cards: readonly PersonalCard[] = ['profile', 'token', 'invite', 'bindings', 'look', 'danger'];

/** Whether any card matches. The account of root cannot be deleted. */
export const matchesPersonal = (t: Translate, search: string): boolean =>
  cards.some((card) => (card !== 'danger' || !can(currentUser()?.role, 'root')) && matchesCard(t, card, search));
