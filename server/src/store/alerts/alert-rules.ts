import type { Insertable, Selectable } from 'kysely';
import type { DatabaseTransaction, ReadQueries } from '../database.ts';
import type { AlertRulesTable } from './alert-tables.ts';

export type AlertRuleRow = Selectable<AlertRulesTable>;
export type NewAlertRule = Omit<Insertable<AlertRulesTable>, 'id'>;

export const listAlertRules = (query: ReadQueries): Promise<AlertRuleRow[]> =>
  query.selectFrom('alert_rules').selectAll().orderBy('id').execute();

export const findAlertRule = (query: ReadQueries, id: number): Promise<AlertRuleRow | undefined> =>
  query.selectFrom('alert_rules').selectAll().where('id', '=', id).executeTakeFirst();

export const insertAlertRule = (trx: DatabaseTransaction, rule: NewAlertRule): Promise<AlertRuleRow> =>
  trx.insertInto('alert_rules').values(rule).returningAll().executeTakeFirstOrThrow();

/** Undefined: there is no such rule. */
export const updateAlertRule = (
  trx: DatabaseTransaction,
  id: number,
  change: Partial<NewAlertRule>,
): Promise<AlertRuleRow | undefined> =>
  trx.updateTable('alert_rules').set(change).where('id', '=', id).returningAll().executeTakeFirst();

/** False: there was no such rule. */
export const deleteAlertRule = async (trx: DatabaseTransaction, id: number): Promise<boolean> => {
  const { numDeletedRows } = await trx.deleteFrom('alert_rules').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
};
