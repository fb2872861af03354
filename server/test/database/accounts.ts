import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '../../src/store/database.ts';
import { emptyLog, type NewLog } from '../../src/store/logs/log-columns.ts';
import type { CreditPosting, HoldPosting, SettlePosting } from '../../src/store/ledger/postings.ts';
import type { ChannelsTable, UsersTable } from '../../src/store/schema.ts';
import type { TokensTable } from '../../src/store/token-tables.ts';
import { plainUser } from '../../src/store/users/users.ts';

/** What no other row has, of this process or an earlier one. */
const next = (): string => randomUUID();

/** Adds a user with nothing; credit it with a posting. */
export const addUser = async (db: Database, values: Partial<Insertable<UsersTable>> = {}): Promise<number> => {
  const row = {
    ...plainUser,
    username: `user${next()}`,
    display_name: '',
    group: 'default',
    available: 0,
    held: 0,
    used: 0,
    request_count: 0,
    created_time: 0,
    ...values,
  };
  return (await db.write.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id;
};

/** Adds a limited token with nothing; allocate it with a posting. */
export const addToken = async (db: Database, userId: number, values: Partial<Insertable<TokensTable>> = {}) => {
  const row = {
    user_id: userId,
    key_digest: `digest${next()}`,
    key_sealed: '',
    status: 1,
    name: 'token',
    created_time: 0,
    accessed_time: 0,
    expired_time: -1,
    unlimited_quota: 0,
    available: 0,
    held: 0,
    used: 0,
    models: '',
    subnet: '',
    deleted_time: 0,
    ...values,
  };
  return (await db.write.insertInto('tokens').values(row).returning('id').executeTakeFirstOrThrow()).id;
};

export const addChannel = async (db: Database, values: Partial<Insertable<ChannelsTable>> = {}): Promise<number> => {
  const row = {
    type: 1,
    key_sealed: '',
    key_digest: '',
    key_tail: '',
    status: 1,
    status_reason: '',
    name: `channel${next()}`,
    weight: 0,
    priority: 0,
    created_time: 0,
    test_time: 0,
    response_time: 0,
    test_error: '',
    base_url: '',
    other: '',
    balance: 0,
    balance_currency: '',
    balance_updated_time: 0,
    models: '',
    group: 'default',
    used: 0,
    model_mapping: '',
    config: '',
    system_prompt: '',
    deleted_time: 0,
    ...values,
  };
  return (await db.write.insertInto('channels').values(row).returning('id').executeTakeFirstOrThrow()).id;
};

/** A user with `quota` since `at` (unix seconds), one of its tokens with `allocation` (`undefined`: unlimited) and a channel. */
export const addCaller = async (db: Database, quota: number, allocation?: number, at = 1) => {
  const userId = await addUser(db);
  const tokenId = await addToken(db, userId, { unlimited_quota: allocation === undefined ? 1 : 0 });
  const channelId = await addChannel(db);
  await db.post({
    kind: 'credit',
    opKey: `grant:${userId}`,
    entry: 'grant',
    userId,
    amount: quota,
    actorId: 0,
    reason: '',
    at,
    log: null,
  });
  if (allocation !== undefined) {
    const opKey = `allocate:${tokenId}`;
    await db.post({
      kind: 'allocate',
      opKey,
      tokenId,
      userId,
      remain: allocation,
      unlimited: false,
      actorId: 0,
      at,
    });
  }
  return { userId, tokenId, channelId, tokenLimited: allocation !== undefined };
};
export type Caller = Awaited<ReturnType<typeof addCaller>>;

/** The account of a caller as it is stored. */
export const balanceOf = ({ read }: Pick<Database, 'read'>, { userId }: Pick<Caller, 'userId'>) =>
  read
    .selectFrom('users')
    .select(['available', 'held', 'used', 'request_count'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();

export const holdFor = (caller: Caller, requestId: string, amount: number): HoldPosting => ({
  kind: 'hold',
  ...caller,
  requestId,
  amount,
  priceVersion: 1,
  modelName: 'model',
  openedAt: 1,
});

/** Quota that user 1 is given. */
export const grantOf = (amount: number): CreditPosting => ({
  kind: 'credit',
  opKey: 'credit',
  entry: 'grant',
  userId: 1,
  amount,
  actorId: 0,
  reason: '',
  at: 1,
  log: null,
});

export const logFor = ({ userId, tokenId, channelId }: Caller, requestId: string, quota: number): NewLog => ({
  ...emptyLog,
  user_id: userId,
  created_at: 7200,
  type: 2,
  username: 'user',
  token_id: tokenId,
  token_name: 'token',
  model_name: 'model',
  quota,
  prompt_tokens: 3,
  completion_tokens: 4,
  channel_id: channelId,
  request_id: requestId,
  elapsed_time: 5,
});

export const settleFor = (caller: Caller, requestId: string, amount: number): SettlePosting => ({
  kind: 'settle',
  ...caller,
  requestId,
  amount,
  priceVersion: 1,
  estimated: false,
  at: 7200,
  log: logFor(caller, requestId, amount),
});

/** Changes columns of a user as no call of the management API does yet. */
export const setUser = (db: Database, id: number, values: Partial<Insertable<UsersTable>>) =>
  db.write.updateTable('users').set(values).where('id', '=', id).execute();
