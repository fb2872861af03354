import type { Database } from '../../src/store/database.ts';
import { insertLog } from '../../src/store/logs/logs.ts';
import type { NewLog } from '../../src/store/ledger/postings.ts';
import type { Caller } from './accounts.ts';

let requests = 0;

const blank: NewLog = {
  user_id: 0,
  created_at: 0,
  type: 2,
  content: '',
  username: '',
  token_id: 0,
  token_name: '',
  model_name: '',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  channel_id: 0,
  request_id: '',
  elapsed_time: 0,
  is_stream: 0,
  system_prompt_reset: 0,
  detail: '',
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
