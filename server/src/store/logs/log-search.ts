import type { Database } from '../database.ts';
import { everything } from './log-filter.ts';
import { readLogs, type LogRow } from './logs.ts';
import { beginsWith } from '../search.ts';

const foundMax = 100;
/** Texts are searched in this many of the newest rows other than consumption: a limit for the cost of a search. */
const lookedThrough = 4000;

const ofType = (db: Database, { userId, type }: { readonly userId: number; readonly type: number }) =>
  readLogs(db, { filter: { ...everything, userId, type }, after: undefined, limit: foundMax });

const beginningWith = async (db: Database, keyword: string): Promise<LogRow[]> => {
  const rows = await db.read
    .selectFrom(
      db.read
        .selectFrom('logs')
        .selectAll()
        .where((eb) => eb('type', '<>', eb.lit(2)))
        .orderBy('created_at', 'desc')
        .limit(lookedThrough)
        .as('newest'),
    )
    .selectAll()
    .where((eb) => beginsWith(eb.ref('content'), keyword))
    .orderBy('created_at', 'desc')
    .limit(foundMax)
    .execute();
  return rows;
};

/** The ledger names every charged request once and knows when it was, so that its row is one of that second. */
const ofRequest = async (
  db: Database,
  { userId, requestId }: { readonly userId: number; readonly requestId: string },
) => {
  const charged = await db.read
    .selectFrom('ledger')
    .select(['created_at', 'user_id'])
    .where('op_key', '=', `use:${requestId}`)
    .executeTakeFirst();
  if (charged === undefined || (userId > 0 && charged.user_id !== userId)) return [];
  return db.read
    .selectFrom('logs')
    .selectAll()
    .where('created_at', '=', charged.created_at)
    .where('request_id', '=', requestId)
    .execute();
};

const isType = (keyword: string): boolean => /^\d{1,2}$/.test(keyword);
const isRequestId = (keyword: string): boolean => /^\d{20,40}$/.test(keyword);

/**
 * The newest rows of a type or a request id; over all users (`userId` 0) also those whose text begins with the keyword.
 */
export const searchLogs = async (
  db: Database,
  { userId, keyword }: { readonly userId: number; readonly keyword: string },
): Promise<readonly LogRow[]> => {
  if (isRequestId(keyword)) return ofRequest(db, { userId, requestId: keyword });
  const [typed, worded] = await Promise.all([
    isType(keyword) ? ofType(db, { userId, type: Number(keyword) }) : [],
    userId === 0 && keyword !== '' ? beginningWith(db, keyword) : [],
  ]);
  const found = new Map([...typed, ...worded].map((row) => [row.id, row]));
  return [...found.values()]
    .toSorted((one, other) => other.created_at - one.created_at || other.id - one.id)
    .slice(0, foundMax);
};
