import { defaultGroup } from '@weir/contract/groups';
import type { BodyInput } from '@weir/contract/endpoint';
import { invitationUsesMax } from '@weir/contract/invitations/invitations';
import type { createInvitation } from '@weir/contract/invitations/invitations';
import { parseTime } from '../../../lib/format/parse-time.ts';

/** The form as it is being filled in. */
export interface InvitationValues {
  readonly name: string;
  readonly group: string;
  /** 0: none. */
  readonly team: number;
  readonly preset: number;
  /** As typed. */
  readonly uses: string;
  /** A time as typed; empty: never. */
  readonly expiry: string;
}

export const newInvitation: InvitationValues = {
  name: '',
  group: defaultGroup,
  team: 0,
  preset: 0,
  uses: '1',
  expiry: '+7d',
};

export const isNameWrong = ({ name }: InvitationValues): boolean => name.trim() === '';

export const isUsesWrong = ({ uses }: InvitationValues): boolean =>
  !/^\s*[1-9]\d{0,5}\s*$/.test(uses) || Number(uses) > invitationUsesMax;

export const isExpiryWrong = ({ expiry }: InvitationValues, nowMs: number): boolean => {
  if (expiry.trim() === '') return false;
  const at = parseTime(expiry, nowMs);
  return at === undefined || at * 1000 <= nowMs;
};

/** The request body of the form, once nothing in it is wrong. */
export const fieldsOf = (
  { name, group, team, preset, uses, expiry }: InvitationValues,
  nowMs: number,
): BodyInput<typeof createInvitation> => ({
  name: name.trim(),
  group,
  team_id: team,
  preset_id: preset,
  uses_max: Number(uses),
  expires_at: expiry.trim() === '' ? 0 : (parseTime(expiry, nowMs) ?? 0),
});
