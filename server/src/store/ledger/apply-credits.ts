import type { redemptionStatus } from '@weir/contract/redemptions';
import type { AllocatePosting, Balance, CreditPosting, RedeemPosting } from './postings.ts';
import { redeemKey } from './accounts-state.ts';
import { addLog, done, emptyEntry, findDone, refused, write, type Context, type Outcome } from './posting-work.ts';

/** The contract's values. Their type alone is imported: the writer thread starts without the contract's schemas. */
const codeUnused: typeof redemptionStatus.unused = 1;
const codeRedeemed: typeof redemptionStatus.used = 3;

/** The sum of an account's credits, spent ones included, is compared with the ledger: it must stay an exact integer. */
const staysExact = ({ available, held, used }: Balance, amount: number): boolean =>
  Number.isSafeInteger(available + held + used + amount);

export const credit = (context: Context, posting: CreditPosting): Outcome => {
  const known = findDone(context, posting.opKey);
  if (known !== undefined) return known;
  const user = context.work.users.get(posting.userId);
  const after = (user?.available ?? 0) + posting.amount;
  if (user === undefined || after < 0 || !staysExact(user, posting.amount)) return refused;
  user.available = after;
  write(context, {
    ...emptyEntry,
    op_key: posting.opKey,
    kind: posting.entry,
    user_id: posting.userId,
    amount: posting.amount,
    actor_id: posting.actorId,
    reason: posting.reason,
    created_at: posting.at,
  });
  if (posting.log !== null) addLog(context, posting.log);
  return { outcome: 'done', charged: posting.amount, unrecovered: 0 };
};

/** Quota that the token can spend afterwards, without its open holds. */
const wantedAvailable = (posting: AllocatePosting, token: Balance): number => {
  if (posting.total !== undefined) return Math.max(0, posting.total - token.held - token.used);
  if (posting.remain === undefined) return token.available;
  const spentSince = posting.usedSeen === undefined ? 0 : Math.max(0, token.used - posting.usedSeen);
  return Math.max(0, posting.remain - spentSince - token.held);
};

export const allocate = (context: Context, posting: AllocatePosting): Outcome => {
  const known = findDone(context, posting.opKey);
  if (known !== undefined) return known;
  const token = context.work.tokens.get(posting.tokenId);
  if (token === undefined || token.user_id !== posting.userId) return refused;
  token.available = wantedAvailable(posting, token);
  token.unlimited_quota = posting.unlimited ? 1 : 0;
  // While a token is unlimited its use counts against no allocation: the entry makes up for that too.
  const total = token.available + token.held + token.used;
  const amount = total - (context.work.allocated.get(posting.tokenId) ?? 0);
  context.work.allocated.set(posting.tokenId, total);
  write(context, {
    ...emptyEntry,
    op_key: posting.opKey,
    kind: 'allocate',
    user_id: posting.userId,
    token_id: posting.tokenId,
    amount,
    actor_id: posting.actorId,
    created_at: posting.at,
  });
  return done;
};

export const redeem = (context: Context, posting: RedeemPosting): Outcome => {
  const code = context.work.codes.get(posting.keyDigest);
  const user = context.work.users.get(posting.userId);
  if (code === undefined || user === undefined || code.status !== codeUnused || code.deleted_time !== 0) return refused;
  const known = findDone(context, redeemKey(code.id));
  if (known !== undefined) return known;
  const after = user.available + code.quota;
  if (code.quota < 0 || !staysExact(user, code.quota)) return refused;
  code.status = codeRedeemed;
  user.available = after;
  context.work.redeemed.push({ id: code.id, userId: posting.userId, at: posting.at });
  write(context, {
    ...emptyEntry,
    op_key: redeemKey(code.id),
    kind: 'redeem',
    user_id: posting.userId,
    amount: code.quota,
    created_at: posting.at,
  });
  if (posting.log !== null) addLog(context, posting.log);
  return { outcome: 'done', charged: code.quota, unrecovered: 0 };
};
