import type { Database, DatabaseTransaction, ReadQueries, WriteQueries } from './database.ts';
import { findToken, findTokenByDigest, type TokenWithOwner } from './tokens.ts';

/** A token found by one of its keys. */
export interface TokenOfKey {
  readonly row: TokenWithOwner;
  /** Unix seconds until which a replaced key works; 0: it is the present key. */
  readonly validUntil: number;
}

/** The token that a key belongs to, present or replaced, whatever its status. */
export const findTokenOfKey = async (db: Database, digest: string): Promise<TokenOfKey | undefined> => {
  const row = await findTokenByDigest(db, digest);
  if (row !== undefined) return { row, validUntil: 0 };
  const replaced = await db.read
    .selectFrom('replaced_keys')
    .innerJoin('tokens', 'tokens.id', 'replaced_keys.token_id')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('tokens')
    .select([
      'users.username',
      'users.status as owner_status',
      'users.role as owner_role',
      'users.group as owner_group',
      'replaced_keys.valid_until',
    ])
    .where('replaced_keys.key_digest', '=', digest)
    .where('tokens.deleted_time', '=', 0)
    .executeTakeFirst();
  return replaced === undefined ? undefined : { row: replaced, validUntil: replaced.valid_until };
};

interface OwnToken {
  readonly id: number;
  readonly userId: number;
}

/** A token, locked until the transaction ends. */
export const lockToken = async (trx: DatabaseTransaction, { id, userId }: OwnToken) => {
  await trx.updateTable('tokens').set({ id }).where('id', '=', id).where('user_id', '=', userId).execute();
  return findToken(trx, { id, userId });
};

/** An earlier roll of a token by the id that its client gave it. */
export const findRoll = (
  query: ReadQueries,
  { tokenId, rollId }: { readonly tokenId: number; readonly rollId: string },
) =>
  query
    .selectFrom('replaced_keys')
    .select(['created_time', 'successor'])
    .where('token_id', '=', tokenId)
    .where('roll_id', '=', rollId)
    .executeTakeFirst();

export interface Roll {
  readonly tokenId: number;
  readonly rollId: string;
  /** The digest of the key that is replaced. */
  readonly replaced: string;
  /** From `tokenKeyColumns`. */
  readonly key: { readonly key_digest: string; readonly key_sealed: string };
  readonly validUntil: number;
  readonly at: number;
}

/** Gives a locked token another key; the present one works until `validUntil`. */
export const storeRoll = async (query: WriteQueries, roll: Roll): Promise<void> => {
  const { tokenId, rollId, replaced, key, validUntil, at } = roll;
  await query
    .insertInto('replaced_keys')
    .values({
      key_digest: replaced,
      token_id: tokenId,
      roll_id: rollId,
      successor: key.key_digest,
      valid_until: validUntil,
      created_time: at,
    })
    .execute();
  await query
    .updateTable('tokens')
    .set({ ...key, overlap_until: validUntil })
    .where('id', '=', tokenId)
    .execute();
};

/** Ends the overlap of a locked token: its former key works no longer. */
export const endOverlap = async (
  query: WriteQueries,
  { tokenId, at }: { readonly tokenId: number; readonly at: number },
): Promise<void> => {
  await query
    .updateTable('replaced_keys')
    .set({ valid_until: at })
    .where('token_id', '=', tokenId)
    .where('valid_until', '>', at)
    .execute();
  await query.updateTable('tokens').set({ overlap_until: at }).where('id', '=', tokenId).execute();
};

/** A token that has or had a key, deleted ones included. */
export interface FoundToken {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly status: number;
  readonly accessed_time: number;
  readonly last_address: string;
  readonly deleted_time: number;
  readonly username: string;
  readonly owner_role: number;
  /** As `TokenOfKey.validUntil`. */
  readonly valid_until: number;
  /** Of the key it was found by. */
  readonly key_digest: string;
}

const foundColumns = [
  'tokens.id',
  'tokens.user_id',
  'tokens.name',
  'tokens.status',
  'tokens.accessed_time',
  'tokens.last_address',
  'tokens.deleted_time',
  'users.username',
  'users.role as owner_role',
] as const;

/** The tokens that have or had one of these keys, by keyed digest. */
export const findTokensOfKeys = async (
  query: ReadQueries,
  digests: readonly string[],
): Promise<readonly FoundToken[]> => {
  if (digests.length === 0) return [];
  const [present, replaced] = await Promise.all([
    query
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .select([...foundColumns, 'tokens.key_digest'])
      .where('tokens.key_digest', 'in', digests)
      .execute(),
    query
      .selectFrom('replaced_keys')
      .innerJoin('tokens', 'tokens.id', 'replaced_keys.token_id')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .select([...foundColumns, 'replaced_keys.valid_until', 'replaced_keys.key_digest'])
      .where('replaced_keys.key_digest', 'in', digests)
      .execute(),
  ]);
  return [...present.map((row) => ({ ...row, valid_until: 0 })), ...replaced];
};
