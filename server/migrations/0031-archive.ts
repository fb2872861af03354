import { sql, type Kysely } from 'kysely';

/** Amounts of uses that were folded, by what the comparison of ledger and balances sums. */
const createFolded = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const [integer, end] = kind === 'sqlite' ? [sql`integer`, sql` strict, without rowid`] : [sql`bigint`, sql``];
  await sql`create table ledger_folded_uses (
    user_id ${integer} not null, token_id ${integer} not null, channel_id ${integer} not null,
    entries ${integer} not null, amount ${integer} not null, unrecovered ${integer} not null,
    primary key (user_id, token_id, channel_id))${end}`.execute(db);
  await sql`create table ledger_folded_periods (
    period_id ${integer} not null primary key, amount ${integer} not null)${end}`.execute(db);
};

/** The ledger goes on refusing every change, but for the removal of uses that were archived and folded. */
const allowFolding = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const folded = sql`old.kind = 'use' and old.id <= (select coalesce(max(folded_to), 0) from ledger_archives)`;
  if (kind === 'sqlite') {
    await sql`drop trigger ledger_no_delete`.execute(db);
    await sql`create trigger ledger_no_delete before delete on ledger when not (${folded})
      begin select raise(abort, 'ledger is append-only'); end`.execute(db);
    return;
  }
  await sql`drop trigger append_only on ledger`.execute(db);
  await sql`create trigger append_only before update or truncate on ledger
    for each statement execute function refuse_change()`.execute(db);
  await sql`create function keep_entry() returns trigger language plpgsql as $$
    begin
      if ${folded} then return old; end if;
      raise exception '% is append-only', tg_table_name;
    end $$`.execute(db);
  await sql`create trigger keep_entry before delete on ledger for each row execute function keep_entry()`.execute(db);
};

/** Closed months that were written to archives, and what their uses came to. */
export const up = async (db: Kysely<unknown>, kind: 'sqlite' | 'postgres'): Promise<void> => {
  const types =
    kind === 'sqlite'
      ? { integer: sql`integer`, text: sql`text`, end: sql` strict` }
      : { integer: sql`bigint`, text: sql`text collate "C"`, end: sql`` };
  const { integer, text, end } = types;
  await sql`create table ledger_archives (
    month ${integer} not null primary key, last_id ${integer} not null, folded_to ${integer} not null,
    uses ${integer} not null, amount ${integer} not null, unrecovered ${integer} not null,
    checksum ${text} not null, archived_at ${integer} not null)${end}`.execute(db);
  await createFolded(db, kind);
  await allowFolding(db, kind);
};
