import { defaultGroup } from '@weir/contract/groups';
import { role } from '@weir/contract/roles';
import { neverExpires } from '@weir/contract/tokens';
import { createInviteCode } from '../billing/credits/open-account.ts';
import { readShippedBook } from '../billing/price/book/shipped-book.ts';
import type { Database, DatabaseTransaction } from '../store/database.ts';
import { noteForeignKeys } from '../store/foreign-keys.ts';
import { applyPostings } from '../store/ledger/apply-postings.ts';
import { storeMissingOption } from '../store/options.ts';
import { insertPriceBook } from '../store/prices/price-books.ts';
import type { Secrets } from '../store/credentials/secrets.ts';
import { randomPassword } from '../store/credentials/random-string.ts';
import { insertToken, tokenKeyColumns } from '../store/tokens.ts';
import { hasUsers, insertUser, plainUser } from '../store/users/users.ts';

/** The initial quota of root, in quota units (wire contract 2.0). */
const rootQuota = 500_000_000_000_000;

export interface FirstStartOptions {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: { now(): number };
  readonly hashPassword: (password: string) => Promise<string>;
  readonly password: string | undefined;
  /** A relay key for root, without `sk-`. */
  readonly token: string | undefined;
  readonly accessToken: string | undefined;
}

/** Root as a row, without any quota. */
const insertRoot = (
  trx: DatabaseTransaction,
  { secrets, accessToken }: FirstStartOptions,
  { passwordHash, at }: { readonly passwordHash: string; readonly at: number },
): Promise<number> =>
  insertUser(trx, {
    ...plainUser,
    username: 'root',
    display_name: 'Root User',
    password_hash: passwordHash,
    must_change_password: 1,
    role: role.root,
    group: defaultGroup,
    aff_code: createInviteCode(),
    access_token_digest: accessToken === undefined ? '' : secrets.digest(accessToken),
    created_time: at,
  });

interface RootToken {
  readonly userId: number;
  readonly key: string;
  readonly at: number;
}

const insertRootToken = async (trx: DatabaseTransaction, secrets: Secrets, { userId, key, at }: RootToken) => {
  const tokenId = await insertToken(trx, {
    userId,
    name: 'Initial Root Token',
    key: tokenKeyColumns(secrets, key),
    expiredTime: neverExpires,
    unlimited: true,
    models: '',
    subnet: '',
    at,
  });
  const opKey = `allocate:${tokenId}:created`;
  await applyPostings(trx, [
    { kind: 'allocate', opKey, tokenId, userId, total: rootQuota, unlimited: true, actorId: userId, at },
  ]);
  await noteForeignKeys(trx);
};

/** A new installation has the list prices of this release, and refuses models without a price. */
const startWithListPrices = async (trx: DatabaseTransaction, at: number): Promise<void> => {
  await insertPriceBook(trx, { book: readShippedBook(), source: 'shipped', actorId: 0, at });
  await storeMissingOption(trx, 'UnpricedModels', 'refuse');
};

/** Whether this call created root; false where another node did. */
const makeRoot = async (options: FirstStartOptions, passwordHash: string): Promise<boolean> => {
  const { clock, db, secrets, token } = options;
  const at = Math.floor(clock.now() / 1000);
  try {
    return await db.write.transaction().execute(async (trx) => {
      if (await hasUsers(trx)) return false;
      const userId = await insertRoot(trx, options, { passwordHash, at });
      const grant = { opKey: 'grant:root', amount: rootQuota, actorId: userId, reason: 'first start', log: null };
      await applyPostings(trx, [{ kind: 'credit', entry: 'grant', userId, at, ...grant }]);
      await startWithListPrices(trx, at);
      if (token !== undefined) await insertRootToken(trx, secrets, { userId, key: token, at });
      return true;
    });
  } catch (error) {
    // Two nodes may start for the first time at once: the name is taken for the second.
    if (await hasUsers(db.read)) return false;
    throw error;
  }
};

/**
 * Makes root where no user exists yet: role 100, its quota by a ledger entry, a password that must be changed. All of
 * it in one transaction, so that a start cut short leaves nothing. Resolves to the password to print: undefined when
 * the operator chose it, or when this is not the first start.
 */
export const runFirstStart = async (options: FirstStartOptions): Promise<string | undefined> => {
  if (await hasUsers(options.db.read)) return undefined;
  const password = options.password ?? randomPassword();
  const made = await makeRoot(options, await options.hashPassword(password));
  return made && options.password === undefined ? password : undefined;
};
