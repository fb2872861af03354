import { outranks } from '@weir/contract/roles';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/authenticate.ts';
import type { DatabaseTransaction, ReadQueries } from '../../store/database.ts';
import { findUser } from '../../store/users/users.ts';
import type { TokenChange } from './token-changes.ts';
import { checkOwner } from './tokens-of-users.ts';

/** What a reader sees of the tokens of an account. */
export interface TokenReader {
  /** The reader's own membership, whose keys are shown whole; undefined: none. */
  readonly memberId: number | undefined;
  /** Also the tokens of others, their keys masked. */
  readonly seesAll: boolean;
}

/** Who may see and change the tokens of an account that is not the own one. Both throw the refusal of all others. */
export interface TokenAuthority {
  check(read: ReadQueries, id: number, actor: Actor): Promise<TokenReader>;
  /** Locks the account. The member that a new token is of; undefined: none. `tokenId`: of a token that is there. */
  checkChange(
    trx: DatabaseTransaction,
    change: TokenChange,
    by: { readonly actor: Actor; readonly tokenId: number | undefined },
  ): Promise<number | undefined>;
}

/** Administrators, over accounts with lower roles. */
export const userTokens: TokenAuthority = {
  check: async (read, id, actor) => {
    const owner = await findUser(read, id);
    if (owner === undefined) throw new AppError('not_found');
    if (!outranks(actor.user.role, owner.role)) throw new AppError('user_rank_read');
    return { memberId: undefined, seesAll: true };
  },
  checkChange: async (trx, change, { actor }) => {
    await checkOwner(trx, change, actor);
    return undefined;
  },
};
