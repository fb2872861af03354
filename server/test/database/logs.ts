import { sql } from 'kysely';
import type { Database } from '../../src/store/database.ts';
import { insertLog } from '../../src/store/logs/logs.ts';
import { emptyLog, logColumns, type NewLog } from '../../src/store/logs/log-columns.ts';
import type { Caller } from './accounts.ts';

let requests = 0;

const blank: NewLog = {
  ...emptyLog,
  type: 2,
};

/** Charges a caller for one request, so that its log row and the hourly sums come about as they do in the relay. */
export const addUse = async (db: Database, caller: Caller, values: Partial<NewLog>): Promise<void> => {
  requests += 1;
  const log = { ...blank, user_id: caller.userId, request_id: `request${requests}`, ...values, type: 2 };
  await db.post({
    kind: 'settle',
    requestId: log.request_id,
    userId: caller.userId,
    tokenId: caller.tokenId,
    tokenLimited: caller.tokenLimited,
    channelId: log.channel_id,
    amount: log.quota,
    priceVersion: 1,
    estimated: false,
    at: log.created_at,
    log,
  });
};

/** A log row that reports no consumption. */
export const addNote = (db: Database, values: Partial<NewLog>): Promise<void> => insertLog(db, { ...blank, ...values });

/** Adds the oldest row again, so many times. */
export const repeatLogs = async (db: Database, count: number): Promise<void> => {
  const columns = sql.join(logColumns.map((name) => sql.ref(name)));
  await sql`insert into logs (${columns})
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    select ${columns} from (select * from logs order by id limit 1) as row, numbers`.execute(db.write);
};
