import {
  cancelChannelTestRun,
  getChannelHealth,
  getChannelTestRun,
  listChannelActivity,
} from '@weir/contract/channel-health';
import {
  channelStatus,
  deleteDisabledChannels,
  testChannel,
  testChannels,
  updateChannelBalance,
  updateChannelBalances,
} from '@weir/contract/channels';
import { AppError } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import type { ChannelBalances } from '../../jobs/channels/channel-balances.ts';
import type { ChannelTests } from '../../jobs/channels/channel-tests.ts';
import { removeAbilities } from '../../store/channels/abilities.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import * as store from '../../store/channels/channels.ts';
import { readActivity, readHealth } from './channel-health-view.ts';

/** Result of a test request through a channel. */
export interface ChannelTestResult {
  readonly ok: boolean;
  /** Milliseconds; 0 on failure. */
  readonly timeMs: number;
  readonly modelName: string;
  /** The model's words, or why the test failed. */
  readonly message: string;
}

export interface ChannelOperationsDeps {
  readonly changes: Changes;
  readonly clock: { now(): number };
  /** Sends a test request the way the relay would. Empty model: the channel's own choice. */
  readonly testChannel: (channelId: number, model: string, cancelled: AbortSignal) => Promise<ChannelTestResult>;
  readonly tests: ChannelTests;
  readonly balances: ChannelBalances;
  /** Writes the attempts that this node has only counted so far. */
  readonly flushAttempts: () => Promise<void>;
}

const testRoutes = (routes: Routes, { clock, tests, testChannel: test }: ChannelOperationsDeps): void => {
  const { audit, db } = routes.deps;
  route(routes, testChannel, async ({ params, query }) => {
    const row = await store.findChannel(db.read, params.id);
    if (row === undefined) throw new AppError('not_found');
    const result = await test(params.id, query.model, new AbortController().signal);
    const { ok, timeMs, modelName, message } = result;
    const at = Math.floor(clock.now() / 1000);
    await store.noteChannelTest(db, { id: params.id, result, at });
    return { success: ok, message, extra: { time: timeMs / 1000, modelName } };
  });
  route(routes, testChannels, async ({ query, actor, request }) => {
    const scope = query.scope === 'disabled' ? 'disabled' : 'all';
    tests.start({ scope, requested: true });
    await audit.noteAlone({ request, actor: actor.user, action: 'test_channels', subject: scope });
    return {};
  });
  route(routes, getChannelTestRun, async () => ({ data: tests.progress() }));
  route(routes, cancelChannelTestRun, async ({ actor, request }) => {
    const run = tests.cancel();
    await audit.noteAlone({ request, actor: actor.user, action: 'cancel_channel_tests', subject: run.scope });
    return { data: run };
  });
};

/** Channels that one row of the audit log names. */
const namedMax = 1000;
const disabled = [channelStatus.disabled, channelStatus.autoDisabled];

export const channelOperationRoutes = (routes: Routes, deps: ChannelOperationsDeps): void => {
  const { changes, clock, balances } = deps;
  const { audit, db } = routes.deps;
  testRoutes(routes, deps);

  route(routes, deleteDisabledChannels, async ({ actor, request }) => {
    const at = Math.floor(clock.now() / 1000);
    const ids = await db.write.transaction().execute(async (trx) => {
      const found = await store.deleteChannelsIn(trx, { states: disabled, at });
      if (found.length === 0) return found;
      await removeAbilities(trx, found);
      const detail = `${found.length}: ${found.slice(0, namedMax).join(' ')}`;
      await audit.note(trx, { request, actor: actor.user, action: 'delete_channels', subject: 'disabled', detail });
      return found;
    });
    for (const id of ids) changes.publish({ topic: 'channel', id });
    return { data: ids.length };
  });
  route(routes, updateChannelBalance, async ({ params }) => {
    const { amount, currency } = await balances.update(params.id);
    return { extra: { balance: amount, ...(currency !== '' && { currency }) } };
  });
  route(routes, updateChannelBalances, async () => {
    balances.updateAll();
    return {};
  });
  route(routes, listChannelActivity, async () => {
    await deps.flushAttempts();
    return { data: await readActivity(db, Math.floor(clock.now() / 1000)) };
  });
  route(routes, getChannelHealth, async ({ params }) => {
    const row = await store.findChannel(db.read, params.id);
    if (row === undefined) throw new AppError('not_found');
    await deps.flushAttempts();
    return { data: await readHealth(db, { channel: row, nowSeconds: Math.floor(clock.now() / 1000) }) };
  });
};
