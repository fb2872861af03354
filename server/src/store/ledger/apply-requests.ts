import type { tokenStatus } from '@weir/contract/tokens';
import type { ExtendPosting, HoldPosting, ReleasePosting, SettlePosting } from './postings.ts';
import { overdraftKey, recovered, restKey, useKey, type TokenAccount } from './accounts-state.ts';
import { periodsNamed } from './period-names.ts';
import {
  addLog,
  availableIn,
  done,
  emptyEntry,
  endHold,
  findDone,
  findHold,
  isRecovered,
  moveAside,
  refused,
  repeated,
  write,
  type Aside,
  type Context,
  type Mutable,
  type Outcome,
} from './posting-work.ts';

/** The contract's values. Their type alone is imported: the writer thread starts without the contract's schemas. */
const tokenEnabled: typeof tokenStatus.enabled = 1;
const tokenExhausted: typeof tokenStatus.exhausted = 4;

/** Whether the account, the limited token and each hard budget have as much. */
const covers = ({ work }: Context, { user, token, budgets, amount }: Aside): boolean => {
  if (user === undefined || user.available < amount) return false;
  if (token !== undefined && token.available < amount) return false;
  return periodsNamed(budgets).every(({ id, isHard }) => {
    const row = isHard ? work.periods.get(id) : undefined;
    return row === undefined || availableIn(row) >= amount;
  });
};

/** Takes `amount` aside on the account, the limited token and the budgets; false where one that limits has less. */
const takeAside = (context: Context, wanted: Aside): boolean => {
  if (!covers(context, wanted)) return false;
  moveAside(context, wanted);
  return true;
};

const limitedToken = ({ work }: Context, tokenId: number): Mutable<TokenAccount> | undefined => {
  const token = work.tokens.get(tokenId);
  return token?.unlimited_quota === 0 ? token : undefined;
};

export const hold = (context: Context, posting: HoldPosting): Outcome => {
  if (findHold(context, posting.requestId) !== undefined) return repeated;
  const known = findDone(context, useKey(posting.requestId));
  if (known !== undefined) return known;
  const user = context.work.users.get(posting.userId);
  if (posting.tokenId !== 0 && context.work.tokens.get(posting.tokenId) === undefined) return refused;
  const token = limitedToken(context, posting.tokenId);
  if (!takeAside(context, { user, token, budgets: posting.budgets, amount: posting.amount })) return refused;
  context.work.holds.set(posting.requestId, {
    request_id: posting.requestId,
    user_id: posting.userId,
    token_id: posting.tokenId,
    channel_id: posting.channelId,
    amount: posting.amount,
    token_limited: token === undefined ? 0 : 1,
    price_version: posting.priceVersion,
    model_name: posting.modelName,
    node: context.state.node,
    epoch: context.state.epoch,
    opened_at: posting.openedAt,
    progress: 0,
    budgets: posting.budgets ?? '',
  });
  return done;
};

export const extend = (context: Context, posting: ExtendPosting): Outcome => {
  const { users, tokens, holds } = context.work;
  const open = findHold(context, posting.requestId);
  if (open === undefined) return refused;
  const by = posting.amount - open.amount;
  if (by <= 0) return repeated;
  const token = open.token_limited === 1 ? tokens.get(open.token_id) : undefined;
  if (!takeAside(context, { user: users.get(open.user_id), token, budgets: open.budgets, amount: by })) return refused;
  holds.set(posting.requestId, { ...open, amount: posting.amount });
  return done;
};

export const recordProgress = (context: Context, requestId: string, progress: number): Outcome => {
  const open = findHold(context, requestId);
  if (open === undefined) return repeated;
  if (progress > open.progress) context.work.holds.set(requestId, { ...open, progress });
  return done;
};

/** Raises the allocation of a key by what it was charged beyond it: its use is the ledger's, whatever it had left. */
const allocateOverdraft = (context: Context, posting: SettlePosting, opKey: string, amount: number) => {
  const { allocated } = context.work;
  allocated.set(posting.tokenId, (allocated.get(posting.tokenId) ?? 0) + amount);
  write(context, {
    ...emptyEntry,
    op_key: overdraftKey(opKey),
    kind: 'allocate',
    user_id: posting.userId,
    token_id: posting.tokenId,
    amount,
    reason: 'overdrawn',
    created_at: posting.at,
  });
};

/** Charges of several nodes may come in another order than the calls ended. */
const noteUse = (token: Mutable<TokenAccount>, { at, address = '' }: SettlePosting) => {
  if (at < token.accessed_time) return;
  token.accessed_time = at;
  if (address !== '') token.last_address = address;
};

/**
 * Charges what the account can pay; the hold was made spendable again just before, so it is the first to go. A limited
 * key limits what is admitted, not what is owed: its owner may lower it while the call runs. So it pays what it has.
 */
const charge = (context: Context, posting: SettlePosting, opKey: string): Outcome => {
  const { work } = context;
  const user = work.users.get(posting.userId);
  const token = posting.tokenId === 0 ? undefined : work.tokens.get(posting.tokenId);
  const charged = Math.min(posting.amount, user?.available ?? 0);
  if (user !== undefined) {
    user.available -= charged;
    user.used += charged;
  }
  if (token !== undefined) {
    noteUse(token, posting);
    token.used += charged;
    if (token.unlimited_quota === 0) {
      const paid = Math.min(charged, token.available);
      token.available -= paid;
      if (charged > paid) allocateOverdraft(context, posting, opKey, charged - paid);
      if (token.available + token.held === 0 && token.status === tokenEnabled) token.status = tokenExhausted;
    }
  }
  // A budget limits what is admitted too: what a call cost beyond its hold is counted, and missing for the next one.
  for (const { id } of periodsNamed(posting.budgets)) {
    const period = work.periods.get(id);
    if (period !== undefined) period.used += charged;
  }
  return { outcome: 'done', charged, unrecovered: posting.amount - charged };
};

/** Charges, and writes the ledger entry and the log row. */
const enter = (context: Context, posting: SettlePosting, opKey: string): Outcome => {
  const result = charge(context, posting, opKey);
  const { charged, unrecovered } = result;
  const { work } = context;
  if (posting.channelId !== 0) {
    work.channels.set(posting.channelId, (work.channels.get(posting.channelId) ?? 0) + charged);
  }
  write(context, {
    op_key: opKey,
    kind: 'use',
    user_id: posting.userId,
    token_id: posting.tokenId,
    channel_id: posting.channelId,
    amount: charged,
    unrecovered,
    request_id: posting.requestId,
    price_version: posting.priceVersion,
    estimated: posting.estimated ? 1 : 0,
    actor_id: 0,
    reason: posting.reason ?? '',
    created_at: posting.at,
    budgets: posting.budgets ?? '',
  });
  if (posting.log !== null) {
    addLog(context, posting.log.quota === charged ? posting.log : { ...posting.log, quota: charged });
  }
  return result;
};

/** The hold was taken for abandoned and charged at its checkpoint while the call still ran: it owes the difference. */
const settleRest = (context: Context, posting: SettlePosting, known: Outcome): Outcome => {
  const opKey = restKey(posting.requestId);
  const rest = posting.amount - known.charged - known.unrecovered;
  const entered =
    findDone(context, opKey) ?? (rest > 0 ? enter(context, { ...posting, amount: rest }, opKey) : repeated);
  return {
    outcome: entered.outcome,
    charged: known.charged + entered.charged,
    unrecovered: known.unrecovered + entered.unrecovered,
  };
};

/** Whether what one of several nodes had set aside in its memory is available, as far as the charge needs it. */
const isCovered = (context: Context, posting: SettlePosting): boolean => {
  const { userId, tokenId, tokenLimited, budgets, amount, setAside } = posting;
  if (setAside === undefined) return true;
  const user = context.work.users.get(userId);
  // A key that did not limit the call when it was admitted does not refuse it now.
  const token = tokenLimited ? limitedToken(context, tokenId) : undefined;
  return covers(context, { user, token, budgets, amount: Math.min(amount, setAside) });
};

export const settle = (context: Context, posting: SettlePosting): Outcome => {
  const open = posting.unheld === true ? undefined : findHold(context, posting.requestId);
  if (open !== undefined) endHold(context, open);
  const opKey = useKey(posting.requestId);
  const known = findDone(context, opKey);
  if (known !== undefined) {
    return isRecovered(context, opKey) && posting.reason !== recovered ? settleRest(context, posting, known) : known;
  }
  if (open === undefined && !isCovered(context, posting)) return refused;
  const user = context.work.users.get(posting.userId);
  if (user !== undefined) user.request_count += 1;
  return enter(context, posting, opKey);
};

export const release = (context: Context, posting: ReleasePosting): Outcome => {
  const open = findHold(context, posting.requestId);
  if (open === undefined) return repeated;
  endHold(context, open);
  return done;
};
