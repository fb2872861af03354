import { logColumns, logValues, readLogValues, type NewLog } from '../logs/log-columns.ts';
import type { HoldPosting, Posting, PostingResult, SettlePosting } from './postings.ts';

/**
 * Postings and results as flat arrays: copying one array of texts and numbers to another thread costs a third of what
 * copying an object per posting and log row does. The two kinds of every request are spelled out, the others travel
 * as they are.
 */
export type Flat = (string | number | boolean | Posting | null)[];

/** In the place of `setAside`. */
const decided = -1;

const codes = { hold: 0, settle: 1, other: 2 } as const;

const putHold = (flat: Flat, { requestId, userId, tokenId, tokenLimited, channelId, amount, ...rest }: HoldPosting) => {
  flat.push(codes.hold, requestId, userId, tokenId, tokenLimited, channelId, amount);
  flat.push(rest.priceVersion, rest.budgets ?? '', rest.modelName, rest.openedAt);
};

const putSettle = (flat: Flat, posting: SettlePosting) => {
  const { requestId, userId, tokenId, tokenLimited, channelId, amount, log } = posting;
  flat.push(codes.settle, requestId, userId, tokenId, tokenLimited, channelId, amount);
  flat.push(
    posting.priceVersion,
    posting.budgets ?? '',
    posting.estimated,
    posting.at,
    posting.reason ?? '',
    posting.unheld === true,
  );
  flat.push(posting.address ?? '', posting.setAside ?? decided, log !== null);
  if (log === null) return;
  flat.push(...logValues(log));
};

export const encodePostings = (postings: readonly Posting[]): Flat => {
  const flat: Flat = [];
  for (const posting of postings) {
    if (posting.kind === 'hold') putHold(flat, posting);
    else if (posting.kind === 'settle') putSettle(flat, posting);
    else flat.push(codes.other, posting);
  }
  return flat;
};

/** Reads the array in the order it was written. */
const readerOf = (flat: Flat) => {
  let at = 0;
  const wrong = (wanted: string) => new TypeError(`Value ${at - 1} of a batch of postings is not a ${wanted}`);
  return {
    ended: () => at >= flat.length,
    text: (): string => {
      const value = flat[at++];
      if (typeof value !== 'string') throw wrong('text');
      return value;
    },
    number: (): number => {
      const value = flat[at++];
      if (typeof value !== 'number') throw wrong('number');
      return value;
    },
    flag: (): boolean => flat[at++] === true,
    log: (): NewLog => readLogValues(flat.slice(at, (at += logColumns.length))),
    posting: (): Posting => {
      const value = flat[at++];
      if (typeof value !== 'object' || value === null) throw wrong('posting');
      return value;
    },
  };
};
type Reader = ReturnType<typeof readerOf>;

const takeRequest = ({ text, number, flag }: Reader) => ({
  requestId: text(),
  userId: number(),
  tokenId: number(),
  tokenLimited: flag(),
  channelId: number(),
  amount: number(),
  priceVersion: number(),
  budgets: text(),
});

export const decodePostings = (flat: Flat): Posting[] => {
  const postings: Posting[] = [];
  const from = readerOf(flat);
  const { text, number, flag } = from;
  while (!from.ended()) {
    const code = number();
    if (code === codes.other) postings.push(from.posting());
    else if (code === codes.hold) {
      postings.push({ kind: 'hold', ...takeRequest(from), modelName: text(), openedAt: number() });
    } else {
      const request = takeRequest(from);
      const charge = { estimated: flag(), at: number(), reason: text(), unheld: flag(), address: text() };
      const setAside = number();
      const undecided = setAside === decided ? undefined : setAside;
      postings.push({ kind: 'settle', ...request, ...charge, setAside: undecided, log: flag() ? from.log() : null });
    }
  }
  return postings;
};

const outcomes = ['done', 'refused', 'repeated'] as const;
const noAccount = -1;

/** Each account once, however many results name it: `[count, (available, held, used)…, (outcome, charged, unrecovered, user, token, budgets…)…]`. */
export const encodeResults = (results: readonly PostingResult[]): number[] => {
  const positions = new Map<object, number>();
  const balances: number[] = [];
  const rows: number[] = [];
  const positionOf = (balance: PostingResult['user']): number => {
    if (balance === undefined) return noAccount;
    const known = positions.get(balance);
    if (known !== undefined) return known;
    positions.set(balance, positions.size);
    balances.push(balance.available, balance.held, balance.used);
    return positions.size - 1;
  };
  for (const { outcome, charged, unrecovered, user, token, budgets = [] } of results) {
    rows.push(outcomes.indexOf(outcome), charged, unrecovered, positionOf(user), positionOf(token), budgets.length);
    for (const budget of budgets) rows.push(positionOf(budget));
  }
  return [positions.size, ...balances, ...rows];
};

export const decodeResults = (flat: readonly number[]): PostingResult[] => {
  let at = 0;
  const next = () => flat[at++] ?? 0;
  const balances = Array.from({ length: next() }, () => ({ available: next(), held: next(), used: next() }));
  const results: PostingResult[] = [];
  while (at < flat.length) {
    const outcome = outcomes[next()] ?? 'refused';
    const sums = { outcome, charged: next(), unrecovered: next() };
    const user = balances[next()];
    const token = balances[next()];
    const budgets = Array.from({ length: next() }, () => balances[next()]);
    results.push({
      ...sums,
      ...(user && { user }),
      ...(token && { token }),
      ...(budgets.length > 0 && { budgets }),
    });
  }
  return results;
};
