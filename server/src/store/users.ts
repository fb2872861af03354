import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import { AppError } from '../errors.ts';
import type { Database } from './database.ts';
import { isUniqueViolation } from './engine/database-error.ts';
import type { Schema, UsersTable } from './schema.ts';

export type UserRow = Selectable<UsersTable>;
/** Balances are not here: money comes by postings in the same transaction. */
export type NewUser = Omit<Insertable<UsersTable>, 'id' | 'available' | 'held' | 'used' | 'request_count'>;
export type UserChange = Omit<
  Updateable<UsersTable>,
  'id' | 'available' | 'held' | 'used' | 'request_count' | 'created_time'
>;

type Query = Kysely<Schema> | Transaction<Schema>;

const deleted = 3;

const present = (query: Query) => query.selectFrom('users').selectAll().where('status', '!=', deleted);

export const findUser = (query: Query, id: number): Promise<UserRow | undefined> =>
  present(query).where('id', '=', id).executeTakeFirst();

export const findUserByName = (query: Query, username: string): Promise<UserRow | undefined> =>
  present(query).where('username', '=', username).executeTakeFirst();

/** Who signs in with this text: a user name, or an e-mail address that belongs to exactly one account. */
export const findUserForLogin = async (db: Database, nameOrEmail: string): Promise<UserRow | undefined> => {
  const named = await findUserByName(db.query, nameOrEmail);
  if (named !== undefined || nameOrEmail === '') return named;
  const addressed = await present(db.query).where('email', '=', nameOrEmail).limit(2).execute();
  return addressed.length === 1 ? addressed[0] : undefined;
};

export const findUserByAccessToken = (db: Database, digest: string): Promise<UserRow | undefined> =>
  present(db.query).where('access_token_digest', '=', digest).executeTakeFirst();

/** Whether this database was ever used: the first start makes root. */
export const hasUsers = async (query: Query): Promise<boolean> =>
  (await query.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;

export const insertUser = async (query: Query, user: NewUser): Promise<number> => {
  const { id } = await query
    .insertInto('users')
    .values({ ...user, available: 0, held: 0, used: 0, request_count: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** The user of a name, deleted ones included: their log rows stay. */
export const findUserId = async (query: Query, username: string): Promise<number | undefined> =>
  (await query.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst())?.id;

/** Whether there was such a user to change. Throws `username_taken` where the new name is another's. */
export const updateUser = async (query: Query, id: number, change: UserChange): Promise<boolean> => {
  const update = query
    .updateTable('users')
    .set({ id, ...change })
    .where('id', '=', id)
    .where('status', '!=', deleted);
  try {
    const { numUpdatedRows } = await update.executeTakeFirst();
    return numUpdatedRows > 0n;
  } catch (error) {
    throw change.username !== undefined && isUniqueViolation(error) ? new AppError('username_taken', {}, error) : error;
  }
};
