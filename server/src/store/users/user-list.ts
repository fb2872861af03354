import { userStatus } from '@weir/contract/users';
import { sql } from 'kysely';
import type { Database, ReadQueries } from '../database.ts';
import { anchorsByDatabase, countEntries, readPage } from '../pages.ts';
import { beginsWithIndexed, idIn, searchMax } from '../search.ts';
import { findUser, type UserRow } from './users.ts';

export type UserOrder = '' | 'quota' | 'used_quota' | 'request_count';

/** The position of a page of users: the values it is ordered by. */
interface UserKey {
  readonly id: number;
  readonly amount: number;
}

interface UserPage {
  readonly order: UserOrder;
  readonly page: number;
  /** The caller, so that the pages of two callers do not mix. */
  readonly reader: number;
}

const anchorsOf = anchorsByDatabase<UserKey>();

const { deleted } = userStatus;
const present = (query: ReadQueries) => query.selectFrom('users').selectAll().where('status', '!=', deleted);
const presentIds = (query: ReadQueries) => query.selectFrom('users').select('id').where('status', '!=', deleted);

const amounts = {
  quota: { of: (row: UserRow) => row.available + row.held, sql: sql<number>`available + held` },
  used_quota: { of: (row: UserRow) => row.used, sql: sql<number>`used` },
  request_count: { of: (row: UserRow) => row.request_count, sql: sql<number>`request_count` },
} as const;

/** The account with a number, counted from the newest: only its id is read, and of those before it nothing. */
const findNewest = async (db: Database, index: number): Promise<UserKey | undefined> => {
  const found = await presentIds(db.read).orderBy('id', 'desc').offset(index).limit(1).executeTakeFirst();
  return found && { id: found.id, amount: 0 };
};

/**
 * All accounts, newest first, or by the named amount, largest first. There is no index on amounts: they change with
 * every request, which would have to keep it, and these orders are an administrator's alone.
 */
export const listUsers = (db: Database, { order, page, reader }: UserPage): Promise<readonly UserRow[]> =>
  readPage({
    anchors: anchorsOf(db),
    list: `${reader} ${order}`,
    page,
    keyOf: (row: UserRow): UserKey => ({ id: row.id, amount: order === '' ? 0 : amounts[order].of(row) }),
    ...(order === '' ? { seek: (index: number) => findNewest(db, index) } : {}),
    read: (after, limit) => {
      if (order === '') {
        const newest = present(db.read).limit(limit).orderBy('id', 'desc');
        return (after === undefined ? newest : newest.where('id', '<', after.id)).execute();
      }
      const amount = amounts[order].sql;
      // All accounts are sorted: their ids alone, which takes a third of the time.
      const most = presentIds(db.read).orderBy(amount, 'desc').orderBy('id', 'desc').limit(limit);
      const next =
        after === undefined
          ? most
          : most.where((eb) =>
              eb.or([eb(amount, '<', after.amount), eb.and([eb(amount, '=', after.amount), eb('id', '<', after.id)])]),
            );
      return db.read
        .selectFrom('users')
        .selectAll()
        .where('id', 'in', next)
        .orderBy(amount, 'desc')
        .orderBy('id', 'desc')
        .execute();
    },
  });

/** The length of `listUsers`; undefined: too many to count. */
export const countUsers = ({ read }: Database): Promise<number | undefined> => countEntries(read, presentIds(read));

const searched = ['username', 'email', 'display_name'] as const;

/** The account of this id, and those with a text that begins with the keyword: newest first, at most 1,000. */
export const searchUsers = async (db: Database, keyword: string): Promise<readonly UserRow[]> => {
  if (keyword === '') return present(db.read).orderBy('id', 'desc').limit(searchMax).execute();
  const id = idIn(keyword);
  const [byId, ...byText] = await Promise.all([
    id === undefined ? undefined : findUser(db.read, id),
    ...searched.map((column) =>
      present(db.read)
        .where((eb) => beginsWithIndexed(eb.ref(column), keyword))
        .orderBy(sql`lower(${sql.ref(column)})`)
        .orderBy('id')
        .limit(searchMax)
        .execute(),
    ),
  ]);
  const found = new Map([...byText.flat(), ...(byId === undefined ? [] : [byId])].map((row) => [row.id, row]));
  return [...found.values()].toSorted((one, other) => other.id - one.id).slice(0, searchMax);
};
