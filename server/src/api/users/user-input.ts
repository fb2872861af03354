import type { BodyOf } from '@weir/contract/endpoint';
import { defaultGroup } from '@weir/contract/groups';
import { outranks, role } from '@weir/contract/roles';
import { userActions, userStatus, type updateUser } from '@weir/contract/users';
import { parseRatioTable } from '../../billing/price/ratio.ts';
import { AppError } from '../../errors.ts';
import { readUserName } from '../../store/users/user-names.ts';
import type { UserChange, UserRow } from '../../store/users/users.ts';

type Rank = Pick<UserRow, 'role'>;
type Standing = Pick<UserRow, 'role' | 'status'>;
type Account = Standing & Pick<UserRow, 'is_team'>;
type Named = Standing & Pick<UserRow, 'username' | 'is_team'>;
export type UserUpdate = BodyOf<typeof updateUser>;

/** Refuses to change an account of an equal or higher role. */
export const checkRank = (actor: Rank, target: Rank): void => {
  if (!outranks(actor.role, target.role)) throw new AppError('user_rank_update');
};

/** Refuses a group that has no ratio, and so is in no list of groups. `ratios`: the option `GroupRatio`. */
export const checkGroup = (group: string, ratios: string): void => {
  if (parseRatioTable(ratios)?.has(group) !== true) throw new AppError('group_unknown');
};

/** The role that root gives an account; the one it has, 0 and none change nothing. */
const readRole = (requested: number | undefined, target: Standing): UserChange => {
  if (requested === undefined || requested === 0 || requested === target.role) return {};
  if (target.role >= role.root) throw new AppError('root_not_demoted');
  if (requested !== role.user && requested !== role.admin) throw new AppError('role_invalid');
  return { role: requested };
};

/** The status that root gives an account; the one it has, 0 and none change nothing. */
const readStatus = (requested: number | undefined, target: Standing): UserChange => {
  if (requested === undefined || requested === 0 || requested === target.status) return {};
  if (requested !== userStatus.enabled && requested !== userStatus.disabled) throw new AppError('status_invalid');
  if (target.role >= role.root) throw new AppError('root_not_disabled');
  return { status: requested };
};

/**
 * The columns that an update sets, the password apart. Absent members stay as they are; role and status of others than
 * root are what their form was loaded with, and are only checked.
 */
export const readUpdate = (update: UserUpdate, actor: Rank, target: Named): UserChange => {
  checkRank(actor, target);
  const isRoot = actor.role >= role.root;
  if (!isRoot && update.role !== undefined && update.role >= actor.role) throw new AppError('user_rank_raise');
  const { username, display_name: displayName, group, password } = update;
  const rank = isRoot ? readRole(update.role, target) : {};
  if (target.is_team === 1 && (password !== '' || rank.role !== undefined)) throw new AppError('team_without_login');
  return {
    ...(username === undefined || username === target.username ? {} : { username: readUserName(username) }),
    ...(displayName === undefined ? {} : { display_name: displayName }),
    ...(group === undefined ? {} : { group: group === '' ? defaultGroup : group }),
    ...rank,
    ...(isRoot ? readStatus(update.status, target) : {}),
  };
};

/** The changes of each action to an account that the actor outranks. */
const actions: Readonly<Record<(typeof userActions)[number], (actor: Rank, target: Account) => UserChange>> = {
  enable: () => ({ status: userStatus.enabled }),
  disable: (_, target) => {
    if (target.role >= role.root) throw new AppError('root_not_disabled');
    return { status: userStatus.disabled };
  },
  delete: (_, target) => {
    if (target.role >= role.root) throw new AppError('root_not_deleted');
    return { status: userStatus.deleted };
  },
  promote: (actor, target) => {
    if (actor.role < role.root) throw new AppError('promotion_forbidden');
    if (target.is_team === 1) throw new AppError('team_without_login');
    if (target.role >= role.admin) throw new AppError('already_admin');
    return { role: role.admin };
  },
  demote: (_, target) => {
    if (target.role >= role.root) throw new AppError('root_not_demoted');
    if (target.role < role.admin) throw new AppError('already_user');
    return { role: role.user };
  },
};

/** The changes of an action; an unknown one changes nothing (wire contract 2.4). */
export const readAction = (action: string, actor: Rank, target: Account): UserChange => {
  checkRank(actor, target);
  const known = userActions.find((name) => name === action);
  return known === undefined ? {} : actions[known](actor, target);
};
