import type { NewEntry } from '../ledger/accounts-state.ts';
import { emptyEntry } from '../ledger/posting-work.ts';

/** Why an entry is there: what an account, a token or a channel brought along. */
const imported = 'imported';

/** What an account or token had at the other gateway. A negative balance is a debt. */
export interface OpeningBalance {
  readonly id: number;
  readonly balance: number;
  readonly used: number;
  /** Unix seconds of the import. */
  readonly at: number;
}

interface Opening {
  readonly available: number;
  readonly used: number;
  readonly entries: readonly NewEntry[];
}

/** Uses of accounts, tokens and channels are entries of their own each: the sums of the other gateway do not agree. */
const useEntry = (subject: string, amount: number, at: number): NewEntry => ({
  ...emptyEntry,
  op_key: `use:import:${subject}`,
  request_id: `import:${subject}`,
  kind: 'use',
  user_id: 0,
  amount,
  reason: imported,
  created_at: at,
});

/** The operation key of the use of an imported account, whose `unrecovered` is its debt. */
export const userUseKey = (id: number): string => `use:import:user:${id}`;
/** The operation key of what a token was overdrawn by. */
export const overdrawnKey = (id: number): string => `allocate:import:overdrawn:${id}`;

/**
 * An account's credits are what it used and what it has left. A debt is on its use as quota that could not be collected,
 * and a correction makes its credits cover what was used.
 */
export const openUser = ({ id, balance, used, at }: OpeningBalance): Opening => {
  const debt = Math.max(0, -balance);
  const credit = (opKey: string, kind: NewEntry['kind'], amount: number, reason: string): NewEntry[] =>
    amount === 0 ? [] : [{ ...emptyEntry, op_key: opKey, kind, user_id: id, amount, reason, created_at: at }];
  return {
    available: Math.max(0, balance),
    used,
    entries: [
      ...credit(`grant:import:${id}`, 'grant', used + balance, imported),
      ...credit(`correction:import:${id}`, 'correction', debt, 'imported debt'),
      ...(used === 0 && debt === 0 ? [] : [{ ...useEntry(`user:${id}`, used, at), user_id: id, unrecovered: debt }]),
    ],
  };
};

/** A token's allocation is what it used and what it has left; what it was overdrawn by is an entry of its own. */
export const openToken = ({ id, userId, balance, used, at }: OpeningBalance & { readonly userId: number }): Opening => {
  const allocate = (opKey: string, amount: number, reason: string): NewEntry[] =>
    amount === 0
      ? []
      : [
          {
            ...emptyEntry,
            op_key: opKey,
            kind: 'allocate',
            user_id: userId,
            token_id: id,
            amount,
            reason,
            created_at: at,
          },
        ];
  return {
    available: Math.max(0, balance),
    used,
    entries: [
      ...allocate(`allocate:import:${id}`, used + balance, imported),
      ...allocate(overdrawnKey(id), Math.max(0, -balance), 'overdrawn'),
      ...(used === 0 ? [] : [{ ...useEntry(`token:${id}`, used, at), token_id: id }]),
    ],
  };
};

export const openChannel = ({ id, used, at }: Omit<OpeningBalance, 'balance'>): Omit<Opening, 'available'> => ({
  used,
  entries: used === 0 ? [] : [{ ...useEntry(`channel:${id}`, used, at), channel_id: id }],
});

/** A used code is an entry of no user: its user is not known, and the account's opening credit has it. */
export const openUsedCode = ({
  id,
  quota,
  at,
}: {
  readonly id: number;
  readonly quota: number;
  readonly at: number;
}): NewEntry => ({
  ...emptyEntry,
  op_key: `redeem:${id}`,
  kind: 'redeem',
  user_id: 0,
  amount: quota,
  reason: imported,
  created_at: at,
});
