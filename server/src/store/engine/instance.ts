import type { Kysely } from 'kysely';
import { StartError } from '../../errors.ts';
import { copyFact, unfinishedCopy } from '../copies/copy-fact.ts';
import { importFact } from '../imports/import-state.ts';
import type { ReadQueries } from '../database.ts';
import { enterKey } from './key-change.ts';
import type { Schema } from '../schema.ts';

interface InstanceOptions {
  readonly write: Pick<Kysely<Schema>, 'transaction'>;
  readonly nodeName: string;
  readonly secretFingerprint: string | undefined;
  readonly previousFingerprint: string | undefined;
  /** Whether other nodes run on the database. */
  readonly othersRun: (trx: ReadQueries) => Promise<boolean>;
  /** The caller is the import itself. */
  readonly importing: boolean;
}

const halfImport =
  'An import into this database was begun and not finished: balances or records are missing. Run `npm run import` with the same source again; it goes on where it ended';

/** The start of this node that its holds carry: those of a smaller epoch belong to a dead process. */
export const enterEpoch = async ({
  write: database,
  nodeName,
  secretFingerprint,
  previousFingerprint: previous,
  othersRun,
  importing,
}: InstanceOptions): Promise<number> =>
  database.transaction().execute(async (trx) => {
    const read = async (key: string) =>
      (await trx.selectFrom('instance').select('value').where('key', '=', key).executeTakeFirst())?.value;
    const write = async (key: string, value: string) => {
      const row = { key, value };
      await trx
        .insertInto('instance')
        .values(row)
        .onConflict((on) => on.column('key').doUpdateSet({ value }))
        .execute();
    };
    if ((await read(copyFact)) !== undefined) throw new StartError(unfinishedCopy);
    if (!importing && (await read(importFact)) !== undefined) throw new StartError(halfImport);
    if (secretFingerprint !== undefined) await enterKey(trx, { fingerprint: secretFingerprint, previous, othersRun });
    const epoch = Number((await read(`epoch:${nodeName}`)) ?? 0) + 1;
    await write(`epoch:${nodeName}`, String(epoch));
    return epoch;
  });
