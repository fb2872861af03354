import { outranks } from '@weir/contract/roles';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/authenticate.ts';
import type { DatabaseTransaction, ReadQueries } from '../../store/database.ts';
import { findUser } from '../../store/users/users.ts';
import type { TokenChange } from './token-changes.ts';
import { checkOwner } from './tokens-of-users.ts';

/** Who may see and change the tokens of an account that is not the own one. Both throw the refusal of all others. */
export interface TokenAuthority {
  /** The member whose tokens the reader sees; undefined: those of the whole account. */
  check(read: ReadQueries, id: number, actor: Actor): Promise<number | undefined>;
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
    return undefined;
  },
  checkChange: async (trx, change, { actor }) => {
    await checkOwner(trx, change, actor);
    return undefined;
  },
};
