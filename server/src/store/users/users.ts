import { userStatus } from '@weir/contract/users';
import { randomBytes } from 'node:crypto';
import { role } from '@weir/contract/roles';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Database, DatabaseTransaction, ReadQueries, WriteQueries } from '../database.ts';
import { isUniqueViolation } from '../engine/database-error.ts';
import type { UsersTable } from '../schema.ts';
import { nameKeyOf } from './user-names.ts';

export type UserRow = Selectable<UsersTable>;
/** Balances are not here: money comes by postings in the same transaction. */
export type NewUser = Omit<Insertable<UsersTable>, 'id' | 'name_key' | 'available' | 'held' | 'used' | 'request_count'>;
export type UserChange = Omit<
  Updateable<UsersTable>,
  'id' | 'name_key' | 'available' | 'held' | 'used' | 'request_count' | 'created_time'
>;

/** The columns that most new accounts have alike. */
export const plainUser = {
  password_hash: '',
  must_change_password: 0,
  role: role.user,
  status: userStatus.enabled,
  email: '',
  github_id: '',
  github_uid: '',
  wechat_id: '',
  lark_id: '',
  oidc_id: '',
  aff_code: '',
  inviter_id: 0,
  access_token_digest: '',
} as const satisfies Partial<NewUser>;

/** The id of an account at a sign-in provider; no two accounts share one. */
export type IdentityColumn = 'github_uid' | 'oidc_id' | 'lark_id' | 'wechat_id';

const { deleted } = userStatus;

/** Literally, as the indexes that leave out deleted accounts have it. */
const present = (query: ReadQueries) =>
  query
    .selectFrom('users')
    .selectAll()
    .where('status', '<>', sql<number>`${sql.lit(deleted)}`);

export const findUser = (query: ReadQueries, id: number): Promise<UserRow | undefined> =>
  present(query).where('id', '=', id).executeTakeFirst();

export const findUserByName = (query: ReadQueries, username: string): Promise<UserRow | undefined> =>
  present(query).where('username', '=', username).executeTakeFirst();

/**
 * Users by a column that most leave empty. Its index leaves out the empty ones, and is used only by queries that repeat
 * its condition literally.
 */
const byFilled = (
  query: ReadQueries,
  column: 'name_key' | 'email' | 'aff_code' | 'access_token_digest' | IdentityColumn,
  value: string,
) =>
  present(query)
    .where(column, '=', value)
    .where((eb) => eb(column, '<>', sql<string>`''`));

/** The user of an account at a sign-in provider. */
export const findUserByIdentity = (
  query: ReadQueries,
  column: IdentityColumn,
  id: string,
): Promise<UserRow | undefined> => byFilled(query, column, id).executeTakeFirst();

/**
 * The account that came from another gateway with this login name at the code host and without the account's number
 * there; undefined where there is none, or more than one.
 */
export const findImportedGithubUser = async (query: ReadQueries, login: string): Promise<UserRow | undefined> => {
  const imported = present(query)
    .where('github_id', '=', login)
    .where('github_id', '<>', sql<string>`''`)
    .where('github_uid', '=', sql<string>`''`);
  const [user, ...others] = await imported.limit(2).execute();
  return others.length === 0 ? user : undefined;
};

/** The owner of an invite code; undefined if it is empty. */
export const findUserByInviteCode = (query: ReadQueries, code: string): Promise<UserRow | undefined> =>
  byFilled(query, 'aff_code', code).executeTakeFirst();

/**
 * The account that an e-mail address belongs to; undefined where it is of no account, or of several. Addresses proven
 * here are stored in lower case, imported ones as they were.
 */
export const findUserByEmail = async (query: ReadQueries, email: string): Promise<UserRow | undefined> => {
  const [user, ...others] = await byFilled(query, 'email', email).limit(2).execute();
  const lower = email.toLowerCase();
  if (user === undefined && lower !== email) return findUserByEmail(query, lower);
  return others.length === 0 ? user : undefined;
};

/** Whether any account has this address. */
export const isEmailTaken = async (query: ReadQueries, email: string): Promise<boolean> =>
  (await byFilled(query, 'email', email).limit(1).executeTakeFirst()) !== undefined;

/** The user of a login name: a user name, in whatever case, or an e-mail address that belongs to exactly one account. */
export const findUserForLogin = async (db: Database, nameOrEmail: string): Promise<UserRow | undefined> => {
  const named = await findUserByName(db.read, nameOrEmail);
  const keyed = named ?? (await byFilled(db.read, 'name_key', nameKeyOf(nameOrEmail)).executeTakeFirst());
  return keyed ?? findUserByEmail(db.read, nameOrEmail);
};

export const findUserByAccessToken = (db: Database, digest: string): Promise<UserRow | undefined> =>
  byFilled(db.read, 'access_token_digest', digest).executeTakeFirst();

/** Whether this database was ever used: the first start makes root. */
export const hasUsers = async (query: ReadQueries): Promise<boolean> =>
  (await query.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;

/** The account as it is now, locked until the transaction ends: what it shows stays so. */
export const lockUser = (trx: DatabaseTransaction, id: number): Promise<UserRow | undefined> =>
  trx
    .updateTable('users')
    .set({ id })
    .where('id', '=', id)
    .where('status', '!=', deleted)
    .returningAll()
    .executeTakeFirst();

/** Throws `username_taken` where the name is another's. */
export const insertUser = async (query: WriteQueries, user: NewUser): Promise<number> => {
  const insert = query
    .insertInto('users')
    .values({ ...user, name_key: nameKeyOf(user.username), available: 0, held: 0, used: 0, request_count: 0 })
    .returning('id');
  try {
    return (await insert.executeTakeFirstOrThrow()).id;
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('username_taken', {}, error) : error;
  }
};

/** The user of a name, deleted ones included: their log rows stay. */
export const findUserId = async (query: ReadQueries, username: string): Promise<number | undefined> =>
  (await query.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst())?.id;

/** Whether there was such a user to change. Throws `username_taken` where the new name is another's. */
export const updateUser = async (query: WriteQueries, id: number, change: UserChange): Promise<boolean> => {
  const update = query
    .updateTable('users')
    .set({ id, ...change, ...(change.username !== undefined && { name_key: nameKeyOf(change.username) }) })
    .where('id', '=', id)
    .where('status', '!=', deleted);
  try {
    const { numUpdatedRows } = await update.executeTakeFirst();
    return numUpdatedRows > 0n;
  } catch (error) {
    throw change.username !== undefined && isUniqueViolation(error) ? new AppError('username_taken', {}, error) : error;
  }
};

/**
 * The change that gives an account another password. It also ends the system access token, which could have
 * been made with a leaked old password.
 */
export const passwordChange = (hash: string, { mustChange = false } = {}): UserChange => ({
  password_hash: hash,
  must_change_password: mustChange ? 1 : 0,
  access_token_digest: '',
});

/** False: what identifies the account elsewhere is another account's. */
export const bindIdentity = async (query: WriteQueries, id: number, identity: UserChange): Promise<boolean> => {
  try {
    return await updateUser(query, id, identity);
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
};

/**
 * Turns an account into a tombstone: it cannot sign in and its keys are refused, its name and its accounts elsewhere
 * are free again, and ledger and logs keep their row. False: there is no such account.
 */
export const deleteUser = (query: WriteQueries, id: number): Promise<boolean> =>
  updateUser(query, id, {
    status: deleted,
    username: `deleted_${randomBytes(16).toString('hex')}`,
    password_hash: '',
    access_token_digest: '',
  });

/** The oldest root. */
export const findRoot = (query: ReadQueries): Promise<UserRow | undefined> =>
  present(query).where('role', '>=', role.root).orderBy('id').limit(1).executeTakeFirst();

/** The address for mail to root: that of the oldest root that has one; empty: none has. */
export const findRootAddress = async (query: ReadQueries): Promise<string> => {
  const root = await present(query)
    .where('role', '>=', role.root)
    .where('email', '<>', '')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return root?.email ?? '';
};

/** The names of users by their number as text, deleted ones included: their records stay. */
export const findUsernames = async (db: Database, ids: readonly number[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db.read.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, username }) => [String(id), username]));
};

/** Stores another hash of the same password, unless the password was changed meanwhile. */
export const replacePasswordHash = (
  db: Database,
  { id, from, to }: { readonly id: number; readonly from: string; readonly to: string },
) =>
  db.write
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .execute();
