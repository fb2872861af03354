import type { BodyOf } from '@weir/contract/endpoint';
import {
  createKeyPreset,
  deleteKeyPreset,
  type KeyPreset,
  listKeyPresets,
  updateKeyPreset,
} from '@weir/contract/invitations/key-presets';
import { AppError } from '../../errors.ts';
import { changedNames } from '../../http/audit.ts';
import { route, type Routes } from '../../http/route.ts';
import { isPresetInvited } from '../../store/invitations/invitations.ts';
import * as store from '../../store/invitations/key-presets.ts';
import { checkSubnet } from '../token-input.ts';

interface KeyPresetRoutesDeps {
  readonly clock: { now(): number };
}

const toPreset = ({ created_time: _created, unlimited_quota: unlimited, ...row }: store.KeyPresetRow): KeyPreset => ({
  ...row,
  unlimited_quota: unlimited === 1,
});

const readInput = ({
  name,
  remain_quota: quota,
  unlimited_quota: unlimited,
  days,
  models,
  subnet,
}: BodyOf<typeof createKeyPreset>) => {
  checkSubnet(subnet);
  return {
    name,
    remain_quota: unlimited ? 0 : quota,
    unlimited_quota: unlimited ? 1 : 0,
    days,
    models: models ?? '',
    subnet: subnet ?? '',
  };
};

/** What new tokens begin with. */
export const keyPresetRoutes = (routes: Routes, { clock }: KeyPresetRoutesDeps): void => {
  const { audit, db } = routes.deps;

  route(routes, listKeyPresets, async () => ({ data: (await store.listKeyPresets(db.read)).map(toPreset) }));

  route(routes, createKeyPreset, async ({ body, actor, request }) => {
    const input = { ...readInput(body), created_time: Math.floor(clock.now() / 1000) };
    const row = await db.write.transaction().execute(async (trx) => {
      const made = await store.insertKeyPreset(trx, input);
      if (made === undefined) throw new AppError('presets_many', { max: store.keyPresetsMax });
      const subject = `key preset ${made.id}`;
      await audit.note(trx, { request, actor: actor.user, action: 'create_key_preset', subject, detail: made.name });
      return made;
    });
    return { data: toPreset(row) };
  });

  route(routes, updateKeyPreset, async ({ body: { id, ...body }, actor, request }) => {
    const input = readInput(body);
    const row = await db.write.transaction().execute(async (trx) => {
      const before = await store.findKeyPreset(trx, id);
      const made = await store.updateKeyPreset(trx, id, input);
      if (before === undefined || made === undefined) throw new AppError('not_found');
      const subject = `key preset ${id}`;
      const detail = changedNames(input, before).join(' ');
      await audit.note(trx, { request, actor: actor.user, action: 'update_key_preset', subject, detail });
      return made;
    });
    return { data: toPreset(row) };
  });

  route(routes, deleteKeyPreset, async ({ params: { id }, actor, request }) => {
    await db.write.transaction().execute(async (trx) => {
      if (await isPresetInvited(trx, id)) throw new AppError('preset_invited');
      if (!(await store.deleteKeyPreset(trx, id))) throw new AppError('not_found');
      await audit.note(trx, { request, actor: actor.user, action: 'delete_key_preset', subject: `key preset ${id}` });
    });
    return {};
  });
};
