import { logType } from '@weir/contract/logs';
import { redemptionStatus } from '@weir/contract/redemptions';
import { AppError, type Language } from '../../errors.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { Database, DatabaseTransaction } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';
import { applyPostings } from '../../store/ledger/apply-postings.ts';
import { findRedemptionByDigest, lockRedemption, type RedemptionRow } from '../../store/redemptions.ts';
import { accountNote } from './account-note.ts';
import { quotaText } from './quota-text.ts';
import { createKeyedMutex } from '../../store/keyed-mutex.ts';

export interface RedeemCodeDeps {
  readonly db: Database;
  readonly changes: Pick<Changes, 'publish'>;
  readonly options: Pick<Options, 'get'>;
  readonly clock: { now(): number };
}

export interface Redemption {
  /** Of the key as it was typed. */
  readonly keyDigest: string;
  readonly user: { readonly id: number; readonly username: string };
  readonly requestId: string;
  /** Of the log row. */
  readonly language: Language;
  /** Done in the same transaction, as its last part. */
  readonly alongside: (trx: DatabaseTransaction, code: RedemptionRow) => Promise<void>;
}

const usable = (code: RedemptionRow | undefined): RedemptionRow => {
  if (code === undefined) throw new AppError('redeem_unknown');
  if (code.status === redemptionStatus.disabled) throw new AppError('redeem_disabled');
  if (code.status !== redemptionStatus.unused) throw new AppError('redeem_used');
  return code;
};

const redeemOnce = async (deps: RedeemCodeDeps, redemption: Redemption): Promise<number> => {
  const { db, options, clock } = deps;
  const { keyDigest, user, requestId, language, alongside } = redemption;
  // Codes that are used already are refused here, without waiting for the writer.
  usable(await findRedemptionByDigest(db.read, keyDigest));
  const at = Math.floor(clock.now() / 1000);
  return db.write.transaction().execute(async (trx) => {
    const code = usable(await lockRedemption(trx, keyDigest));
    const amount = quotaText(code.quota, options, language);
    const content = language === 'zh' ? `通过兑换码充值 ${amount}` : `topped up ${amount} by redemption code`;
    const log = accountNote({ type: logType.topUp, user, content, at, requestId });
    const [result] = await applyPostings(trx, [{ kind: 'redeem', keyDigest, userId: user.id, at, log }]);
    if (result?.outcome !== 'done') throw new AppError('redeem_too_much');
    await alongside(trx, code);
    return result.charged;
  });
};

/**
 * Redeems a code, once: the code's status, the ledger entry, the account and the log row in one transaction.
 * Of concurrent attempts for one code, one succeeds. Resolves to the quota units added; throws `redeem_unknown`,
 * `redeem_disabled`, `redeem_used` or, where no balance can hold it, `redeem_too_much`.
 */
export const createRedeeming = (deps: RedeemCodeDeps): ((redemption: Redemption) => Promise<number>) => {
  const mutex = createKeyedMutex();
  return async (redemption) => {
    const added = await mutex(redemption.keyDigest, () => redeemOnce(deps, redemption));
    deps.changes.publish({ topic: 'user', id: redemption.user.id });
    return added;
  };
};
