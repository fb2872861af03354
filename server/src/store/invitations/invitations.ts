import type { Insertable, Selectable } from 'kysely';
import type { Secrets } from '../credentials/secrets.ts';
import type { DatabaseTransaction, ReadQueries } from '../database.ts';
import { searchMax } from '../search.ts';
import type { InvitationsTable } from './invitation-tables.ts';

export type InvitationRow = Selectable<InvitationsTable>;

/** An invitation with the present names of what it leads to; null: it is gone. */
export type NamedInvitation = InvitationRow & {
  readonly team_name: string | null;
  readonly preset_name: string | null;
};

const sealedIn = (digest: string): string => `invitations/key_sealed/${digest}`;

/** The two columns of a code. It is sealed to its digest: in another row it does not open. */
export const invitationCodeColumns = (secrets: Secrets, code: string) => {
  const digest = secrets.digest(code);
  return { key_digest: digest, key_sealed: secrets.seal(code, sealedIn(digest)) };
};

export const openInvitationCode = (
  secrets: Secrets,
  { key_digest: digest, key_sealed: sealed }: Pick<InvitationRow, 'key_digest' | 'key_sealed'>,
): string => secrets.open(sealed, sealedIn(digest));

const named = (read: ReadQueries) =>
  read
    .selectFrom('invitations')
    .leftJoin('users', (on) => on.onRef('users.id', '=', 'invitations.team_id').on('users.status', '<>', 3))
    .leftJoin('key_presets', 'key_presets.id', 'invitations.preset_id')
    .selectAll('invitations')
    .select(['users.username as team_name', 'key_presets.name as preset_name']);

/** Latest first, at most `searchMax`, without deleted ones. */
export const listInvitations = (read: ReadQueries): Promise<NamedInvitation[]> =>
  named(read).where('invitations.deleted_time', '=', 0).orderBy('invitations.id', 'desc').limit(searchMax).execute();

export const findNamedInvitation = (read: ReadQueries, id: number): Promise<NamedInvitation | undefined> =>
  named(read).where('invitations.id', '=', id).executeTakeFirst();

/** The invitation of a code, also one that is over; undefined: the code is none of an invitation. */
export const findInvitationByDigest = (read: ReadQueries, digest: string): Promise<InvitationRow | undefined> =>
  read.selectFrom('invitations').selectAll().where('key_digest', '=', digest).executeTakeFirst();

export const insertInvitation = async (
  trx: DatabaseTransaction,
  invitation: Omit<Insertable<InvitationsTable>, 'id'>,
): Promise<number> =>
  (await trx.insertInto('invitations').values(invitation).returning('id').executeTakeFirstOrThrow()).id;

/** Counts a use. False: it has none left, is expired or deleted. `now`: unix seconds. */
export const countInvitationUse = async (trx: DatabaseTransaction, id: number, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set((on) => ({ uses: on('uses', '+', 1) }))
    .where('id', '=', id)
    .where('deleted_time', '=', 0)
    .whereRef('uses', '<', 'uses_max')
    .where((on) => on.or([on('expires_at', '=', 0), on('expires_at', '>', now)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** False: there is no such invitation. */
export const deleteInvitation = async (trx: DatabaseTransaction, id: number, at: number): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set({ deleted_time: at, key_sealed: '' })
    .where('id', '=', id)
    .where('deleted_time', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Whether an invitation that is not deleted makes tokens by the preset. */
export const isPresetInvited = async (read: ReadQueries, presetId: number): Promise<boolean> =>
  (await read
    .selectFrom('invitations')
    .select('id')
    .where('preset_id', '=', presetId)
    .where('deleted_time', '=', 0)
    .limit(1)
    .executeTakeFirst()) !== undefined;
