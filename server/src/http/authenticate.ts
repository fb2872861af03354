import { userStatus } from '@weir/contract/users';
import { can } from '@weir/contract/roles';
import type { Access } from '@weir/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Database } from '../store/database.ts';
import type { Secrets } from '../store/credentials/secrets.ts';
import { findUser, findUserByAccessToken, type UserRow } from '../store/users/users.ts';
import type { AddressLimit } from './limits/address-limit.ts';
import type { Sessions } from './sessions.ts';

/** The caller, as the database has it at this moment. */
export interface Actor {
  readonly user: UserRow;
  /** Absent: the call has a system access token. */
  readonly sessionDigest: string | undefined;
}

/** An administrator, or root. */
export const isAdmin = ({ user }: Actor): boolean => can(user.role, 'admin');

interface AuthenticateDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly tokenLimit: Pick<AddressLimit, 'enter'>;
}

const { enabled } = userStatus;

const findActor = async (deps: AuthenticateDeps, request: FastifyRequest): Promise<Actor> => {
  const { db, secrets, sessions, tokenLimit } = deps;
  const session = await sessions.find(request);
  if (session !== undefined) {
    const user = await findUser(db.read, session.userId);
    if (user !== undefined) return { user, sessionDigest: session.digest };
  }
  const token = (request.headers.authorization ?? '').replace('Bearer ', '').trim();
  if (token === '') throw new AppError('not_signed_in');
  const user = await findUserByAccessToken(db, secrets.digest(token));
  if (user === undefined) {
    await tokenLimit.enter(request);
    throw new AppError('access_token_invalid');
  }
  return { user, sessionDigest: undefined };
};

/**
 * Finds the caller and refuses calls without permission, in the order and with the answers of wire contract 1.4. The
 * user is read anew each time: a ban or another role counts from the next call on.
 */
export const authenticate = async (
  deps: AuthenticateDeps,
  request: FastifyRequest,
  access: Exclude<Access, 'public'>,
): Promise<Actor> => {
  const actor = await findActor(deps, request);
  if (actor.user.status !== enabled) {
    await deps.sessions.closeAll(actor.user.id);
    throw new AppError('banned');
  }
  if (!can(actor.user.role, access)) throw new AppError('no_permission');
  return actor;
};
