import * as v from 'valibot';
import { endpoint } from '../endpoint.ts';
import { userGroupMax } from '../users.ts';
import { idParams, integer, integerInput, textInput } from '../wire.ts';

/** Accounts that one invitation may open. */
export const invitationUsesMax = 10_000;
/** Characters. */
export const invitationNameMax = 40;

/** Why an invitation opens no more accounts; empty: it does. */
export const invitationEnds = ['used', 'expired', 'deleted'] as const;
export type InvitationEnd = (typeof invitationEnds)[number];

export const invitationSchema = v.object({
  id: integer,
  name: v.string(),
  /** For `/register?aff=…`, as invite codes of users are. */
  code: v.string(),
  /** Group of the new accounts. */
  group: v.string(),
  /** Team that they join as members, with its name; 0: none. */
  team_id: integer,
  team: v.string(),
  /** What their first token is made by, with its name; 0: none. */
  preset_id: integer,
  preset: v.string(),
  uses: integer,
  uses_max: integer,
  /** Unix seconds; 0: never. */
  expires_at: integer,
  /** Unix seconds. */
  created_time: integer,
  end: v.picklist([...invitationEnds, '']),
});
export type Invitation = v.InferOutput<typeof invitationSchema>;

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/invitation/',
  access: 'admin',
  effect: false,
  summary: 'Invitations, latest first, at most 1,000, without deleted ones.',
  data: v.array(invitationSchema),
});
export const createInvitation = endpoint({
  method: 'POST',
  path: '/api/invitation/',
  access: 'admin',
  effect: true,
  summary:
    'Create an invitation: its code opens accounts in a group, in a team, with a token by a preset, also while registration is closed.',
  body: v.object({
    name: v.pipe(textInput(invitationNameMax), v.trim(), v.minLength(1)),
    group: v.optional(textInput(userGroupMax), ''),
    team_id: v.optional(integerInput, 0),
    preset_id: v.optional(integerInput, 0),
    uses_max: v.optional(v.pipe(integerInput, v.minValue(1), v.maxValue(invitationUsesMax)), 1),
    expires_at: v.optional(v.pipe(integerInput, v.minValue(0), v.maxValue(1e12)), 0),
  }),
  data: invitationSchema,
});
export const deleteInvitation = endpoint({
  method: 'DELETE',
  path: '/api/invitation/:id',
  access: 'admin',
  effect: true,
  summary: 'Delete an invitation. Accounts that it opened stay.',
  params: idParams,
});
