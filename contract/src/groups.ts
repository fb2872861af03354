import * as v from 'valibot';
import { endpoint } from './endpoint.ts';

/** The group of a user or channel that names none. */
export const defaultGroup = 'default';

export const listGroups = endpoint({
  method: 'GET',
  path: '/api/group/',
  access: 'admin',
  effect: false,
  summary: 'The names of the groups: the keys of the group ratio option.',
  data: v.array(v.string()),
});
