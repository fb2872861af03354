import { channelStatus } from '@weir/contract/channels';
import { AppError } from '../../errors.ts';
import { type BalanceChannel, type ChannelBalance, hasBalance } from '../../integrations/channel-balance.ts';
import { findChannel, listChannelIds, noteChannelBalance, openChannelKey } from '../../store/channels/channels.ts';
import type { Database } from '../../store/database.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';

/** Remaining balances at the upstreams. */
export interface ChannelBalances {
  /** Queries the balance, stores it and resolves to it. */
  update(id: number): Promise<ChannelBalance>;
  /** Queries all enabled channels in the background, one after another; does nothing while such a run is active. */
  updateAll(): void;
  close(): Promise<void>;
}

export interface ChannelBalancesDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: { now(): number };
  readonly ask: (channel: BalanceChannel, now: Date) => Promise<ChannelBalance>;
  onError(error: unknown): void;
}

export const createChannelBalances = ({ db, secrets, clock, ask, onError }: ChannelBalancesDeps): ChannelBalances => {
  let closed = false;
  let running: Promise<void> | undefined;

  const update = async (id: number): Promise<ChannelBalance> => {
    const row = await findChannel(db.read, id);
    if (row === undefined) throw new AppError('not_found');
    if (!hasBalance(row.type)) throw new AppError('balance_unsupported');
    const channel = { type: row.type, key: openChannelKey(secrets, row), baseUrl: row.base_url };
    const now = new Date(clock.now());
    const balance = await ask(channel, now);
    await noteChannelBalance(db, { id, ...balance, at: Math.floor(now.getTime() / 1000) });
    return balance;
  };
  const updateEach = async (): Promise<void> => {
    for (const id of await listChannelIds(db.read, [channelStatus.enabled])) {
      if (closed) return;
      // A query that fails must not end the run.
      await update(id).catch((error: unknown) => (error instanceof AppError ? undefined : onError(error)));
    }
  };
  return {
    update,
    updateAll: () => {
      running ??= updateEach()
        .catch(onError)
        .finally(() => (running = undefined));
    },
    close: async () => {
      closed = true;
      await running;
    },
  };
};
