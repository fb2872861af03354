import { neverExpires } from '@weir/contract/tokens';
import { applyPostings } from '../../store/ledger/apply-postings.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import { createTokenKey } from '../../store/credentials/token-key.ts';
import type { KeyPresetRow } from '../../store/invitations/key-presets.ts';
import { insertToken, tokenKeyColumns } from '../../store/tokens.ts';

/** What a token that an account begins with may do. */
export interface FirstToken {
  readonly name: string;
  /** Quota units; not read where it is unlimited. */
  readonly quota: number;
  readonly unlimited: boolean;
  /** Unix seconds; -1: never. */
  readonly expiredTime: number;
  readonly models: string;
  readonly subnet: string;
}

/** The token of every account that was opened without an invitation. */
export const defaultToken: FirstToken = {
  name: 'default',
  quota: 0,
  unlimited: true,
  expiredTime: neverExpires,
  models: '',
  subnet: '',
};

const daySeconds = 86_400;

/** `at`: unix seconds. */
export const tokenByPreset = (preset: KeyPresetRow, at: number): FirstToken => ({
  name: preset.name,
  quota: preset.remain_quota,
  unlimited: preset.unlimited_quota === 1,
  expiredTime: preset.days === 0 ? neverExpires : at + preset.days * daySeconds,
  models: preset.models,
  subnet: preset.subnet,
});

interface Owner {
  readonly userId: number;
  /** Of the team whose account it is; absent: of none. */
  readonly memberId?: number;
  /** Unix seconds. */
  readonly at: number;
}

/** Makes the token of a new account, or of its membership in a team. */
export const insertFirstToken = async (
  trx: DatabaseTransaction,
  secrets: Secrets,
  { name, quota, unlimited, expiredTime, models, subnet }: FirstToken,
  { userId, memberId, at }: Owner,
): Promise<void> => {
  const key = tokenKeyColumns(secrets, createTokenKey());
  const tokenId = await insertToken(trx, { userId, memberId, name, key, expiredTime, unlimited, models, subnet, at });
  const allocation = { opKey: `allocate:${tokenId}:created`, tokenId, userId, unlimited, actorId: userId, at };
  await applyPostings(trx, [{ kind: 'allocate', ...allocation, ...(unlimited ? {} : { total: quota }) }]);
};
