import { emptyLog, type NewLog } from '../../store/logs/log-columns.ts';

interface AccountNote {
  /** Of the contract's log types; consumption is never a note. */
  readonly type: number;
  /** The owner of the log row. */
  readonly user: { readonly id: number; readonly username: string };
  /** Readable text, in the language of the request. */
  readonly content: string;
  /** Unix seconds. */
  readonly at: number;
  /** Quota units; absent: the row shows none. */
  readonly quota?: number;
  readonly requestId?: string;
}

/** A log row about an account rather than about a relayed call. */
export const accountNote = ({ type, user, content, at, quota = 0, requestId = '' }: AccountNote): NewLog => ({
  ...emptyLog,
  user_id: user.id,
  created_at: at,
  type,
  content,
  username: user.username,
  quota,
  request_id: requestId,
});
