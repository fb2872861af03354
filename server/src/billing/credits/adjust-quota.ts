import { randomUUID } from 'node:crypto';
import { logType } from '@weir/contract/logs';
import { AppError, type Language } from '../../errors.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';
import { applyPostings } from '../../store/ledger/apply-postings.ts';
import type { Balance } from '../../store/ledger/postings.ts';
import { accountNote } from './account-note.ts';
import { quotaText } from './quota-text.ts';

/** The quota that an account is to have, and the quota that the form showed. All in quota units. */
export interface QuotaEdit {
  /** Spendable quota, open holds included. */
  readonly wanted: number;
  /** The same, at the time when the form was loaded. */
  readonly seen?: number | undefined;
  /** Used quota at the time when the form was loaded. */
  readonly usedSeen?: number | undefined;
}

/**
 * What an edit adds to an account or, below 0, takes from it; never more than is available, since open holds belong to
 * running calls. The account may have changed since the form was loaded:
 * - With `seen` and `usedSeen`, the difference that the form shows. A form without a difference changes nothing. If
 *   credits changed meanwhile (the total of all credits is another one), it throws `quota_changed`: so an edit that is
 *   repeated because its response was lost has no second effect.
 * - With `usedSeen` alone (consoles that send a whole account back), what was spent since counts against the requested
 *   quota.
 * - With neither, the account has the requested quota afterwards.
 */
export const quotaDelta = ({ available, held, used }: Balance, { wanted, seen, usedSeen }: QuotaEdit): number => {
  const have = available + held;
  if (seen === undefined || usedSeen === undefined) {
    const spentSince = usedSeen === undefined ? 0 : Math.max(0, used - usedSeen);
    return Math.max(-available, wanted - spentSince - have);
  }
  if (wanted === seen) return 0;
  if (have + used !== seen + usedSeen) throw new AppError('quota_changed', { quota: have });
  return Math.max(-available, wanted - seen);
};

export interface QuotaAdjustment {
  /** Locked by the transaction. */
  readonly user: Balance & { readonly id: number; readonly username: string };
  readonly edit: QuotaEdit;
  readonly actorId: number;
  readonly requestId: string;
  /** Of the log row. */
  readonly language: Language;
  /** Unix seconds. */
  readonly at: number;
}

/**
 * Makes an edit of an account's quota, with a log row of type manage that names the quota before and after. False:
 * nothing changes.
 */
export const adjustQuota = async (
  trx: DatabaseTransaction,
  options: Pick<Options, 'get'>,
  { user, edit, actorId, requestId, language, at }: QuotaAdjustment,
): Promise<boolean> => {
  const amount = quotaDelta(user, edit);
  if (amount === 0) return false;
  const had = user.available + user.held;
  const [before, after] = [had, had + amount].map((quota) => quotaText(quota, options, language));
  const content =
    language === 'zh'
      ? `管理员将用户额度从 ${before}修改为 ${after}`
      : `administrator changed user quota from ${before} to ${after}`;
  const log = accountNote({ type: logType.manage, user, content, at, requestId });
  const opKey = `adjust:${user.id}:${randomUUID()}`;
  const posting = { opKey, userId: user.id, amount, actorId, reason: 'edit', at, log };
  const [result] = await applyPostings(trx, [{ kind: 'credit', entry: 'adjust', ...posting }]);
  if (result?.outcome !== 'done') throw new AppError('quota_unfit');
  return true;
};
