import type {
  AllocatePosting,
  Balance,
  CreditPosting,
  ExtendPosting,
  HoldPosting,
  NewLog,
  Posting,
  PostingResult,
  RedeemPosting,
  ReleasePosting,
  SettlePosting,
} from '../postings.ts';
import type { HoldsTable, LogHoursTable } from '../schema.ts';
import { redeemKey, useKey, type AccountsState, type NewEntry, type RowChanges } from './accounts-state.ts';

const secondsPerHour = 3600;
const logTypeConsume = 2;
const tokenEnabled = 1;
const tokenExhausted = 4;
const codeUnused = 1;
const codeRedeemed = 3;

type Mutable<Row> = { -readonly [Key in keyof Row]: Row[Key] };

/** A row that is copied when first asked for, so that the state stays as it was loaded. */
const copyOnUse = <Key, Row extends object>(rows: ReadonlyMap<Key, Row>) => {
  const copies = new Map<Key, Mutable<Row>>();
  const get = (key: Key): Mutable<Row> | undefined => {
    const copy = copies.get(key);
    if (copy !== undefined) return copy;
    const row = rows.get(key);
    if (row === undefined) return undefined;
    const made: Mutable<Row> = { ...row };
    copies.set(key, made);
    return made;
  };
  return { get, used: copies };
};

const emptyEntry = {
  token_id: 0,
  channel_id: 0,
  unrecovered: 0,
  request_id: '',
  price_version: 0,
  estimated: 0,
  actor_id: 0,
  reason: '',
} as const;

const createWork = (state: AccountsState) => ({
  users: copyOnUse(state.users),
  tokens: copyOnUse(state.tokens),
  channels: new Map<number, number>(),
  holds: new Map<string, HoldsTable | undefined>(),
  codes: copyOnUse(state.codes),
  redeemed: new Array<{ readonly id: number; readonly userId: number; readonly at: number }>(),
  ledger: new Array<NewEntry>(),
  written: new Map<string, NewEntry>(),
  logs: new Array<NewLog>(),
  hours: new Map<string, Mutable<LogHoursTable>>(),
  allocated: new Map(state.allocated),
});
type Work = ReturnType<typeof createWork>;

interface Context {
  readonly state: AccountsState;
  readonly work: Work;
}

type Outcome = Pick<PostingResult, 'outcome' | 'charged' | 'unrecovered'>;
const done: Outcome = { outcome: 'done', charged: 0, unrecovered: 0 };
const refused: Outcome = { outcome: 'refused', charged: 0, unrecovered: 0 };
const repeated: Outcome = { outcome: 'repeated', charged: 0, unrecovered: 0 };

const findHold = ({ state, work }: Context, requestId: string): HoldsTable | undefined =>
  work.holds.has(requestId) ? work.holds.get(requestId) : state.holds.get(requestId);

const findDone = ({ state, work }: Context, opKey: string): Outcome | undefined => {
  const entry = work.written.get(opKey) ?? state.done.get(opKey);
  return entry === undefined
    ? undefined
    : { outcome: 'repeated', charged: entry.amount, unrecovered: entry.unrecovered };
};

const write = ({ work }: Context, entry: NewEntry) => {
  work.ledger.push(entry);
  work.written.set(entry.op_key, entry);
};

const addHour = (work: Work, log: NewLog) => {
  if (log.type !== logTypeConsume) return;
  const hour = Math.floor(log.created_at / secondsPerHour);
  const { user_id, token_name, model_name, channel_id } = log;
  const key = `${hour} ${user_id} ${channel_id} ${token_name}\n${model_name}`;
  const row = work.hours.get(key);
  if (row === undefined) {
    const { quota, prompt_tokens, completion_tokens } = log;
    const counted = { requests: 1, quota, prompt_tokens, completion_tokens };
    work.hours.set(key, { hour, user_id, token_name, model_name, channel_id, ...counted });
    return;
  }
  row.requests += 1;
  row.quota += log.quota;
  row.prompt_tokens += log.prompt_tokens;
  row.completion_tokens += log.completion_tokens;
};

const addLog = ({ work }: Context, log: NewLog) => {
  work.logs.push(log);
  addHour(work, log);
};

const move = (account: Mutable<Balance>, change: Balance) => {
  account.available += change.available;
  account.held += change.held;
  account.used += change.used;
};

/** Ends a hold: its amount is spendable again. */
const endHold = ({ work }: Context, hold: HoldsTable) => {
  const back = { available: hold.amount, held: -hold.amount, used: 0 };
  const user = work.users.get(hold.user_id);
  if (user !== undefined) move(user, back);
  const token = hold.token_limited === 1 ? work.tokens.get(hold.token_id) : undefined;
  if (token !== undefined) move(token, back);
  work.holds.set(hold.request_id, undefined);
};

interface Aside {
  readonly user: Mutable<Balance> | undefined;
  /** Only where the token is limited. */
  readonly token: Mutable<Balance> | undefined;
  readonly amount: number;
}

/** Takes `amount` aside on the account and the limited token; false where either has less. */
const takeAside = ({ user, token, amount }: Aside): boolean => {
  if (user === undefined || user.available < amount) return false;
  if (token !== undefined && token.available < amount) return false;
  const aside = { available: -amount, held: amount, used: 0 };
  move(user, aside);
  if (token !== undefined) move(token, aside);
  return true;
};

const hold = (context: Context, posting: HoldPosting): Outcome => {
  if (findHold(context, posting.requestId) !== undefined) return repeated;
  const known = findDone(context, useKey(posting.requestId));
  if (known !== undefined) return known;
  const user = context.work.users.get(posting.userId);
  const named = posting.tokenId === 0 ? undefined : context.work.tokens.get(posting.tokenId);
  if (posting.tokenId !== 0 && named === undefined) return refused;
  const token = named?.unlimited_quota === 0 ? named : undefined;
  if (!takeAside({ user, token, amount: posting.amount })) return refused;
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
  });
  return done;
};

const extend = (context: Context, posting: ExtendPosting): Outcome => {
  const { users, tokens, holds } = context.work;
  const open = findHold(context, posting.requestId);
  if (open === undefined) return refused;
  const token = open.token_limited === 1 ? tokens.get(open.token_id) : undefined;
  if (!takeAside({ user: users.get(open.user_id), token, amount: posting.amount })) return refused;
  holds.set(posting.requestId, { ...open, amount: open.amount + posting.amount });
  return done;
};

const recordProgress = (context: Context, requestId: string, progress: number): Outcome => {
  const open = findHold(context, requestId);
  if (open === undefined) return repeated;
  if (progress > open.progress) context.work.holds.set(requestId, { ...open, progress });
  return done;
};

/**
 * Charges what the accounts can pay. The hold was made spendable again just before, so it is the first to go; the
 * account and a limited token pay the same, and what either lacks is not recovered.
 */
const charge = ({ work }: Context, posting: SettlePosting): Outcome => {
  const user = work.users.get(posting.userId);
  const token = posting.tokenId === 0 ? undefined : work.tokens.get(posting.tokenId);
  const limited = token !== undefined && token.unlimited_quota === 0;
  const payable = Math.min(user?.available ?? 0, limited ? token.available : Number.MAX_SAFE_INTEGER);
  const charged = Math.min(posting.amount, payable);
  if (user !== undefined) {
    user.available -= charged;
    user.used += charged;
    user.request_count += 1;
  }
  if (token !== undefined) {
    token.used += charged;
    if (limited) {
      token.available -= charged;
      if (token.available + token.held === 0 && token.status === tokenEnabled) token.status = tokenExhausted;
    }
  }
  return { outcome: 'done', charged, unrecovered: posting.amount - charged };
};

const settle = (context: Context, posting: SettlePosting): Outcome => {
  const open = posting.unheld === true ? undefined : findHold(context, posting.requestId);
  if (open !== undefined) endHold(context, open);
  const opKey = useKey(posting.requestId);
  const known = findDone(context, opKey);
  if (known !== undefined) return known;
  const result = charge(context, posting);
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
  });
  if (posting.log !== null) {
    addLog(context, posting.log.quota === charged ? posting.log : { ...posting.log, quota: charged });
  }
  return result;
};

const release = (context: Context, posting: ReleasePosting): Outcome => {
  const open = findHold(context, posting.requestId);
  if (open === undefined) return repeated;
  endHold(context, open);
  return done;
};

const credit = (context: Context, posting: CreditPosting): Outcome => {
  const known = findDone(context, posting.opKey);
  if (known !== undefined) return known;
  const user = context.work.users.get(posting.userId);
  const after = (user?.available ?? 0) + posting.amount;
  if (user === undefined || after < 0 || !Number.isSafeInteger(after)) return refused;
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

/** What the token can spend afterwards, beside its open holds. */
const wantedAvailable = (posting: AllocatePosting, token: Balance): number => {
  if (posting.total !== undefined) return Math.max(0, posting.total - token.held - token.used);
  if (posting.remain === undefined) return token.available;
  const spentSince = posting.usedSeen === undefined ? 0 : Math.max(0, token.used - posting.usedSeen);
  return Math.max(0, posting.remain - spentSince - token.held);
};

const allocate = (context: Context, posting: AllocatePosting): Outcome => {
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

const redeem = (context: Context, posting: RedeemPosting): Outcome => {
  const code = context.work.codes.get(posting.keyDigest);
  const user = context.work.users.get(posting.userId);
  if (code === undefined || user === undefined || code.status !== codeUnused || code.deleted_time !== 0) return refused;
  const known = findDone(context, redeemKey(code.id));
  if (known !== undefined) return known;
  const after = user.available + code.quota;
  if (code.quota < 0 || !Number.isSafeInteger(after)) return refused;
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

const applyOne = (context: Context, posting: Posting): Outcome => {
  switch (posting.kind) {
    case 'hold':
      return hold(context, posting);
    case 'extend':
      return extend(context, posting);
    case 'progress':
      return recordProgress(context, posting.requestId, posting.progress);
    case 'settle':
      return settle(context, posting);
    case 'release':
      return release(context, posting);
    case 'credit':
      return credit(context, posting);
    case 'allocate':
      return allocate(context, posting);
    case 'redeem':
      return redeem(context, posting);
  }
};

const changesOf = ({ state, work }: Context): RowChanges => {
  const holds: HoldsTable[] = [];
  const endedHolds: string[] = [];
  for (const [requestId, row] of work.holds) {
    if (row !== undefined) holds.push(row);
    else if (state.holds.has(requestId)) endedHolds.push(requestId);
  }
  const moved = (row: Balance, before: Balance | undefined) =>
    row.available !== before?.available || row.held !== before.held || row.used !== before.used;
  return {
    users: [...work.users.used.values()].filter(
      (row) => moved(row, state.users.get(row.id)) || row.request_count !== state.users.get(row.id)?.request_count,
    ),
    tokens: [...work.tokens.used.values()].filter((row) => {
      const before = state.tokens.get(row.id);
      return moved(row, before) || row.status !== before?.status || row.unlimited_quota !== before.unlimited_quota;
    }),
    channels: work.channels,
    holds,
    endedHolds,
    redeemed: work.redeemed,
    ledger: work.ledger,
    logs: work.logs,
    hours: [...work.hours.values()],
  };
};

/** The balance of an account after the batch, one object however many results show it. */
const balancesOf = (accounts: { get(id: number): Balance | undefined }) => {
  const balances = new Map<number, Balance>();
  return (id: number): Balance | undefined => {
    const known = balances.get(id);
    const row = known === undefined ? accounts.get(id) : undefined;
    if (row === undefined) return known;
    const balance = { available: row.available, held: row.held, used: row.used };
    balances.set(id, balance);
    return balance;
  };
};

export interface Applied {
  /** In the order of the postings, with the balances after the whole batch. */
  readonly results: readonly PostingResult[];
  readonly changes: RowChanges;
}

/**
 * All the arithmetic of money: what a batch of postings does to the rows it concerns. Pure: it reads and changes
 * nothing else, so it can be simulated. Within the batch each posting sees what the ones before it did.
 */
export const applyToAccounts = (state: AccountsState, postings: readonly Posting[]): Applied => {
  const context = { state, work: createWork(state) };
  const outcomes = postings.map((posting) => applyOne(context, posting));
  const userBalance = balancesOf(context.work.users);
  const tokenBalance = balancesOf(context.work.tokens);
  const results = outcomes.map((outcome, index): PostingResult => {
    const posting = postings[index];
    if (posting === undefined || posting.kind === 'progress') return outcome;
    const user = userBalance(posting.userId);
    const token = 'tokenId' in posting ? tokenBalance(posting.tokenId) : undefined;
    return { ...outcome, ...(user && { user }), ...(token && { token }) };
  });
  return { results, changes: changesOf(context) };
};
