import {
  channelStatus,
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  searchChannels,
  testChannel,
  updateChannel,
  type Channel,
} from '@weir/contract/channels';
import { defaultGroup } from '@weir/contract/groups';
import { role } from '@weir/contract/roles';
import { AppError } from '../errors.ts';
import { route, type Routes } from '../http/route.ts';
import { rebuildAbilities, removeAbilities } from '../store/abilities.ts';
import type { Changes } from '../store/changes.ts';
import * as store from '../store/channels.ts';
import { readChannel, readKeys, type ChannelFields } from './channel-input.ts';

/** What a test request through a channel found. */
export interface ChannelTestResult {
  readonly ok: boolean;
  /** Milliseconds; 0 on failure. */
  readonly timeMs: number;
  readonly modelName: string;
  /** The model's words, or why the test failed. */
  readonly message: string;
}

export interface ChannelRoutesDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
  /** Sends a test request the way the relay would. Empty model: the channel's own choice. */
  readonly testChannel: (channelId: number, model: string) => Promise<ChannelTestResult>;
}

/** A channel on the wire: without its key, which never leaves the server again. */
const toChannel = (row: store.ChannelRow): Channel => ({
  id: row.id,
  type: row.type,
  key: '',
  status: row.status,
  name: row.name,
  weight: row.weight,
  created_time: row.created_time,
  test_time: row.test_time,
  response_time: row.response_time,
  base_url: row.base_url,
  other: row.other,
  balance: row.balance,
  balance_updated_time: row.balance_updated_time,
  models: row.models,
  group: row.group,
  used_quota: row.used,
  model_mapping: row.model_mapping,
  priority: row.priority,
  config: row.config,
  system_prompt: row.system_prompt,
});

/** Whether a change would send the stored key to another place than it was entered for. */
const movesKey = (row: store.ChannelRow, change: ChannelFields): boolean =>
  (change.base_url !== undefined && change.base_url !== row.base_url) || (change.type !== undefined && change.type !== row.type);

const readRoutes = (routes: Routes): void => {
  const { db, secrets } = routes.deps;
  route(routes, listChannels, async ({ query, actor }) => {
    const rows = await store.listChannels(db, { reader: actor.user.id, page: query.p });
    return { data: rows.map(toChannel) };
  });
  route(routes, searchChannels, async ({ query: { keyword } }) => {
    const rows = await store.searchChannels(db, { keyword, keyDigest: secrets.digest(keyword) });
    return { data: rows.map(toChannel) };
  });
  route(routes, getChannel, async ({ params }) => {
    const row = await store.findChannel(db.query, params.id);
    if (row === undefined) throw new AppError('not_found');
    return { data: toChannel(row) };
  });
};

export const channelRoutes = (routes: Routes, deps: ChannelRoutesDeps): void => {
  const { changes, clock } = deps;
  const { audit, db, secrets } = routes.deps;
  const seconds = () => Math.floor(clock.now() / 1000);
  readRoutes(routes);

  route(routes, createChannel, async ({ body, actor, request }) => {
    const keys = readKeys(body.key);
    const fields = readChannel(body);
    if (keys.length === 0 || (fields.name ?? '') === '') throw new AppError('channel_incomplete');
    if ((fields.models ?? '') === '') throw new AppError('channel_without_model');
    const blank = {
      type: 1,
      status: channelStatus.enabled,
      status_reason: '',
      name: '',
      weight: 0,
      priority: 0,
      created_time: seconds(),
      test_time: 0,
      response_time: 0,
      base_url: '',
      other: '',
      balance: 0,
      balance_updated_time: 0,
      models: '',
      group: defaultGroup,
      used: 0,
      model_mapping: '',
      config: '',
      system_prompt: '',
      deleted_time: 0,
    };
    await db.query.transaction().execute(async (trx) => {
      for (const key of keys) {
        const id = await store.insertChannel(trx, { ...blank, ...fields, ...store.channelKeyColumns(secrets, key) });
        const row = await store.findChannel(trx, id);
        if (row !== undefined) await rebuildAbilities(trx, row);
        await audit.note(trx, { request, actor: actor.user, action: 'create_channel', subject: `channel ${id}` });
      }
    });
    changes.publish({ topic: 'channel', id: 0 });
    return {};
  });

  route(routes, updateChannel, async ({ body, actor, request }) => {
    const change = readChannel(body);
    const [key] = readKeys(body.key);
    const updated = await db.query.transaction().execute(async (trx) => {
      const row = await store.findChannel(trx, body.id);
      if (row === undefined) throw new AppError('not_found');
      if (key === undefined && movesKey(row, change) && actor.user.role < role.root) throw new AppError('channel_key_required');
      await store.updateChannel(trx, body.id, {
        ...change,
        ...(key === undefined ? {} : store.channelKeyColumns(secrets, key)),
        ...(change.status === undefined ? {} : { status_reason: '' }),
      });
      const after = await store.findChannel(trx, body.id);
      if (after === undefined) throw new AppError('not_found');
      await rebuildAbilities(trx, after);
      const detail = [...Object.keys(change), ...(key === undefined ? [] : ['key'])].join(' ');
      await audit.note(trx, { request, actor: actor.user, action: 'update_channel', subject: `channel ${body.id}`, detail });
      return after;
    });
    changes.publish({ topic: 'channel', id: body.id });
    return { data: toChannel(updated) };
  });

  route(routes, deleteChannel, async ({ params, actor, request }) => {
    await db.query.transaction().execute(async (trx) => {
      const existed = await store.deleteChannel(trx, { id: params.id, at: seconds() });
      if (!existed) return;
      await removeAbilities(trx, params.id);
      await audit.note(trx, { request, actor: actor.user, action: 'delete_channel', subject: `channel ${params.id}` });
    });
    changes.publish({ topic: 'channel', id: params.id });
    return {};
  });

  route(routes, testChannel, async ({ params, query }) => {
    const row = await store.findChannel(db.query, params.id);
    if (row === undefined) throw new AppError('not_found');
    const { ok, timeMs, modelName, message } = await deps.testChannel(params.id, query.model);
    await store.noteChannelTest(db, { id: params.id, responseTimeMs: Math.round(timeMs), at: seconds() });
    return { success: ok, message, extra: { time: timeMs / 1000, modelName } };
  });
};
