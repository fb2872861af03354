import { randomBytes, randomInt } from 'node:crypto';
import { defaultGroup } from '@weir/contract/groups';
import { role } from '@weir/contract/roles';
import type { Database } from '../store/database.ts';
import { applyPostings } from '../store/postings.ts';
import type { Secrets } from '../store/secrets.ts';
import { insertToken, tokenKeyColumns } from '../store/tokens.ts';
import { hasUsers, insertUser } from '../store/users.ts';

/** What root starts with, in quota units (wire contract 2.0). */
const rootQuota = 500_000_000_000_000;
const passwordAlphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const passwordLength = 20;

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

const randomPassword = (): string =>
  Array.from({ length: passwordLength }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join('');

/**
 * Makes root where no user exists yet: role 100, its quota by a ledger entry, a password that must be changed. All of
 * it in one transaction, so that a start cut short leaves nothing. Resolves to the password to print: undefined when
 * the operator chose it, or when this is not the first start.
 */
export const runFirstStart = async (options: FirstStartOptions): Promise<string | undefined> => {
  const { db, secrets, clock } = options;
  if (await hasUsers(db.query)) return undefined;
  const password = options.password ?? randomPassword();
  const passwordHash = await options.hashPassword(password);
  const at = Math.floor(clock.now() / 1000);
  const made = await db.query.transaction().execute(async (trx) => {
    if (await hasUsers(trx)) return false;
    const userId = await insertUser(trx, {
      username: 'root',
      display_name: 'Root User',
      password_hash: passwordHash,
      must_change_password: 1,
      role: role.root,
      status: 1,
      email: '',
      github_id: '',
      github_uid: '',
      wechat_id: '',
      lark_id: '',
      oidc_id: '',
      group: defaultGroup,
      aff_code: randomBytes(4).toString('hex'),
      inviter_id: 0,
      access_token_digest: options.accessToken === undefined ? '' : secrets.digest(options.accessToken),
      created_time: at,
    });
    await applyPostings(trx, [
      { kind: 'credit', opKey: 'grant:root', entry: 'grant', userId, amount: rootQuota, actorId: userId, reason: 'first start', at, log: null },
    ]);
    if (options.token === undefined) return true;
    const tokenId = await insertToken(trx, {
      userId,
      name: 'Initial Root Token',
      key: tokenKeyColumns(secrets, options.token),
      expiredTime: -1,
      unlimited: true,
      models: '',
      subnet: '',
      at,
    });
    await applyPostings(trx, [
      { kind: 'allocate', opKey: `allocate:${tokenId}:created`, tokenId, userId, total: rootQuota, unlimited: true, actorId: userId, at },
    ]);
    return true;
  });
  return made && options.password === undefined ? password : undefined;
};
