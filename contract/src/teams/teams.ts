import * as v from 'valibot';
import { exportStatement, getStatement } from '../bills/account-statements.ts';
import { endpoint } from '../endpoint.ts';
import { redeem } from '../redemptions.ts';
import { displayNameMax, usernameMax } from '../users.ts';
import { idParams, integer, integerInput, textInput, textQuery } from '../wire.ts';
import { teamMembersMax, teamRoles } from './team-roles.ts';

/** A team is an account without a sign-in: its ID is that of a user, whose balance its keys spend. */
export const teamSchema = v.object({
  id: integer,
  /** Also the user name in logs. */
  name: v.string(),
  display_name: v.string(),
  group: v.string(),
  /** Of the account: 1 activated, 2 banned. */
  status: integer,
  /** Quota units: what the team may still spend, holds included, and what it has spent. */
  quota: integer,
  used_quota: integer,
  request_count: integer,
  /** The caller's own role; empty: an administrator who is no member. */
  role: v.picklist([...teamRoles, '']),
  members: integer,
  /** Unix seconds. */
  created_time: integer,
});
export type Team = v.InferOutput<typeof teamSchema>;

const memberSchema = v.object({
  /** Of the membership: budgets name it, and tokens that the member made. */
  id: integer,
  user_id: integer,
  username: v.string(),
  display_name: v.string(),
  role: v.picklist(teamRoles),
  /** Unix seconds. */
  joined_time: integer,
  /** Tokens of the team that the member made, and what they spent, in quota units. */
  tokens: integer,
  used_quota: integer,
});
export type TeamMember = v.InferOutput<typeof memberSchema>;

export const teamWithMembersSchema = v.object({
  ...teamSchema.entries,
  /** Managers first, then by name. */
  people: v.array(memberSchema),
});
export type TeamWithMembers = v.InferOutput<typeof teamWithMembersSchema>;

const memberParams = v.object({ ...idParams.entries, user: idParams.entries.id });

export const listTeams = endpoint({
  method: 'GET',
  path: '/api/team/',
  access: 'user',
  effect: false,
  summary: 'Teams whose name or ID matches the keyword, at most 1,000: your own, and all of them for administrators.',
  query: v.object({ keyword: textQuery }),
  data: v.array(teamSchema),
});
export const getTeam = endpoint({
  method: 'GET',
  path: '/api/team/:id',
  access: 'user',
  effect: false,
  summary: 'One of these teams, with its members.',
  params: idParams,
  data: teamWithMembersSchema,
});
export const createTeam = endpoint({
  method: 'POST',
  path: '/api/team/',
  access: 'admin',
  effect: true,
  summary:
    'Create a team: an account without a sign-in, and a balance of 0. Group, quota and status are changed as those of users are.',
  body: v.object({
    name: textInput(usernameMax),
    display_name: v.optional(textInput(displayNameMax), ''),
    /** User name of its first manager; empty: it has none yet. */
    manager: v.optional(textInput(256), ''),
  }),
  data: teamWithMembersSchema,
});
export const addTeamMember = endpoint({
  method: 'POST',
  path: '/api/team/:id/member',
  access: 'user',
  effect: true,
  summary: `Add a user to a team that you manage, at most ${teamMembersMax}. A former member gets the former budgets back.`,
  params: idParams,
  body: v.object({ username: textInput(256), role: v.optional(v.picklist(teamRoles), 'member') }),
  data: teamWithMembersSchema,
});
export const updateTeamMember = endpoint({
  method: 'PUT',
  path: '/api/team/:id/member',
  access: 'user',
  effect: true,
  summary: 'Change the role of a member. A team keeps a manager, unless an administrator changes it.',
  params: idParams,
  body: v.object({ user_id: integerInput, role: v.picklist(teamRoles) }),
  data: teamWithMembersSchema,
});
export const removeTeamMember = endpoint({
  method: 'DELETE',
  path: '/api/team/:id/member/:user',
  access: 'user',
  effect: true,
  summary: 'Remove a member, or leave a team. The tokens that the member made stay with the team and are disabled.',
  params: memberParams,
});
export const redeemForTeam = endpoint({
  method: 'POST',
  path: '/api/team/:id/topup',
  access: 'user',
  effect: true,
  summary: 'Redeem a code for a team that you manage.',
  params: idParams,
  body: redeem.body,
  data: redeem.data,
});

const statementQuery = v.object({ month: getStatement.query.entries.month });

export const getTeamStatement = endpoint({
  method: 'GET',
  path: '/api/team/:id/statement',
  access: 'user',
  effect: false,
  summary: 'The account of a team that you manage in one month, as `GET /api/statement/` has it.',
  params: idParams,
  query: statementQuery,
  data: getStatement.data,
});
export const exportTeamStatement = endpoint({
  method: 'GET',
  path: '/api/team/:id/statement/export',
  access: 'user',
  effect: false,
  summary: 'The same as a CSV file.',
  params: idParams,
  query: statementQuery,
  files: exportStatement.files,
});
