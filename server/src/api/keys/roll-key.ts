import { AppError } from '../../errors.ts';
import { createTokenKey } from '../../store/credentials/token-key.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import * as rolls from '../../store/token-rolls.ts';
import { findToken, tokenKeyColumns, type TokenRow } from '../../store/tokens.ts';
import { ownerNote, type TokenChange, type TokenChangeDeps } from './token-changes.ts';

/** Seconds: a retry of a roll gets the new key no longer than this. */
const retrySeconds = 15 * 60;

interface Roll {
  readonly id: number;
  readonly rollId: string;
  readonly overlapSeconds: number;
  readonly change: TokenChange;
}

const lock = async (trx: DatabaseTransaction, id: number, userId: number): Promise<TokenRow> => {
  const row = await rolls.lockToken(trx, { id, userId });
  if (row === undefined) throw new AppError('not_found');
  return row;
};

const readAgain = async (trx: DatabaseTransaction, id: number, userId: number): Promise<TokenRow> => {
  const row = await findToken(trx, { id, userId });
  if (row === undefined) throw new AppError('not_found');
  return row;
};

/**
 * Gives a token another key, while the present one works until the overlap ends. Quota, ledger and log are the token's,
 * whichever key a call has. A token has at most two keys that work: while an overlap runs, another roll is refused.
 */
export const rollKey = async (
  trx: DatabaseTransaction,
  { audit, secrets }: TokenChangeDeps,
  { id, rollId, overlapSeconds, change }: Roll,
): Promise<TokenRow> => {
  const { ownerId: userId, actor, request, at } = change;
  const row = await lock(trx, id, userId);
  const known = await rolls.findRoll(trx, { tokenId: id, rollId });
  if (known !== undefined) {
    if (known.successor !== row.key_digest || known.created_time + retrySeconds <= at)
      throw new AppError('token_roll_past');
    return row;
  }
  if (row.overlap_until > at) throw new AppError('token_overlap_runs');
  await rolls.storeRoll(trx, {
    tokenId: id,
    rollId,
    replaced: row.key_digest,
    key: tokenKeyColumns(secrets, createTokenKey()),
    validUntil: at + overlapSeconds,
    at,
  });
  const after = await readAgain(trx, id, userId);
  const detail = [`${overlapSeconds} s`, ownerNote(change)].filter(Boolean).join(', ');
  await audit.note(trx, { request, actor, action: 'roll_token', subject: `token ${id}`, detail });
  return after;
};

/** Ends the overlap of a token before its time. */
export const endOverlap = async (
  trx: DatabaseTransaction,
  { audit }: TokenChangeDeps,
  { id, change }: { readonly id: number; readonly change: TokenChange },
): Promise<TokenRow> => {
  const { ownerId: userId, actor, request, at } = change;
  const row = await lock(trx, id, userId);
  if (row.overlap_until <= at) throw new AppError('token_overlap_none');
  await rolls.endOverlap(trx, { tokenId: id, at });
  const after = await readAgain(trx, id, userId);
  const detail = ownerNote(change);
  await audit.note(trx, { request, actor, action: 'end_token_overlap', subject: `token ${id}`, detail });
  return after;
};
