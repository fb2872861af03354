import { createTokensOfUsers, tokenUsersMax } from '@weir/contract/managed-tokens';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/authenticate.ts';
import { route, type Routes } from '../../http/route.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import { findUserByName, lockUser, type UserRow } from '../../store/users/users.ts';
import { checkSubnet } from '../token-input.ts';
import { toToken } from '../token-view.ts';
import { checkRank } from '../users/user-input.ts';
import { addTokens, type TokenChange, type TokenRoutesDeps } from './token-changes.ts';

/** Locks the owner, so that the rank that permits a change is still the owner's when it is made. */
export const checkOwner = async (
  trx: DatabaseTransaction,
  { ownerId }: TokenChange,
  actor: Actor,
): Promise<UserRow> => {
  const owner = await lockUser(trx, ownerId);
  if (owner === undefined) throw new AppError('not_found');
  checkRank(actor.user, owner);
  return owner;
};

/** Each user once, in the order in which their rows are locked. */
const ownerIds = async (trx: DatabaseTransaction, usernames: readonly string[]): Promise<readonly number[]> => {
  if (usernames.length === 0 || usernames.length > tokenUsersMax)
    throw new AppError('users_number', { max: tokenUsersMax });
  const ids = new Set<number>();
  const unknown: string[] = [];
  for (const name of new Set(usernames)) {
    const user = await findUserByName(trx, name);
    if (user === undefined) unknown.push(name);
    else ids.add(user.id);
  }
  if (unknown.length > 0) throw new AppError('users_unknown', { names: unknown.join(', ') });
  return [...ids].toSorted((one, other) => one - other);
};

/** One token for each user of a list. */
export const tokensOfUsersRoute = (routes: Routes, { clock }: TokenRoutesDeps): void => {
  const { db, secrets } = routes.deps;
  route(routes, createTokensOfUsers, async ({ body, actor, request }) => {
    checkSubnet(body.subnet);
    const at = Math.floor(clock.now() / 1000);
    const { rows, names } = await db.write.transaction().execute(async (trx) => {
      const made = (await ownerIds(trx, body.usernames)).map((ownerId) => ({
        ownerId,
        actor: actor.user,
        request,
        at,
      }));
      const owners = new Map<number, string>();
      for (const change of made) owners.set(change.ownerId, (await checkOwner(trx, change, actor)).username);
      return { rows: await addTokens(trx, routes.deps, { body, changes: made }), names: owners };
    });
    return {
      data: rows.map((row) => {
        const { id, user_id: userId, name, key } = toToken(row, secrets);
        return { user_id: userId, username: names.get(userId) ?? '', id, name, key };
      }),
    };
  });
};
