import { redemptionStatus } from '@weir/contract/redemptions';
import { sql, type Selectable } from 'kysely';
import type { Database, DatabaseTransaction, ReadQueries, WriteQueries } from './database.ts';
import { anchorsByDatabase, countEntries, readPage } from './pages.ts';
import type { RedemptionsTable } from './schema.ts';
import { beginsWithIndexed, idIn, searchMax } from './search.ts';
import type { Secrets } from './credentials/secrets.ts';

export type RedemptionRow = Selectable<RedemptionsTable>;

const anchorsOf = anchorsByDatabase<number>();

const alive = (query: ReadQueries) => query.selectFrom('redemptions').selectAll().where('deleted_time', '=', 0);

/** All codes, newest first. `reader` is the caller, so that the pages of two callers do not mix. */
export const listRedemptions = (db: Database, { reader, page }: { readonly reader: number; readonly page: number }) =>
  readPage({
    anchors: anchorsOf(db),
    list: String(reader),
    page,
    keyOf: (row: RedemptionRow) => row.id,
    read: (after, limit) => {
      const newest = alive(db.read).orderBy('id', 'desc').limit(limit);
      return (after === undefined ? newest : newest.where('id', '<', after)).execute();
    },
  });

/** The length of `listRedemptions`; undefined: too many to count. */
export const countRedemptions = ({ read }: Database): Promise<number | undefined> =>
  countEntries(read, read.selectFrom('redemptions').select('id').where('deleted_time', '=', 0));

/** The code of this id, and those whose name begins with the keyword: newest first, at most 1,000. */
export const searchRedemptions = async (db: Database, keyword: string): Promise<readonly RedemptionRow[]> => {
  if (keyword === '') return alive(db.read).orderBy('id', 'desc').limit(searchMax).execute();
  const id = idIn(keyword);
  const [byId, named] = await Promise.all([
    id === undefined ? undefined : findRedemption(db.read, id),
    alive(db.read)
      .where((eb) => beginsWithIndexed(eb.ref('name'), keyword))
      .orderBy(sql`lower(name)`)
      .orderBy('id')
      .limit(searchMax)
      .execute(),
  ]);
  const found = new Map([...named, ...(byId === undefined ? [] : [byId])].map((row) => [row.id, row]));
  return [...found.values()].toSorted((one, other) => other.id - one.id);
};

export const findRedemption = (query: ReadQueries, id: number): Promise<RedemptionRow | undefined> =>
  alive(query).where('id', '=', id).executeTakeFirst();

/** The code with this key, by its digest; a deleted one is not found. */
export const findRedemptionByDigest = (query: ReadQueries, digest: string): Promise<RedemptionRow | undefined> =>
  alive(query).where('key_digest', '=', digest).executeTakeFirst();

/** The same, locked until the transaction ends, so that it cannot change meanwhile. */
export const lockRedemption = (trx: DatabaseTransaction, digest: string): Promise<RedemptionRow | undefined> =>
  trx
    .updateTable('redemptions')
    .set({ deleted_time: 0 })
    .where('key_digest', '=', digest)
    .where('deleted_time', '=', 0)
    .returningAll()
    .executeTakeFirst();

export interface NewRedemptions {
  /** The user who makes them. */
  readonly userId: number;
  readonly name: string;
  /** Quota units of each. */
  readonly quota: number;
  readonly keys: readonly string[];
  /** Unix seconds. */
  readonly at: number;
}

export const insertRedemptions = async (
  query: WriteQueries,
  secrets: Secrets,
  { userId, name, quota, keys, at }: NewRedemptions,
): Promise<void> => {
  const rows = keys.map((key) => ({
    user_id: userId,
    ...redemptionKeyColumns(secrets, key),
    status: redemptionStatus.unused,
    name,
    quota,
    created_time: at,
    redeemed_time: 0,
    redeemed_user_id: 0,
    deleted_time: 0,
  }));
  await query.insertInto('redemptions').values(rows).execute();
};

/** Members left out stay as they are. */
export interface RedemptionChange {
  readonly name?: string;
  readonly quota?: number;
  readonly status?: number;
}

/**
 * The code after the change. Undefined: there is no such code, or it is used and the change is of its status or quota,
 * which the ledger relies on. One statement, so that a redemption at the same moment comes before it or after it.
 */
export const updateRedemption = (
  query: WriteQueries,
  id: number,
  { name, quota, status }: RedemptionChange,
): Promise<RedemptionRow | undefined> =>
  query
    .updateTable('redemptions')
    .set({ id, ...(name !== undefined && { name }), ...(quota !== undefined && { quota }), ...(status && { status }) })
    .where('id', '=', id)
    .where('deleted_time', '=', 0)
    .where((eb) =>
      eb.or([
        eb('status', '<>', redemptionStatus.used),
        eb.and([
          ...(quota === undefined ? [] : [eb('quota', '=', quota)]),
          ...(status === undefined ? [] : [eb('status', '=', status)]),
        ]),
      ]),
    )
    .returningAll()
    .executeTakeFirst();

/** Turns a code into a tombstone without its key: no query finds it, the ledger keeps it. False: there was none. */
export const deleteRedemption = async (
  query: WriteQueries,
  { id, at }: { readonly id: number; readonly at: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await query
    .updateTable('redemptions')
    .set({ deleted_time: at, key_sealed: '' })
    .where('id', '=', id)
    .where('deleted_time', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

const sealedIn = (digest: string): string => `redemptions/key_sealed/${digest}`;

/** The two columns of a code's key. It is sealed to its digest: in another row it does not open. */
export const redemptionKeyColumns = (secrets: Secrets, key: string) => {
  const digest = secrets.digest(key);
  return { key_digest: digest, key_sealed: secrets.seal(key, sealedIn(digest)) };
};

/** The key as people redeem it. */
export const openRedemptionKey = (secrets: Secrets, row: Pick<RedemptionRow, 'key_sealed' | 'key_digest'>): string =>
  secrets.open(row.key_sealed, sealedIn(row.key_digest));
