import { endpoint } from '../endpoint.ts';
import {
  createUserToken,
  deleteUserToken,
  endUserTokenOverlap,
  getUserToken,
  listUserTokens,
  rollUserToken,
  updateUserToken,
} from '../managed-tokens.ts';

/** Tokens of a team, with the shapes of those that administrators manage. Members have those that they made, with whole keys. */
export const listTeamTokens = endpoint({
  ...listUserTokens,
  path: '/api/team/:id/token/',
  access: 'user',
  summary:
    'One page of the tokens of a team: your own, and all of them for its managers, with the keys of others masked.',
});
export const getTeamToken = endpoint({
  ...getUserToken,
  path: '/api/team/:id/token/:token',
  access: 'user',
  summary: 'One of these tokens.',
});
export const createTeamToken = endpoint({
  ...createUserToken,
  path: '/api/team/:id/token/',
  access: 'user',
  summary: 'Create a token that spends the balance of a team. This answer alone has the whole key.',
});
export const updateTeamToken = endpoint({
  ...updateUserToken,
  path: '/api/team/:id/token/',
  access: 'user',
  summary: 'Change a token of a team. Absent members stay unchanged. With ?status_only=true only `status` is read.',
});
export const deleteTeamToken = endpoint({
  ...deleteUserToken,
  path: '/api/team/:id/token/:token',
  access: 'user',
  summary: 'Delete a token of a team; its key stops working at once.',
});
export const rollTeamToken = endpoint({
  ...rollUserToken,
  path: '/api/team/:id/token/roll',
  access: 'user',
  summary: 'Replace the key of a token of a team. This answer alone has the whole key.',
});
export const endTeamTokenOverlap = endpoint({
  ...endUserTokenOverlap,
  path: '/api/team/:id/token/roll/end',
  access: 'user',
  summary: 'End the overlap of a rolled token of a team.',
});
