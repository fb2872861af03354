import { defaultGroup } from '@weir/contract/groups';
import {
  createInvitation,
  deleteInvitation,
  type Invitation,
  type InvitationEnd,
  listInvitations,
} from '@weir/contract/invitations/invitations';
import { invitationCodeLength } from '@weir/contract/registration';
import { AppError } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import { randomString } from '../../store/credentials/random-string.ts';
import * as store from '../../store/invitations/invitations.ts';
import { findKeyPreset } from '../../store/invitations/key-presets.ts';
import { findUser } from '../../store/users/users.ts';
import { checkGroup } from '../users/user-input.ts';

interface InvitationRoutesDeps {
  readonly clock: { now(): number };
}

/** 119 bits. */
const createCode = (): string => randomString(invitationCodeLength);

const endOf = (row: store.InvitationRow, now: number): InvitationEnd | '' => {
  if (row.deleted_time > 0) return 'deleted';
  if (row.expires_at > 0 && row.expires_at <= now) return 'expired';
  return row.uses >= row.uses_max ? 'used' : '';
};

/** Invitations of administrators. What they open is in `invited-account.ts`. */
export const invitationRoutes = (routes: Routes, { clock }: InvitationRoutesDeps): void => {
  const { audit, db, options, secrets } = routes.deps;
  const seconds = (): number => Math.floor(clock.now() / 1000);

  const toInvitation = (row: store.NamedInvitation): Invitation => ({
    id: row.id,
    name: row.name,
    code: store.openInvitationCode(secrets, row),
    group: row.account_group,
    team_id: row.team_id,
    team: row.team_name ?? '',
    preset_id: row.preset_id,
    preset: row.preset_name ?? '',
    uses: row.uses,
    uses_max: row.uses_max,
    expires_at: row.expires_at,
    created_time: row.created_time,
    end: endOf(row, seconds()),
  });

  route(routes, listInvitations, async () => ({ data: (await store.listInvitations(db.read)).map(toInvitation) }));

  route(routes, createInvitation, async ({ body, actor, request }) => {
    const group = body.group || defaultGroup;
    checkGroup(group, options.get('GroupRatio'));
    const row = await db.write.transaction().execute(async (trx) => {
      if (body.team_id !== 0 && (await findUser(trx, body.team_id))?.is_team !== 1)
        throw new AppError('invitation_team_gone');
      if (body.preset_id !== 0 && (await findKeyPreset(trx, body.preset_id)) === undefined)
        throw new AppError('preset_unknown');
      const id = await store.insertInvitation(trx, {
        name: body.name,
        ...store.invitationCodeColumns(secrets, createCode()),
        account_group: group,
        team_id: body.team_id,
        preset_id: body.preset_id,
        uses: 0,
        uses_max: body.uses_max,
        expires_at: body.expires_at,
        created_by: actor.user.id,
        created_time: seconds(),
        deleted_time: 0,
      });
      const subject = `invitation ${id}`;
      await audit.note(trx, { request, actor: actor.user, action: 'create_invitation', subject, detail: body.name });
      return store.findNamedInvitation(trx, id);
    });
    if (row === undefined) throw new AppError('not_found');
    return { data: toInvitation(row) };
  });

  route(routes, deleteInvitation, async ({ params: { id }, actor, request }) => {
    await db.write.transaction().execute(async (trx) => {
      if (!(await store.deleteInvitation(trx, id, seconds()))) throw new AppError('not_found');
      await audit.note(trx, { request, actor: actor.user, action: 'delete_invitation', subject: `invitation ${id}` });
    });
    return {};
  });
};
