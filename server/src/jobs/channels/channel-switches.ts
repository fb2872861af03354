import { channelStatus } from '@weir/contract/channels';
import { rebuildAbilities } from '../../store/channels/abilities.ts';
import { appendAudit } from '../../store/audit.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { type ChannelRow, switchChannel } from '../../store/channels/channels.ts';
import type { Database } from '../../store/database.ts';
import { channelDisabled, channelEnabled, type Reason } from '../notices.ts';
import type { NotifyRoot } from '../notify-root.ts';

/** A channel as it was at the time of the verdict. */
export interface JudgedChannel {
  readonly id: number;
  readonly keyDigest: string;
}

/** Switches channels on behalf of the system: the reason is stored, written to the audit log and sent to root. */
export interface ChannelSwitches {
  /** Switches only an enabled channel with the same key. Returns whether it did. */
  disable(channel: JudgedChannel, reason: Reason): Promise<boolean>;
  /** Switches only a channel in one of these states, with the same key. */
  enable(channel: JudgedChannel, from: readonly number[]): Promise<boolean>;
}

export interface ChannelSwitchesDeps {
  readonly db: Database;
  readonly changes: Changes;
  readonly clock: { now(): number };
  readonly notifyRoot: NotifyRoot;
}

const reasonMax = 500;

export const createChannelSwitches = ({ db, changes, clock, notifyRoot }: ChannelSwitchesDeps): ChannelSwitches => {
  const flip = async (change: Parameters<typeof switchChannel>[1], action: string): Promise<ChannelRow | undefined> => {
    const row = await db.write.transaction().execute(async (trx) => {
      const switched = await switchChannel(trx, change);
      if (switched === undefined) return undefined;
      await rebuildAbilities(trx, switched);
      await appendAudit(trx, {
        created_at: Math.floor(clock.now() / 1000),
        actor_id: 0,
        actor_name: '',
        action,
        subject: `channel ${switched.id}`,
        detail: change.reason,
        address: '',
        request_id: '',
      });
      return switched;
    });
    if (row !== undefined) changes.publish({ topic: 'channel', id: row.id });
    return row;
  };
  return {
    disable: async (channel, words) => {
      const reason = { en: words.en.slice(0, reasonMax), zh: words.zh.slice(0, reasonMax) };
      const from = [channelStatus.enabled];
      const change = { ...channel, from, to: channelStatus.autoDisabled, reason: reason.en };
      const row = await flip(change, 'auto_disable_channel');
      if (row === undefined) return false;
      notifyRoot(channelDisabled({ id: row.id, name: row.name, reason }));
      return true;
    },
    enable: async (channel, from) => {
      const row = await flip({ ...channel, from, to: channelStatus.enabled, reason: '' }, 'auto_enable_channel');
      if (row === undefined) return false;
      notifyRoot(channelEnabled({ id: row.id, name: row.name }));
      return true;
    },
  };
};
