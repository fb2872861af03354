import { pageSize } from '@weir/contract/wire';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database, DatabaseTransaction, WriteQueries } from '../database.ts';
import type { AlertsTable } from './alert-tables.ts';

export type AlertRow = Selectable<AlertsTable>;
type NewAlert = Omit<Insertable<AlertsTable>, 'id' | 'state' | 'resolved_at' | 'acknowledged_at' | 'acknowledged_by'>;

/** Opens the alert of a rule; undefined: it has an open one. */
export const openAlert = (trx: DatabaseTransaction, alert: NewAlert): Promise<AlertRow | undefined> =>
  trx
    .insertInto('alerts')
    .values({ ...alert, state: 'open', resolved_at: 0, acknowledged_at: 0, acknowledged_by: '' })
    .onConflict((on) => on.column('rule_id').where('state', '=', sql.lit('open')).doNothing())
    .returningAll()
    .executeTakeFirst();

/** The rules that have an open alert. */
export const listOpenRules = async ({ read }: Pick<Database, 'read'>): Promise<ReadonlySet<number>> => {
  const rows = await read.selectFrom('alerts').select('rule_id').where('state', '=', 'open').execute();
  return new Set(rows.map(({ rule_id }) => rule_id));
};

/** The open alert of a rule, locked until the transaction ends. */
export const lockOpenAlert = (trx: DatabaseTransaction, ruleId: number): Promise<AlertRow | undefined> =>
  trx
    .updateTable('alerts')
    .set({ rule_id: ruleId })
    .where('rule_id', '=', ruleId)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst();

export const changeAlert = async (
  query: WriteQueries,
  id: number,
  change: Partial<Pick<AlertRow, 'state' | 'resolved_at' | 'notified_at' | 'subjects' | 'subject_count' | 'severity'>>,
): Promise<void> => {
  await query.updateTable('alerts').set(change).where('id', '=', id).execute();
};

/** Closes the open alert of a rule, if there is one. */
export const closeAlertOf = async (
  query: WriteQueries,
  { ruleId, at }: { readonly ruleId: number; readonly at: number },
): Promise<void> => {
  await query
    .updateTable('alerts')
    .set({ state: 'resolved', resolved_at: at })
    .where('rule_id', '=', ruleId)
    .where('state', '=', 'open')
    .execute();
};

/** False: there is no such open alert that was not acknowledged. */
export const acknowledgeAlert = async (
  query: WriteQueries,
  { id, by, at }: { readonly id: number; readonly by: string; readonly at: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await query
    .updateTable('alerts')
    .set({ acknowledged_at: at, acknowledged_by: by })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('acknowledged_at', '=', 0)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
};

/** One page, newest first. The table is bounded, so a page may be counted to. `state`: empty for both. */
export const listAlerts = (
  { read }: Pick<Database, 'read'>,
  { state, page }: { readonly state: string; readonly page: number },
): Promise<AlertRow[]> => {
  let rows = read.selectFrom('alerts').selectAll();
  if (state !== '') rows = rows.where('state', '=', state);
  return rows
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(Math.min(page, alertsKept) * pageSize)
    .execute();
};

/** Alerts of the history; an open one stays in any case. */
export const alertsKept = 10_000;

/** Drops alerts that were resolved before a time, and the oldest beyond the number kept; and messages without an alert. */
export const deleteOldAlerts = async ({ write }: Pick<Database, 'write'>, before: number): Promise<void> => {
  await write
    .deleteFrom('alerts')
    .where('state', '=', 'resolved')
    .where((eb) =>
      eb.or([
        eb('resolved_at', '<', before),
        eb('id', '<=', eb.selectFrom('alerts').select('id').orderBy('id', 'desc').offset(alertsKept).limit(1)),
      ]),
    )
    .execute();
  await write
    .deleteFrom('alert_messages')
    .where('state', '!=', 'waiting')
    .where('alert_id', 'not in', (eb) => eb.selectFrom('alerts').select('id'))
    .execute();
};
