import type { ReadQueries, WriteQueries } from './database.ts';

const fact = 'foreign_token_keys';

/** Notes that a relay key exists that was not made here, so that the form of keys cannot be used to refuse one. */
export const noteForeignKeys = (query: WriteQueries) =>
  query
    .insertInto('instance')
    .values({ key: fact, value: '1' })
    .onConflict((on) => on.doNothing())
    .execute();

/** Whether relay keys of another form than ours may exist: only then is one looked up. */
export const hasForeignKeys = async (query: ReadQueries): Promise<boolean> =>
  (await query.selectFrom('instance').select('key').where('key', '=', fact).executeTakeFirst()) !== undefined;
