import { hash, randomUUID } from 'node:crypto';
import { logType } from '@weir/contract/logs';
import { AppError, type Language } from '../../errors.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';
import { applyPostings } from '../../store/ledger/apply-postings.ts';
import { accountNote } from './account-note.ts';
import { quotaText } from './quota-text.ts';

export interface TopUp {
  readonly user: { readonly id: number; readonly username: string };
  /** Quota units, not negative. */
  readonly quota: number;
  /** The text of the log row; empty: one that names the amount. */
  readonly remark: string;
  readonly actorId: number;
  /** Names this top-up of this account among all that the actor makes; undefined: it is made once. */
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  /** Of the log row. */
  readonly language: Language;
  /** Unix seconds. */
  readonly at: number;
}

/**
 * Adds quota that was paid for elsewhere. False: it was added before, under the same key. Throws `idempotency_conflict`
 * where that was another amount, and `quota_unfit` where no balance can hold it.
 */
export const topUp = async (
  trx: DatabaseTransaction,
  options: Pick<Options, 'get'>,
  { user, quota, remark, actorId, idempotencyKey, requestId, language, at }: TopUp,
): Promise<boolean> => {
  const name = idempotencyKey === undefined ? randomUUID() : hash('sha256', idempotencyKey);
  const amount = quotaText(quota, options, language);
  const content = language === 'zh' ? `通过 API 充值 ${amount}` : `topped up ${amount} through the API`;
  const log = accountNote({ type: logType.topUp, user, content: remark || content, quota, at, requestId });
  const opKey = `topup:${actorId}:${user.id}:${name}`;
  const posting = { opKey, userId: user.id, amount: quota, actorId, reason: 'top-up', at, log };
  const [result] = await applyPostings(trx, [{ kind: 'credit', entry: 'adjust', ...posting }]);
  if (result === undefined || result.outcome === 'refused') throw new AppError('quota_unfit');
  if (result.charged !== quota) throw new AppError('idempotency_conflict');
  return result.outcome === 'done';
};
