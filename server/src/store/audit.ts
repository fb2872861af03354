import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { DatabaseTransaction, ReadQueries } from './database.ts';
import type { AuditTable } from './schema.ts';

/** An entry; the chain is added here. Never a secret value: names only. */
export type AuditEntry = Omit<Insertable<AuditTable>, 'id' | 'previous_hash' | 'hash'>;

const hashOf = (entry: AuditEntry, previous: string): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        previous,
        entry.created_at,
        entry.actor_id,
        entry.actor_name,
        entry.action,
        entry.subject,
        entry.detail,
        entry.address,
        entry.request_id,
      ]),
    )
    .digest('hex');

/** The row of `instance` that holds the hash of the newest entry. */
const headKey = 'audit_head';

/**
 * The hash of the newest entry, locked until the transaction ends: on PostgreSQL transactions run at once, and two of
 * them must not both follow the same entry.
 */
const lockHead = async (trx: DatabaseTransaction): Promise<string> => {
  const { value } = await trx
    .insertInto('instance')
    .values({ key: headKey, value: '' })
    .onConflict((on) => on.column('key').doUpdateSet((eb) => ({ value: eb.ref('instance.value') })))
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
};

/**
 * Appends entries, the hash of each of which covers the one before, in the transaction of what they report. Call it last
 * in there: every other writer of the audit log waits from here on. PostgreSQL ends one that stands still here after the time
 * limit of its session; meanwhile calls of the accounts that are being edited wait, and no others.
 */
export const appendAudits = async (trx: DatabaseTransaction, entries: readonly AuditEntry[]): Promise<void> => {
  if (entries.length === 0) return;
  let previous = await lockHead(trx);
  const rows = entries.map((entry) => {
    const row = { ...entry, previous_hash: previous, hash: hashOf(entry, previous) };
    previous = row.hash;
    return row;
  });
  await trx.insertInto('audit').values(rows).execute();
  await trx.updateTable('instance').set({ value: previous }).where('key', '=', headKey).execute();
};

/** Appends one entry, as `appendAudits` does. */
export const appendAudit = (trx: DatabaseTransaction, entry: AuditEntry): Promise<void> => appendAudits(trx, [entry]);

/** Which entries of the audit log; `before` 0: the newest. */
interface AuditPage {
  readonly before: number;
  readonly count: number;
}

/** Entries of the audit log, the newest first. */
export const listAuditEntries = (query: ReadQueries, { before, count }: AuditPage) => {
  const columns = ['id', 'created_at', 'actor_id', 'actor_name', 'action', 'subject', 'detail', 'address'] as const;
  const newest = query
    .selectFrom('audit')
    .select([...columns, 'request_id'])
    .orderBy('id', 'desc')
    .limit(count);
  return (before > 0 ? newest.where('id', '<', before) : newest).execute();
};

/**
 * The id of the first entry that was altered or that no longer follows the one before it, or the id after the last
 * entry if later ones are missing; undefined: the chain is intact.
 */
export const findBrokenAudit = async (query: ReadQueries): Promise<number | undefined> => {
  const head = await query.selectFrom('instance').select('value').where('key', '=', headKey).executeTakeFirst();
  let previous = '';
  let after = 0;
  let metHead = head === undefined;
  for (;;) {
    const rows = await query
      .selectFrom('audit')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(1000)
      .execute();
    for (const row of rows) {
      if (row.previous_hash !== previous || row.hash !== hashOf(row, previous)) return row.id;
      previous = row.hash;
      after = row.id;
      metHead ||= row.hash === head?.value;
    }
    if (rows.length === 0) return metHead ? undefined : after + 1;
  }
};
