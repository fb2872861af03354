import type { Database } from '../database.ts';

interface LeaseOptions {
  readonly name: string;
  /** Unix seconds with as many digits as today's: the database compares them as text. */
  readonly now: number;
  /** Unix seconds. A lease acquired later than this is still valid. */
  readonly notAfter: number;
}

/** Acquires the right to run periodic work that only one node may run. False: another node has it. */
export const tryAcquireLease = async (db: Database, { name, now, notAfter }: LeaseOptions): Promise<boolean> => {
  const acquired = await db.write
    .insertInto('instance')
    .values({ key: `turn ${name}`, value: String(now) })
    .onConflict((on) =>
      on
        .column('key')
        .doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))
        .where('instance.value', '<=', String(notAfter)),
    )
    .returning('key')
    .executeTakeFirst();
  return acquired !== undefined;
};
