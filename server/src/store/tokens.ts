import { neverExpires, tokenStatus } from '@weir/contract/tokens';
import type { Selectable } from 'kysely';
import type { Database, ReadQueries, WriteQueries } from './database.ts';
import { anchorsByDatabase, countEntries, readPage } from './pages.ts';
import type { TokensTable } from './token-tables.ts';
import { contains } from './search.ts';
import type { Secrets } from './credentials/secrets.ts';

export type TokenRow = Selectable<TokensTable>;
export type TokenOrder = '' | 'remain_quota' | 'used_quota';

/** A token with what the relay must know of its owner. */
export interface TokenWithOwner extends TokenRow {
  readonly username: string;
  readonly owner_status: number;
  readonly owner_role: number;
  readonly owner_group: string;
}

/** The position of a page of tokens: the values it is ordered by. */
interface TokenKey {
  readonly id: number;
  readonly unlimited: number;
  readonly amount: number;
}

const anchorsOf = anchorsByDatabase<TokenKey>();

const alive = (query: ReadQueries) => query.selectFrom('tokens').selectAll('tokens').where('deleted_time', '=', 0);

/** Tokens of an account. */
export interface OwnTokens {
  readonly userId: number;
  /** Those of one member of the team; absent: all. */
  readonly memberId?: number | undefined;
}

/** An owner's tokens, newest first, or by the named amount, largest first (unlimited ones before any). */
export const listTokens = (
  db: Database,
  { userId, memberId, order, page }: OwnTokens & { readonly order: TokenOrder; readonly page: number },
): Promise<readonly TokenRow[]> =>
  readPage({
    anchors: anchorsOf(db),
    list: `${userId} ${memberId ?? ''} ${order}`,
    page,
    keyOf: (row): TokenKey => ({
      id: row.id,
      unlimited: row.unlimited_quota,
      amount: order === 'used_quota' ? row.used : row.available + row.held,
    }),
    read: (after, limit) => {
      const owned = alive(db.read).where('user_id', '=', userId).limit(limit);
      const own = memberId === undefined ? owned : owned.where('member_id', '=', memberId);
      if (order === '') {
        const newest = own.orderBy('id', 'desc');
        return (after === undefined ? newest : newest.where('id', '<', after.id)).execute();
      }
      if (order === 'used_quota') {
        const most = own.orderBy('used', 'desc').orderBy('id', 'desc');
        return after === undefined
          ? most.execute()
          : most.where((eb) => eb(eb.refTuple('used', 'id'), '<', eb.tuple(after.amount, after.id))).execute();
      }
      const remaining = own
        .orderBy('unlimited_quota', 'desc')
        .orderBy((eb) => eb('available', '+', eb.ref('held')), 'desc')
        .orderBy('id', 'desc');
      if (after === undefined) return remaining.execute();
      return remaining
        .where((eb) => {
          const remain = eb('available', '+', eb.ref('held'));
          return eb.or([
            eb('unlimited_quota', '<', after.unlimited),
            eb.and([
              eb('unlimited_quota', '=', after.unlimited),
              eb.or([eb(remain, '<', after.amount), eb.and([eb(remain, '=', after.amount), eb('id', '<', after.id)])]),
            ]),
          ]);
        })
        .execute();
    },
  });

/** An owner's tokens whose name contains the keyword; all of them for an empty keyword, at most 1,000. */
export const searchTokens = (
  db: Database,
  { userId, keyword }: { readonly userId: number; readonly keyword: string },
) =>
  alive(db.read)
    .where('user_id', '=', userId)
    .where((eb) => contains(eb.ref('name'), keyword))
    .orderBy('id', 'desc')
    .limit(1000)
    .execute();

/** The number of tokens of an owner that are not deleted, of any status. */
export const countTokens = async (query: ReadQueries, userId: number): Promise<number> => {
  const row = await query
    .selectFrom('tokens')
    .select((on) => on.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('deleted_time', '=', 0)
    .executeTakeFirstOrThrow();
  return row.count;
};

/** The length of `listTokens`; undefined: too many to count. */
export const countListedTokens = ({ read }: Database, { userId, memberId }: OwnTokens): Promise<number | undefined> => {
  const owned = read.selectFrom('tokens').select('id').where('user_id', '=', userId).where('deleted_time', '=', 0);
  return countEntries(read, memberId === undefined ? owned : owned.where('member_id', '=', memberId));
};

/** One of an owner's tokens; another owner's is not found. */
export const findToken = (query: ReadQueries, { id, userId }: { readonly id: number; readonly userId: number }) =>
  alive(query).where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();

/** The token that a key belongs to, whatever its status. */
export const findTokenByDigest = (db: Database, digest: string): Promise<TokenWithOwner | undefined> =>
  alive(db.read)
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select([
      'users.username',
      'users.status as owner_status',
      'users.role as owner_role',
      'users.group as owner_group',
    ])
    .where('key_digest', '=', digest)
    .executeTakeFirst();

export interface NewToken {
  readonly userId: number;
  readonly name: string;
  /** From `tokenKeyColumns`. */
  readonly key: { readonly key_digest: string; readonly key_sealed: string };
  readonly expiredTime: number;
  readonly unlimited: boolean;
  readonly models: string;
  readonly subnet: string;
  /** Of the team that the token is of; absent: none. */
  readonly memberId?: number | undefined;
  /** Unix seconds. */
  readonly at: number;
}

/** Makes a token that may spend nothing yet: its allocation is a posting in the same transaction. */
export const insertToken = async (query: WriteQueries, token: NewToken): Promise<number> => {
  const { id } = await query
    .insertInto('tokens')
    .values({
      user_id: token.userId,
      ...token.key,
      status: tokenStatus.enabled,
      name: token.name,
      created_time: token.at,
      accessed_time: token.at,
      expired_time: token.expiredTime,
      unlimited_quota: token.unlimited ? 1 : 0,
      available: 0,
      held: 0,
      used: 0,
      models: token.models,
      subnet: token.subnet,
      deleted_time: 0,
      member_id: token.memberId ?? 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Members left out stay as they are. */
export interface TokenChange {
  readonly name?: string;
  readonly status?: number;
  readonly expired_time?: number;
  readonly models?: string;
  readonly subnet?: string;
}

/** Whether there was such a token to change. */
export const updateToken = async (
  query: WriteQueries,
  { id, userId }: { readonly id: number; readonly userId: number },
  change: TokenChange,
): Promise<boolean> => {
  const { numUpdatedRows } = await query
    .updateTable('tokens')
    .set({ id, ...change })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_time', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

const markEnabled = (db: Database, id: number, status: number) =>
  db.write.updateTable('tokens').set({ status }).where('id', '=', id).where('status', '=', tokenStatus.enabled);

/** Marks a token that the relay found empty, unless it was refilled meanwhile. */
export const markExhausted = (db: Database, id: number) =>
  markEnabled(db, id, tokenStatus.exhausted)
    .where('unlimited_quota', '=', 0)
    .where('available', '=', 0)
    .where('held', '=', 0)
    .execute();

/** Marks a token whose time the relay found over, unless it was extended meanwhile. `now` in unix seconds. */
export const markExpired = (db: Database, { id, now }: { readonly id: number; readonly now: number }) =>
  markEnabled(db, id, tokenStatus.expired)
    .where('expired_time', '<>', neverExpires)
    .where('expired_time', '<', now)
    .execute();

/** Turns a token into a tombstone: no query finds it, the ledger keeps it. False: there was none. */
export const deleteToken = async (
  query: WriteQueries,
  { id, userId, at }: { readonly id: number; readonly userId: number; readonly at: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await query
    .updateTable('tokens')
    .set({ deleted_time: at, key_sealed: '' })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_time', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

const sealedIn = (digest: string): string => `tokens/key_sealed/${digest}`;

/** The two columns of a token's key. It is sealed to its digest: in another row it does not open. */
export const tokenKeyColumns = (secrets: Secrets, key: string) => {
  const digest = secrets.digest(key);
  return { key_digest: digest, key_sealed: secrets.seal(key, sealedIn(digest)) };
};

/** The key as its owner copies it, without `sk-`. */
export const openTokenKey = (secrets: Secrets, row: Pick<TokenRow, 'key_sealed' | 'key_digest'>): string =>
  secrets.open(row.key_sealed, sealedIn(row.key_digest));
