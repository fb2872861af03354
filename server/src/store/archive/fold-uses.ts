import { sql } from 'kysely';
import type { Database, DatabaseTransaction, ReadQueries } from '../database.ts';
import { periodIdsOf } from '../ledger/period-ids.ts';
import type { ArchivedMonth } from './archived-months.ts';

/** IDs of entries that leave in one transaction: every other write waits for no more than these. */
const pieceSize = 2000;

/** Uses of the ledger: after the first ID, up to the second. */
const usesIn = (after: number, until: number) => sql`rows.kind = 'use' and rows.id > ${after} and rows.id <= ${until}`;

const foldPiece = async (
  trx: DatabaseTransaction,
  kind: Database['kind'],
  { after, until }: { readonly after: number; readonly until: number },
): Promise<void> => {
  const uses = usesIn(after, until);
  await sql`insert into ledger_folded_uses (user_id, token_id, channel_id, entries, amount, unrecovered)
    select user_id, token_id, channel_id, count(*), sum(amount), sum(unrecovered) from ledger as rows
    where ${uses} group by user_id, token_id, channel_id order by user_id, token_id, channel_id
    on conflict (user_id, token_id, channel_id) do update set entries = ledger_folded_uses.entries + excluded.entries,
      amount = ledger_folded_uses.amount + excluded.amount,
      unrecovered = ledger_folded_uses.unrecovered + excluded.unrecovered`.execute(trx);
  await sql`insert into ledger_folded_periods (period_id, amount)
    select named.value, sum(rows.amount) from ledger as rows, ${periodIdsOf(kind)}
    where rows.budgets <> '' and ${uses} group by named.value order by named.value
    on conflict (period_id) do update set amount = ledger_folded_periods.amount + excluded.amount`.execute(trx);
};

/**
 * Moves the next uses of an archived month from the ledger to the folded sums, in one transaction: ledger and balances
 * agree before and after it. Returns how far the month is folded; a process that is killed goes on from there.
 */
export const foldNext = (db: Database, month: number): Promise<number> =>
  db.write.transaction().execute(async (trx) => {
    const found = trx.selectFrom('ledger_archives').selectAll().where('month', '=', month);
    const archive = await (db.kind === 'postgres' ? found.forUpdate() : found).executeTakeFirstOrThrow();
    const { folded_to: after, last_id: last } = archive;
    const until = Math.min(last, after + pieceSize);
    if (until === after) return after;
    await foldPiece(trx, db.kind, { after, until });
    await trx.updateTable('ledger_archives').set({ folded_to: until }).where('month', '=', month).execute();
    await trx
      .deleteFrom('ledger')
      .where('id', '>', after)
      .where('id', '<=', until)
      .where('kind', '=', sql.lit('use'))
      .execute();
    return until;
  });

/** The oldest archived month whose uses are not all folded. */
export const monthToFold = (read: ReadQueries): Promise<ArchivedMonth | undefined> =>
  read
    .selectFrom('ledger_archives')
    .selectAll()
    .whereRef('folded_to', '<', 'last_id')
    .orderBy('month')
    .limit(1)
    .executeTakeFirst();
