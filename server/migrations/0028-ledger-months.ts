import { sql, type Kysely } from 'kysely';

/** Months of the ledger that are closed: up to which entry each goes, and what it charged to each account. */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const [integer, end] = kind === 'sqlite' ? [sql`integer`, sql` strict`] : [sql`bigint`, sql``];
  await sql`create table ledger_months (
    month ${integer} not null primary key, last_id ${integer} not null, closed_at ${integer} not null)${end}`.execute(
    db,
  );
  await sql`create table ledger_month_uses (
    user_id ${integer} not null, month ${integer} not null, amount ${integer} not null,
    primary key (user_id, month))${end}`.execute(db);
};
