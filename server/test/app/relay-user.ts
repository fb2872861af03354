import type { Insertable } from 'kysely';
import { createTokenKey } from '../../src/store/credentials/token-key.ts';
import type { Database } from '../../src/store/database.ts';
import type { UsersTable } from '../../src/store/schema.ts';
import type { TokensTable } from '../../src/store/token-tables.ts';
import type { Secrets } from '../../src/store/credentials/secrets.ts';
import { tokenKeyColumns } from '../../src/store/tokens.ts';
import { addToken, addUser } from '../database/accounts.ts';

/** A user with a key. */
export interface RelayUser {
  readonly userId: number;
  readonly tokenId: number;
  /** With `sk-`. */
  readonly key: string;
}

export interface RelayUserOptions {
  /** Quota units of the account; absent: more than any test uses. */
  readonly quota?: number;
  /** Quota units of the token; absent: unlimited. */
  readonly allocation?: number;
  readonly user?: Partial<Insertable<UsersTable>>;
  readonly token?: Partial<Insertable<TokensTable>>;
}

/** Adds an account with a token by rows and postings, where the management API has no call or is slow. */
export const addRelayUser = async (
  { db, secrets }: { readonly db: Database; readonly secrets: Secrets },
  { quota = 1_000_000_000, allocation, user, token }: RelayUserOptions = {},
): Promise<RelayUser> => {
  const userId = await addUser(db, user);
  const key = createTokenKey();
  const unlimited = allocation === undefined;
  const columns = { ...tokenKeyColumns(secrets, key), unlimited_quota: unlimited ? 1 : 0 };
  const tokenId = await addToken(db, userId, { ...columns, ...token });
  const at = 1;
  const grant = { opKey: `grant:${userId}`, amount: quota, actorId: 0, reason: 'test', log: null };
  if (quota > 0) await db.post({ kind: 'credit', entry: 'grant', userId, at, ...grant });
  const opKey = `allocate:${tokenId}`;
  if (!unlimited) {
    await db.post({ kind: 'allocate', opKey, tokenId, userId, total: allocation, unlimited, actorId: 0, at });
  }
  return { userId, tokenId, key: `sk-${key}` };
};
