import type { Insertable, Selectable } from 'kysely';
import type { DatabaseTransaction, ReadQueries } from '../database.ts';
import type { KeyPresetsTable } from './invitation-tables.ts';

export type KeyPresetRow = Selectable<KeyPresetsTable>;
export type NewKeyPreset = Omit<Insertable<KeyPresetsTable>, 'id'>;

/** Presets that there may be: every form of a token has them all. */
export const keyPresetsMax = 200;

/** By name. */
export const listKeyPresets = (read: ReadQueries): Promise<KeyPresetRow[]> =>
  read.selectFrom('key_presets').selectAll().orderBy('name').orderBy('id').limit(keyPresetsMax).execute();

export const findKeyPreset = (read: ReadQueries, id: number): Promise<KeyPresetRow | undefined> =>
  read.selectFrom('key_presets').selectAll().where('id', '=', id).executeTakeFirst();

/** Undefined: there are as many as there may be. */
export const insertKeyPreset = async (
  trx: DatabaseTransaction,
  preset: NewKeyPreset,
): Promise<KeyPresetRow | undefined> => {
  const { count } = await trx
    .selectFrom('key_presets')
    .select((on) => on.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= keyPresetsMax) return undefined;
  return trx.insertInto('key_presets').values(preset).returningAll().executeTakeFirstOrThrow();
};

/** Undefined: there is no such preset. */
export const updateKeyPreset = (
  trx: DatabaseTransaction,
  id: number,
  change: Omit<NewKeyPreset, 'created_time'>,
): Promise<KeyPresetRow | undefined> =>
  trx.updateTable('key_presets').set(change).where('id', '=', id).returningAll().executeTakeFirst();

/** False: there is no such preset. */
export const deleteKeyPreset = async (trx: DatabaseTransaction, id: number): Promise<boolean> => {
  const { numDeletedRows } = await trx.deleteFrom('key_presets').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
};
