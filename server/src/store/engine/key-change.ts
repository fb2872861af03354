import { StartError } from '../../errors.ts';
import type { DatabaseTransaction, ReadQueries, WriteQueries } from '../database.ts';

/** The fingerprint of the key in use. Texts that are sealed with another one are being sealed anew. */
const fingerprintFact = 'secret_fingerprint';
/** The fingerprint of the key before, while its texts are being sealed anew. */
const previousFact = 'secret_fingerprint_previous';

interface EnterKeyOptions {
  readonly fingerprint: string;
  /** Of `PREVIOUS_SECRET_KEY`. */
  readonly previous: string | undefined;
  /** Whether other nodes use the database: with the key before. */
  readonly othersRun: (trx: DatabaseTransaction) => Promise<boolean>;
}

const mismatch =
  'SECRET_KEY does not match this database; its secrets cannot be decrypted. To change the key, set PREVIOUS_SECRET_KEY to the one before';

/** Reads a fact and keeps it for this transaction: a node that starts meanwhile with the other key waits, and sees which one counts. */
const lockFact = async (trx: DatabaseTransaction, key: string): Promise<string | undefined> => {
  const same = trx.updateTable('instance').set((eb) => ({ value: eb.ref('instance.value') }));
  return (await same.where('key', '=', key).returning('value').executeTakeFirst())?.value;
};

const writeFact = async (trx: DatabaseTransaction, key: string, value: string): Promise<void> => {
  const set = trx.insertInto('instance').values({ key, value });
  await set.onConflict((on) => on.column('key').doUpdateSet({ value })).execute();
};

/** Compares the key of a start with that of the database, and begins a change of it. From here on the key before is refused. */
export const enterKey = async (
  trx: DatabaseTransaction,
  { fingerprint, previous, othersRun }: EnterKeyOptions,
): Promise<void> => {
  const known = await lockFact(trx, fingerprintFact);
  if (known === undefined) return writeFact(trx, fingerprintFact, fingerprint);
  const changing = await lockFact(trx, previousFact);
  if (known === fingerprint) {
    if (changing !== undefined && changing !== previous)
      throw new StartError(
        'A change of the secret key is not finished: set PREVIOUS_SECRET_KEY to the key before it, and start again',
      );
    return;
  }
  if (previous !== known || changing !== undefined) throw new StartError(mismatch);
  if (await othersRun(trx))
    throw new StartError('The secret key cannot be changed while other nodes run with the one before; stop them first');
  await writeFact(trx, previousFact, known);
  await writeFact(trx, fingerprintFact, fingerprint);
};

export const isKeyChanging = async (query: ReadQueries): Promise<boolean> =>
  (await query.selectFrom('instance').select('key').where('key', '=', previousFact).executeTakeFirst()) !== undefined;

export const finishKeyChange = (query: WriteQueries) =>
  query.deleteFrom('instance').where('key', '=', previousFact).execute();
