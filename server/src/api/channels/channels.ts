import { vendorOf } from '@weir/contract/catalogue/vendors';
import {
  channelStatus,
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  searchChannels,
  updateChannel,
} from '@weir/contract/channels';
import { defaultGroup } from '@weir/contract/groups';
import { role } from '@weir/contract/roles';
import { AppError } from '../../errors.ts';
import { changedNames } from '../../http/audit.ts';
import { type Call, route, type Routes } from '../../http/route.ts';
import { countAbilities, rebuildAbilities, removeAbilities } from '../../store/channels/abilities.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { openChannelConfig, storedChannelConfig } from '../../store/channels/channel-config.ts';
import * as store from '../../store/channels/channels.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import { checkStatus, readChannel, readKeys } from './channel-input.ts';
import { toChannel } from './channel-view.ts';
import { movesKey } from './moves-key.ts';
import { needsAddress } from './needs-address.ts';

export interface ChannelRoutesDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
}

const readRoutes = (routes: Routes): void => {
  const { db, secrets } = routes.deps;
  route(routes, listChannels, async ({ query, actor }) => {
    const [rows, total] = await Promise.all([
      store.listChannels(db, { reader: actor.user.id, page: query.p }),
      query.p === 0 ? store.countChannels(db) : undefined,
    ]);
    return { data: rows.map((row) => toChannel(secrets, row)), total };
  });
  route(routes, searchChannels, async ({ query: { keyword } }) => {
    const rows = await store.searchChannels(db, { keyword, keyDigest: secrets.digest(keyword) });
    return { data: rows.map((row) => toChannel(secrets, row)) };
  });
  route(routes, getChannel, async ({ params }) => {
    const row = await store.findChannel(db.read, params.id);
    if (row === undefined) throw new AppError('not_found');
    return { data: toChannel(secrets, row) };
  });
};

/** Rows of abilities that one request may write: more would keep every other writer waiting. */
const abilitiesMax = 100_000;

/** Defaults of a new channel. */
const blank = {
  type: 1,
  status: channelStatus.enabled,
  status_reason: '',
  weight: 0,
  priority: 0,
  test_time: 0,
  response_time: 0,
  test_error: '',
  base_url: '',
  other: '',
  balance: 0,
  balance_currency: '',
  balance_updated_time: 0,
  group: defaultGroup,
  used: 0,
  model_mapping: '',
  config: '',
  system_prompt: '',
  deleted_time: 0,
};

const addRoute = (routes: Routes, { changes, clock }: ChannelRoutesDeps): void => {
  const { audit, db, secrets } = routes.deps;

  route(routes, createChannel, async ({ body, actor, request }) => {
    const fields = readChannel(body);
    const keys = readKeys(body.key, fields.config ?? '');
    const { name = '', models = '' } = fields;
    const config = storedChannelConfig(secrets, fields.config ?? '', '');
    checkStatus(fields, channelStatus.enabled);
    if (keys.length === 0 || name === '') throw new AppError('channel_incomplete');
    if (models === '' && vendorOf(fields.type ?? blank.type)?.needsModels !== false)
      throw new AppError('channel_without_model');
    const created = { ...blank, ...fields, name, models, config, created_time: Math.floor(clock.now() / 1000) };
    if (created.base_url === '' && needsAddress(created.type)) throw new AppError('channel_address_required');
    if (keys.length * countAbilities(created) > abilitiesMax) throw new AppError('channel_too_wide');
    await db.write.transaction().execute(async (trx) => {
      const ids: number[] = [];
      for (const key of keys) {
        const id = await store.insertChannel(trx, { ...created, ...store.channelKeyColumns(secrets, key) });
        await rebuildAbilities(trx, { ...created, id });
        ids.push(id);
      }
      for (const id of ids) {
        await audit.note(trx, { request, actor: actor.user, action: 'create_channel', subject: `channel ${id}` });
      }
    });
    changes.publish({ topic: 'channel', id: 0 });
    return {};
  });
};

const changeRoutes = (routes: Routes, { changes, clock }: ChannelRoutesDeps): void => {
  const { audit, db, secrets } = routes.deps;

  const change = async (
    trx: DatabaseTransaction,
    { body, actor, request }: Call<typeof updateChannel>,
  ): Promise<store.ChannelRow> => {
    const given = readChannel(body);
    const row = await store.findChannel(trx, body.id);
    if (row === undefined) throw new AppError('not_found');
    const { config } = given;
    const fields =
      config === undefined ? given : { ...given, config: storedChannelConfig(secrets, config, row.config) };
    const [key] = readKeys(body.key, config ?? openChannelConfig(secrets, row.config));
    checkStatus(fields, row.status);
    if (key === undefined && actor.user.role < role.root && movesKey(secrets, row, fields)) {
      throw new AppError('channel_key_required');
    }
    if (fields.base_url === '' && row.base_url !== '' && needsAddress(fields.type ?? row.type))
      throw new AppError('channel_address_required');
    if (countAbilities({ ...row, ...fields }) > abilitiesMax) throw new AppError('channel_too_wide');
    await store.updateChannel(trx, row.id, {
      ...fields,
      ...(key === undefined ? {} : store.channelKeyColumns(secrets, key)),
      ...(fields.status === undefined || fields.status === row.status ? {} : { status_reason: '' }),
    });
    const after = await store.findChannel(trx, row.id);
    if (after === undefined) throw new AppError('not_found');
    await rebuildAbilities(trx, after);
    const detail = [...changedNames(fields, row), ...(key === undefined ? [] : ['key'])].join(' ');
    await audit.note(trx, {
      request,
      actor: actor.user,
      action: 'update_channel',
      subject: `channel ${row.id}`,
      detail,
    });
    return after;
  };

  route(routes, updateChannel, async (call) => {
    const row = await db.write.transaction().execute((trx) => change(trx, call));
    changes.publish({ topic: 'channel', id: row.id });
    return { data: toChannel(secrets, row) };
  });

  route(routes, deleteChannel, async ({ params, actor, request }) => {
    await db.write.transaction().execute(async (trx) => {
      const existed = await store.deleteChannel(trx, { id: params.id, at: Math.floor(clock.now() / 1000) });
      if (!existed) return;
      await removeAbilities(trx, [params.id]);
      await audit.note(trx, { request, actor: actor.user, action: 'delete_channel', subject: `channel ${params.id}` });
    });
    changes.publish({ topic: 'channel', id: params.id });
    return {};
  });
};

export const channelRoutes = (routes: Routes, deps: ChannelRoutesDeps): void => {
  readRoutes(routes);
  addRoute(routes, deps);
  changeRoutes(routes, deps);
};
