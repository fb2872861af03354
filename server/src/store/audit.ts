import { createHash } from 'node:crypto';
import type { Insertable, Kysely, Transaction } from 'kysely';
import type { AuditTable, Schema } from './schema.ts';

/** What happened; the chain is added here. Never a secret value: names only. */
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

/** Appends an entry whose hash covers the entry before, in the transaction of what it reports. */
export const appendAudit = async (trx: Transaction<Schema>, entry: AuditEntry): Promise<void> => {
  const last = await trx.selectFrom('audit').select('hash').orderBy('id', 'desc').limit(1).executeTakeFirst();
  const previous = last?.hash ?? '';
  await trx
    .insertInto('audit')
    .values({ ...entry, previous_hash: previous, hash: hashOf(entry, previous) })
    .execute();
};

/** The id of the first entry that was altered, or that no longer follows the one before it; undefined: the chain holds. */
export const findBrokenAudit = async (query: Kysely<Schema>): Promise<number | undefined> => {
  let previous = '';
  let after = 0;
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
    }
    if (rows.length === 0) return undefined;
  }
};
