import { createBalanceQuery } from '../../integrations/channel-balance.ts';
import type { Outbound } from '../../integrations/outbound.ts';
import type { Relay } from '../../relay/relay.ts';
import type { Database } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import { type ChannelBalances, createChannelBalances } from './channel-balances.ts';
import { type ChannelTests, createChannelTests } from './channel-tests.ts';
import type { RelayObservation } from '../observe-relay.ts';
import { createChannelJudge } from './judge-test.ts';
import { startPeriodicTests } from './periodic-tests.ts';

export interface ChannelWorkDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly options: Options;
  readonly clock: { now(): number };
  readonly outbound: Outbound;
  readonly relay: Pick<Relay, 'testChannel'>;
  readonly follower: RelayObservation;
  readonly config: { readonly channelTestMinutes: number; readonly channelTestPauseSeconds: number };
  onError(error: unknown): void;
}

/** Work on channels in the background: tests of many of them, and their balances. */
export interface ChannelWork {
  readonly tests: ChannelTests;
  readonly balances: ChannelBalances;
  close(): Promise<void>;
}

/** Starts with the periodic tests, if any are configured. */
export const startChannelWork = (deps: ChannelWorkDeps): ChannelWork => {
  const { config, follower, outbound, relay } = deps;
  const { notifyRoot } = follower;
  const tests = createChannelTests({
    ...deps,
    notifyRoot,
    testChannel: relay.testChannel,
    judge: createChannelJudge({ ...deps, ...follower }),
    pauseMs: config.channelTestPauseSeconds * 1000,
  });
  const balances = createChannelBalances({ ...deps, ask: createBalanceQuery(outbound) });
  const stopPeriodic = startPeriodicTests({ ...deps, tests, everyMinutes: config.channelTestMinutes });
  return {
    tests,
    balances,
    close: async () => {
      await stopPeriodic();
      await Promise.all([tests.close(), balances.close()]);
    },
  };
};
