import { sql, type Kysely } from 'kysely';

/** Accounts that came from another gateway with a login name at the code host alone: few, and found by it once each. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create index users_imported_github_index on users (github_id) where github_id <> '' and github_uid = ''`.execute(
    db,
  );
};
