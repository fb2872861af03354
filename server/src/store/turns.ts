import type { Database } from './database.ts';

interface Turn {
  readonly name: string;
  /** Unix seconds, of today's number of digits: they are compared as text. */
  readonly now: number;
  /** Seconds; taken only where nobody took it later than this. */
  readonly notAfter: number;
}

/** Takes the turn at work that one of several nodes does now and then. False: another node took it. */
export const claimTurn = async (db: Database, { name, now, notAfter }: Turn): Promise<boolean> => {
  const taken = await db.query
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
  return taken !== undefined;
};
