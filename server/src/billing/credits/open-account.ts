import { defaultGroup } from '@weir/contract/groups';
import { logType } from '@weir/contract/logs';
import { AppError, type Language } from '../../errors.ts';
import { countWithin } from '../../store/users/attempts.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { Database, DatabaseTransaction } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';
import { applyPostings } from '../../store/ledger/apply-postings.ts';
import type { CreditPosting } from '../../store/ledger/postings.ts';
import { randomString } from '../../store/credentials/random-string.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import { findUserByInviteCode, insertUser, plainUser, updateUser, type UserRow } from '../../store/users/users.ts';
import { isNameTaken, refuseTakenName } from '../../store/users/user-names.ts';
import { accountNote } from './account-note.ts';
import { defaultToken, type FirstToken, insertFirstToken } from './first-token.ts';
import { quotaText } from './quota-text.ts';

export interface OpenAccountDeps {
  readonly db: Database;
  readonly changes: Pick<Changes, 'publish'>;
  readonly secrets: Secrets;
  readonly options: Pick<Options, 'get'>;
  readonly clock: { now(): number };
}

/** The id of an account at a sign-in provider; at most one of them is set when the account is opened. */
type Identity = Partial<Pick<UserRow, 'github_id' | 'github_uid' | 'wechat_id' | 'lark_id' | 'oidc_id'>>;

/** The data of a new account. Absent members are empty. */
export interface NewAccount {
  /** The name, or the beginning of one that the account's id completes (`github_57`). */
  readonly username: string | { readonly prefix: string };
  /** Absent: the user name. */
  readonly displayName?: string;
  /** Absent: the account cannot sign in with a password. */
  readonly passwordHash?: string;
  /** Verified by its code. */
  readonly email?: string;
  readonly identity?: Identity;
  /** Absent: the default one. */
  readonly group?: string;
  /** Absent: one without limits. */
  readonly firstToken?: FirstToken;
  /** The invite code of the inviting user; an unknown one is ignored. */
  readonly inviteCode?: string;
  /** Of the log rows about its gifts. */
  readonly language: Language;
}

/** An invite code: 8 alphanumerics, 47 bits. */
export const createInviteCode = (): string => randomString(8);

export interface OpenedAccount {
  readonly id: number;
  readonly username: string;
}

const insertAccount = async (trx: DatabaseTransaction, account: NewAccount, inviterId: number, at: number) => {
  const { username: wanted, displayName, passwordHash = '', email = '', identity } = account;
  const placeholder = typeof wanted === 'string' ? wanted : `${wanted.prefix}${randomString(5)}`;
  await refuseTakenName(trx, placeholder);
  const id = await insertUser(trx, {
    ...plainUser,
    username: placeholder,
    display_name: displayName ?? placeholder,
    password_hash: passwordHash,
    email,
    group: account.group ?? defaultGroup,
    aff_code: createInviteCode(),
    inviter_id: inviterId,
    created_time: at,
    ...identity,
  });
  if (typeof wanted === 'string') return { id, username: wanted };
  // The name that the id makes may be taken: then the random one stays.
  const byId = `${wanted.prefix}${id}`;
  if (await isNameTaken(trx, byId, id)) return { id, username: placeholder };
  await updateUser(trx, id, { username: byId, display_name: displayName ?? byId });
  return { id, username: byId };
};

/** The text of a log row about a gift, before the amount. */
const giftTexts = {
  opening: { en: 'new-user registration gift', zh: '新用户注册赠送' },
  invited: { en: 'gift for using an invite code', zh: '使用邀请码赠送' },
  inviting: { en: 'gift for inviting a user', zh: '邀请用户赠送' },
} as const;

interface Gift {
  readonly entry: 'grant' | 'invite';
  readonly to: OpenedAccount;
  readonly amount: number;
  readonly reason: keyof typeof giftTexts;
}

interface GiftFacts {
  readonly user: OpenedAccount;
  readonly language: Language;
  readonly at: number;
}

/** The gifts for the new account and for the inviting user (wire contract 2.2). */
const listGifts = (options: OpenAccountDeps['options'], user: OpenedAccount, inviter?: OpenedAccount): Gift[] => {
  const opening: Gift = { entry: 'grant', to: user, amount: options.get('QuotaForNewUser'), reason: 'opening' };
  if (inviter === undefined) return [opening];
  return [
    opening,
    { entry: 'invite', to: user, amount: options.get('QuotaForInvitee'), reason: 'invited' },
    { entry: 'invite', to: inviter, amount: options.get('QuotaForInviter'), reason: 'inviting' },
  ];
};

const creditFor = (
  { entry, to, amount, reason }: Gift,
  { options, user, language, at }: Pick<OpenAccountDeps, 'options'> & GiftFacts,
): CreditPosting => {
  const content = `${giftTexts[reason][language]} ${quotaText(amount, options, language)}`;
  const log = accountNote({ type: logType.system, user: to, content, at });
  const opKey = `${entry}:${user.id}:${to.id}`;
  return {
    kind: 'credit',
    opKey,
    entry,
    userId: to.id,
    amount,
    actorId: user.id,
    reason: giftTexts[reason].en,
    at,
    log,
  };
};

/** Counted over all nodes; a failed opening does not count. */
const refuseWhereMany = async (
  trx: DatabaseTransaction,
  { options, at }: { readonly options: OpenAccountDeps['options']; readonly at: number },
): Promise<void> => {
  const max = options.get('AccountsPerHour');
  if (max > 0 && !(await countWithin(trx, { subject: 'accounts', max, seconds: 3600, now: at }))) {
    throw new AppError('too_many_accounts');
  }
};

const open = async (deps: OpenAccountDeps, trx: DatabaseTransaction, account: NewAccount) => {
  const { secrets, options, clock } = deps;
  const at = Math.floor(clock.now() / 1000);
  await refuseWhereMany(trx, { options, at });
  const inviter = await findUserByInviteCode(trx, account.inviteCode ?? '');
  const user = await insertAccount(trx, account, inviter?.id ?? 0, at);
  const facts = { options, user, language: account.language, at };
  const gifts = listGifts(options, user, inviter).filter(({ amount }) => amount > 0);
  const results = await applyPostings(
    trx,
    gifts.map((gift) => creditFor(gift, facts)),
  );
  if (results.some(({ outcome }) => outcome !== 'done')) throw new AppError('gift_refused');
  await insertFirstToken(trx, secrets, account.firstToken ?? defaultToken, { userId: user.id, at });
  return { user, inviter };
};

/**
 * Opens an account, all of it or nothing: its row, the gift for new users, the rewards of both sides of an invitation
 * as ledger entries with their log rows, its invite code and its first token. `alongside` is done in the same
 * transaction, as its last part: what used a code up, or notes the opening in the audit log. Throws `username_taken`,
 * `too_many_accounts`, and `gift_refused` where a gift would exceed the largest balance.
 */
export const openAccount = async (
  deps: OpenAccountDeps,
  account: NewAccount,
  alongside?: (trx: DatabaseTransaction, user: OpenedAccount) => Promise<void>,
): Promise<OpenedAccount> => {
  const { changes, db } = deps;
  const { user, inviter } = await db.write.transaction().execute(async (trx) => {
    const opened = await open(deps, trx, account);
    await alongside?.(trx, opened.user);
    return opened;
  });
  changes.publish({ topic: 'user', id: user.id });
  if (inviter !== undefined) changes.publish({ topic: 'user', id: inviter.id });
  return user;
};
