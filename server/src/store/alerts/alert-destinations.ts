import type { Insertable, Selectable } from 'kysely';
import * as v from 'valibot';
import { randomBytes } from 'node:crypto';
import type { Secrets } from '../credentials/secrets.ts';
import type { DatabaseTransaction, ReadQueries } from '../database.ts';
import type { AlertDestinationsTable } from './alert-tables.ts';

export type AlertDestinationRow = Selectable<AlertDestinationsTable>;
export type NewAlertDestination = Omit<Insertable<AlertDestinationsTable>, 'id'>;

const configSchema = v.object({ address: v.string(), secret: v.string(), server: v.string() });
/** Where a destination is and what opens it: see `destinationInput` of the contract. */
export type DestinationConfig = v.InferOutput<typeof configSchema>;

type Sealed = Pick<AlertDestinationRow, 'seal_id' | 'config_sealed'>;

const placeOf = (sealId: string) => `alert_destinations/config_sealed/${sealId}`;

/** The columns that hold a configuration. */
export const sealedDestination = (secrets: Secrets, config: DestinationConfig): Sealed => {
  const sealId = randomBytes(16).toString('hex');
  return { seal_id: sealId, config_sealed: secrets.seal(JSON.stringify(config), placeOf(sealId)) };
};

export const openDestination = (secrets: Secrets, { seal_id, config_sealed }: Sealed): DestinationConfig => {
  const opened: unknown = JSON.parse(secrets.open(config_sealed, placeOf(seal_id)));
  return v.parse(configSchema, opened);
};

export const listAlertDestinations = (query: ReadQueries): Promise<AlertDestinationRow[]> =>
  query.selectFrom('alert_destinations').selectAll().orderBy('id').execute();

export const findAlertDestination = (query: ReadQueries, id: number): Promise<AlertDestinationRow | undefined> =>
  query.selectFrom('alert_destinations').selectAll().where('id', '=', id).executeTakeFirst();

export const insertAlertDestination = (
  trx: DatabaseTransaction,
  destination: NewAlertDestination,
): Promise<AlertDestinationRow> =>
  trx.insertInto('alert_destinations').values(destination).returningAll().executeTakeFirstOrThrow();

/** Undefined: there is no such destination. */
export const updateAlertDestination = (
  trx: DatabaseTransaction,
  id: number,
  change: Partial<NewAlertDestination>,
): Promise<AlertDestinationRow | undefined> =>
  trx.updateTable('alert_destinations').set(change).where('id', '=', id).returningAll().executeTakeFirst();

/** False: there was no such destination. */
export const deleteAlertDestination = async (trx: DatabaseTransaction, id: number): Promise<boolean> => {
  const { numDeletedRows } = await trx.deleteFrom('alert_destinations').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
};
