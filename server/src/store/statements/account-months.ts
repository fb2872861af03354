import type { LedgerKind } from '../schema.ts';
import type { Database, ReadQueries } from '../database.ts';
import { firstEntry, lastClosedMonth } from './close-months.ts';
import { monthAt } from './months.ts';

/** An entry of an account that is no use: a top-up, a grant, a correction. */
export interface AccountCredit {
  readonly id: number;
  readonly kind: LedgerKind;
  readonly amount: number;
  readonly reason: string;
  readonly created_at: number;
}

/** The account in one month, from the ledger. `opening` and `credited` less `used` is `closing`. */
export interface AccountMonth {
  /** Months since January 1970, of UTC. */
  readonly month: number;
  readonly opening: number;
  /** What was added and taken, in total. */
  readonly credited: number;
  readonly used: number;
  readonly closing: number;
  /** The first of them. */
  readonly credits: readonly AccountCredit[];
  /** The month is closed: it will not change. */
  readonly closed: boolean;
}

/** Credits of one month that are listed. */
const creditsMax = 1000;

/** Entries by ID: after the first, up to the second. */
interface Bounds {
  readonly after: number;
  readonly until: number;
}

/** Entries of an account that are no uses, as the index on them has it. */
const creditsOf = (read: ReadQueries, userId: number, { after, until }: Bounds) =>
  read
    .selectFrom('ledger')
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .where('id', '<=', until)
    .where('kind', '<>', 'use')
    .where('kind', '<>', 'allocate');

const sumCredits = async (read: ReadQueries, userId: number, bounds: Bounds): Promise<number> => {
  const { amount } = await creditsOf(read, userId, bounds)
    .select((on) => on.fn.sum<number | string | null>('amount').as('amount'))
    .executeTakeFirstOrThrow();
  return Number(amount ?? 0);
};

const usesBefore = async (read: ReadQueries, userId: number, month: number): Promise<number> => {
  const { amount } = await read
    .selectFrom('ledger_month_uses')
    .select((on) => on.fn.sum<number | string | null>('amount').as('amount'))
    .where('user_id', '=', userId)
    .where('month', '<', month)
    .executeTakeFirstOrThrow();
  return Number(amount ?? 0);
};

/** What a closed month charged to each account. */
export const usesOfMonth = async (read: ReadQueries, month: number): Promise<ReadonlyMap<number, number>> => {
  const rows = await read
    .selectFrom('ledger_month_uses')
    .select(['user_id', 'amount'])
    .where('month', '=', month)
    .execute();
  return new Map(rows.map(({ user_id: userId, amount }) => [userId, amount]));
};

/** Before the first month of the ledger there is nothing. */
const endOf = async (read: ReadQueries, month: number): Promise<number> =>
  (await read.selectFrom('ledger_months').select('last_id').where('month', '=', month).executeTakeFirst())?.last_id ??
  0;

/** The month that runs: the one after the last closed one, even if the calendar is ahead for some minutes. */
const runningMonth = async (read: ReadQueries, now: number): Promise<number> => {
  const closed = await lastClosedMonth(read);
  if (closed !== undefined) return closed.month + 1;
  const oldest = await firstEntry(read);
  return monthAt(oldest?.created_at ?? now);
};

/**
 * An account in one month, at one point in time; undefined: there is no such account, or the month has not begun. The
 * month that runs, for `month` null, begins behind the last closed one, so that no entry is missing between them.
 */
export const readAccountMonth = (
  db: Pick<Database, 'snapshot'>,
  { userId, month: asked, now }: { readonly userId: number; readonly month: number | null; readonly now: number },
): Promise<AccountMonth | undefined> =>
  db.snapshot(async (read) => {
    const account = await read.selectFrom('users').select('used').where('id', '=', userId).executeTakeFirst();
    const running = await runningMonth(read, now);
    const month = asked ?? running;
    if (account === undefined || month > running) return undefined;
    const closed = month < running;
    const bounds = {
      after: await endOf(read, month - 1),
      until: closed ? await endOf(read, month) : Number.MAX_SAFE_INTEGER,
    };
    const usedBefore = await usesBefore(read, userId, month);
    const used = (closed ? await usesBefore(read, userId, month + 1) : account.used) - usedBefore;
    const opening = (await sumCredits(read, userId, { after: 0, until: bounds.after })) - usedBefore;
    const credited = await sumCredits(read, userId, bounds);
    const credits = await creditsOf(read, userId, bounds)
      .select(['id', 'kind', 'amount', 'reason', 'created_at'])
      .orderBy('id')
      .limit(creditsMax)
      .execute();
    return { month, opening, credited, used, closing: opening + credited - used, credits, closed };
  });
