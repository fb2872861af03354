import type { Database } from '../../store/database.ts';
import { tryAcquireLease } from '../../store/nodes/try-acquire-lease.ts';
import { startLoop } from '../loop.ts';
import type { ChannelTests } from './channel-tests.ts';

export interface PeriodicTestsDeps {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly tests: ChannelTests;
  /** 0: never. */
  readonly everyMinutes: number;
  onError(error: unknown): void;
}

/** Of several nodes whose timers fire at nearly the same time, the first one tests. */
const slackSeconds = 30;

/** Tests every channel again and again, on one node at a time, until the returned function ends it. */
export const startPeriodicTests = ({
  db,
  clock,
  tests,
  everyMinutes,
  onError,
}: PeriodicTestsDeps): (() => Promise<void>) => {
  if (everyMinutes === 0) return () => Promise.resolve();
  const everySeconds = everyMinutes * 60;
  const run = async (): Promise<void> => {
    if (tests.progress().running) return;
    const now = Math.floor(clock.now() / 1000);
    const mine = await tryAcquireLease(db, { name: 'channel_tests', now, notAfter: now - everySeconds + slackSeconds });
    if (mine && !tests.progress().running) tests.start({ scope: 'all', requested: false });
  };
  const pauseMs = everySeconds * 1000;
  return startLoop(run, { pauseMs, firstMs: pauseMs }, onError);
};
