import type { Database, ReadQueries } from '../database.ts';
import { monthAt, startOfMonth } from './months.ts';

/** Seconds after its end in which a month may still get an entry with its time: a clock may be wrong, a charge late. */
const openSeconds = 600;
/** Entries that are read at once. */
const stretch = 100_000;
/** Rows that are written at once. */
const rowsMax = 500;

type Entry = { readonly id: number; readonly created_at: number };

const firstFrom = (read: ReadQueries, id: number): Promise<Entry | undefined> =>
  read
    .selectFrom('ledger')
    .select(['id', 'created_at'])
    .where('id', '>=', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** The oldest entry of the ledger. */
export const firstEntry = (read: ReadQueries): Promise<Entry | undefined> => firstFrom(read, 0);

const lastEntry = (read: ReadQueries): Promise<Entry | undefined> =>
  read.selectFrom('ledger').select(['id', 'created_at']).orderBy('id', 'desc').limit(1).executeTakeFirst();

/**
 * The last entry before an instant, by halving the IDs: entries are in the order of their times, but for those of calls
 * that ended together. Any entry near that instant will do: months are parts of the ledger by ID, and the next one begins
 * behind it.
 */
const lastBefore = async (read: ReadQueries, after: number, before: number): Promise<number> => {
  const last = await lastEntry(read);
  if (last === undefined || last.id <= after) return after;
  if (last.created_at < before) return last.id;
  let [low, high] = [after, last.id];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const entry = await firstFrom(read, middle);
    if (entry === undefined || entry.created_at >= before || entry.id > high) high = middle;
    else low = entry.id;
  }
  return low;
};

/** What entries charged to each account. They are read piece by piece, so that no query takes long. */
const sumUses = async (
  read: ReadQueries,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<ReadonlyMap<number, number>> => {
  const uses = new Map<number, number>();
  for (let from = after; from < until; from += stretch) {
    const rows = await read
      .selectFrom('ledger')
      .select((on) => ['user_id', on.fn.sum<number | string>('amount').as('amount')])
      .where('id', '>', from)
      .where('id', '<=', Math.min(until, from + stretch))
      .where('kind', '=', 'use')
      .groupBy('user_id')
      .execute();
    for (const { user_id: userId, amount } of rows) uses.set(userId, (uses.get(userId) ?? 0) + Number(amount));
  }
  return uses;
};

interface ClosedMonth {
  readonly month: number;
  readonly lastId: number;
  /** Quota units by account. */
  readonly uses: ReadonlyMap<number, number>;
  readonly at: number;
}

/** Nothing is written where another node has closed the month meanwhile. */
const writeMonth = (db: Database, { month, lastId, uses, at }: ClosedMonth): Promise<void> =>
  db.write.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('ledger_months')
      .values({ month, last_id: lastId, closed_at: at })
      .onConflict((on) => on.column('month').doNothing())
      .returning('month')
      .executeTakeFirst();
    if (made === undefined) return;
    const rows = [...uses].map(([userId, amount]) => ({ user_id: userId, month, amount }));
    for (let from = 0; from < rows.length; from += rowsMax)
      await trx
        .insertInto('ledger_month_uses')
        .values(rows.slice(from, from + rowsMax))
        .execute();
  });

/** The month that is closed last; undefined: none is. */
export const lastClosedMonth = (read: ReadQueries) =>
  read.selectFrom('ledger_months').selectAll().orderBy('month', 'desc').limit(1).executeTakeFirst();

/** Closes every month that has ended, the oldest first. `now`: unix seconds. */
export const closeMonths = async (db: Database, now: number): Promise<void> => {
  const present = monthAt(now - openSeconds);
  for (;;) {
    const closed = await lastClosedMonth(db.read);
    const oldest = closed === undefined ? await firstEntry(db.read) : undefined;
    if (closed === undefined && oldest === undefined) return;
    const month = closed === undefined ? monthAt(oldest?.created_at ?? now) : closed.month + 1;
    if (month >= present) return;
    const after = closed?.last_id ?? 0;
    const lastId = await lastBefore(db.read, after, startOfMonth(month + 1));
    const uses = await sumUses(db.read, { after, until: lastId });
    await writeMonth(db, { month, lastId, uses, at: now });
  }
};
