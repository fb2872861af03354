import { randomUUID } from 'node:crypto';
import type { BodyOf } from '@weir/contract/endpoint';
import { type createToken, tokenStatus } from '@weir/contract/tokens';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { type Audit, changedNames } from '../../http/audit.ts';
import { createTokenKey } from '../../store/credentials/token-key.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import { applyPostings } from '../../store/ledger/apply-postings.ts';
import type { AllocatePosting } from '../../store/ledger/postings.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import * as store from '../../store/tokens.ts';
import { checkEnabling, readExpiry, readStatus, readUpdate, type TokenUpdate } from '../token-input.ts';

export interface TokenRoutesDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
}

/** Whose token is changed, and by whom: its owner or an administrator. */
export interface TokenChange {
  readonly ownerId: number;
  readonly actor: { readonly id: number; readonly username: string };
  readonly request: FastifyRequest;
  /** The member of the team that a new token is of; absent: none. */
  readonly memberId?: number | undefined;
  /** Unix seconds. */
  readonly at: number;
}

export interface TokenChangeDeps {
  readonly audit: Audit;
  readonly secrets: Secrets;
}

/** Names the owner in an entry of the audit log, where the actor is another one. */
export const ownerNote = ({ ownerId, actor }: TokenChange): string => (ownerId === actor.id ? '' : `user ${ownerId}`);

/** Sets what a token may spend. Only a deleted token is refused. */
const allocate = async (trx: DatabaseTransaction, posting: Omit<AllocatePosting, 'kind'>): Promise<void> => {
  const [result] = await applyPostings(trx, [{ kind: 'allocate', ...posting }]);
  if (result?.outcome !== 'done') throw new AppError('not_found');
};

export type NewToken = Pick<
  BodyOf<typeof createToken>,
  'name' | 'remain_quota' | 'expired_time' | 'unlimited_quota' | 'models' | 'subnet'
>;

interface Addition {
  readonly body: NewToken;
  readonly change: TokenChange;
}

const makeToken = async (
  trx: DatabaseTransaction,
  secrets: Secrets,
  { body, change: { ownerId: userId, memberId, actor, at } }: Addition,
): Promise<store.TokenRow> => {
  const tokenId = await store.insertToken(trx, {
    userId,
    memberId,
    name: body.name,
    key: store.tokenKeyColumns(secrets, createTokenKey()),
    expiredTime: readExpiry(body.expired_time),
    unlimited: body.unlimited_quota,
    models: body.models ?? '',
    subnet: body.subnet ?? '',
    at,
  });
  await allocate(trx, {
    opKey: `allocate:${tokenId}:created`,
    tokenId,
    userId,
    total: body.remain_quota,
    unlimited: body.unlimited_quota,
    actorId: actor.id,
    at,
  });
  const made = await store.findToken(trx, { id: tokenId, userId });
  if (made === undefined) throw new AppError('not_found');
  return made;
};

/** Makes a token for each owner; their entries of the audit log come last, as the log is locked by them. */
export const addTokens = async (
  trx: DatabaseTransaction,
  { audit, secrets }: TokenChangeDeps,
  { body, changes }: { readonly body: NewToken; readonly changes: readonly TokenChange[] },
): Promise<readonly store.TokenRow[]> => {
  const rows: store.TokenRow[] = [];
  for (const change of changes) rows.push(await makeToken(trx, secrets, { body, change }));
  await audit.noteAll(
    trx,
    changes.map((change, index) => ({
      request: change.request,
      actor: change.actor,
      action: 'create_token',
      subject: `token ${rows[index]?.id ?? 0}`,
      detail: ownerNote(change),
    })),
  );
  return rows;
};

export const addToken = async (
  trx: DatabaseTransaction,
  deps: TokenChangeDeps,
  { body, change }: Addition,
): Promise<store.TokenRow> => {
  const [row] = await addTokens(trx, deps, { body, changes: [change] });
  if (row === undefined) throw new AppError('not_found');
  return row;
};

/** The posting of an update that concerns the allocation; undefined: it does not. */
const allocationOf = (
  body: TokenUpdate,
  row: store.TokenRow,
  { actor, at }: TokenChange,
): Omit<AllocatePosting, 'kind'> | undefined => {
  const { remain_quota: remain, used_quota: usedSeen, unlimited_quota: unlimited } = body;
  if (remain === undefined && unlimited === undefined) return undefined;
  return {
    opKey: `allocate:${row.id}:${randomUUID()}`,
    tokenId: row.id,
    userId: row.user_id,
    ...(remain === undefined ? {} : { remain }),
    ...(remain === undefined || usedSeen === undefined ? {} : { usedSeen }),
    unlimited: unlimited ?? row.unlimited_quota === 1,
    actorId: actor.id,
    at,
  };
};

interface Update {
  readonly body: TokenUpdate;
  /** Only the status of the body is read. */
  readonly statusOnly: boolean;
  readonly change: TokenChange;
}

export const changeToken = async (
  trx: DatabaseTransaction,
  { audit }: TokenChangeDeps,
  { body, statusOnly, change }: Update,
): Promise<store.TokenRow> => {
  const { ownerId: userId, actor, request, at } = change;
  const token = { id: body.id, userId };
  const row = await store.findToken(trx, token);
  if (row === undefined) throw new AppError('not_found');
  // Other consoles send back the status they loaded with the rest: it is validated as in the reference, then left
  // alone.
  if (body.status === tokenStatus.enabled) checkEnabling(row, at);
  const columns = statusOnly ? readStatus(body.status) : readUpdate(body);
  const allocation = statusOnly ? undefined : allocationOf(body, row, change);
  // First, as it locks the account and then the token: the order in which charges lock them.
  if (allocation !== undefined) await allocate(trx, allocation);
  await store.updateToken(trx, token, columns);
  const after = await store.findToken(trx, token);
  if (after === undefined) throw new AppError('not_found');
  const detail = [
    ...changedNames(columns, row),
    ...(after.available + after.held === row.available + row.held ? [] : ['remain_quota']),
    ...(after.unlimited_quota === row.unlimited_quota ? [] : ['unlimited_quota']),
  ].join(' ');
  await audit.note(trx, { request, actor, action: 'update_token', subject: `token ${row.id}`, detail });
  return after;
};

export const removeToken = async (
  trx: DatabaseTransaction,
  { audit }: TokenChangeDeps,
  { id, change }: { readonly id: number; readonly change: TokenChange },
): Promise<void> => {
  const { ownerId: userId, actor, request, at } = change;
  if (!(await store.deleteToken(trx, { id, userId, at }))) throw new AppError('not_found');
  const detail = ownerNote(change);
  await audit.note(trx, { request, actor, action: 'delete_token', subject: `token ${id}`, detail });
};
