import type { NewLog } from '../store/ledger/postings.ts';

interface AccountNote {
  /** Of the contract's log types; consumption is never a note. */
  readonly type: number;
  /** Whose log it is. */
  readonly user: { readonly id: number; readonly username: string };
  /** For people, in the language of whoever made the call. */
  readonly content: string;
  /** Unix seconds. */
  readonly at: number;
  /** Quota units; absent: the row shows none. */
  readonly quota?: number;
  readonly requestId?: string;
}

/** A log row about an account rather than about a relayed call. */
export const accountNote = ({ type, user, content, at, quota = 0, requestId = '' }: AccountNote): NewLog => ({
  user_id: user.id,
  created_at: at,
  type,
  content,
  username: user.username,
  token_id: 0,
  token_name: '',
  model_name: '',
  quota,
  prompt_tokens: 0,
  completion_tokens: 0,
  channel_id: 0,
  request_id: requestId,
  elapsed_time: 0,
  is_stream: 0,
  system_prompt_reset: 0,
  detail: '',
});
