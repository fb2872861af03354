import type { ChannelTestRun, testScopes } from '@weir/contract/channel-health';
import { channelStatus } from '@weir/contract/channels';
import { AppError } from '../../errors.ts';
import type { ChannelTestResult } from '../../relay/call/test-channel.ts';
import { type ChannelRow, findChannel, listChannelIds, noteChannelTest } from '../../store/channels/channels.ts';
import type { Database } from '../../store/database.ts';
import type { ChannelJudge } from './judge-test.ts';
import { testsFinished } from '../notices.ts';
import type { NotifyRoot } from '../notify-root.ts';

/** A run of tests over many channels. */
export interface TestRunOrder {
  readonly scope: (typeof testScopes)[number];
  /** An operator requested the run and is notified at its end; otherwise the timer started it. */
  readonly requested: boolean;
}

/** Tests of many channels, one after another: parallel tests would slow each other down on a shared machine. */
export interface ChannelTests {
  /** Starts a run; throws `channel_test_running` while there is one. */
  start(order: TestRunOrder): void;
  progress(): ChannelTestRun;
  /** Ends the running one, with its current test; returns its progress. */
  cancel(): ChannelTestRun;
  /** Cancels, and resolves once nothing runs any more. */
  close(): Promise<void>;
}

export interface ChannelTestsDeps {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly testChannel: (id: number, model: string, cancelled: AbortSignal) => Promise<ChannelTestResult>;
  readonly judge: ChannelJudge;
  readonly notifyRoot: NotifyRoot;
  /** Between two tests. */
  readonly pauseMs: number;
  onError(error: unknown): void;
}

type Progress = { -readonly [Member in keyof ChannelTestRun]: ChannelTestRun[Member] };

const none: ChannelTestRun = {
  running: false,
  scope: 'all',
  started_time: 0,
  finished_time: 0,
  total: 0,
  tested: 0,
  failed: 0,
  disabled: 0,
  enabled: 0,
  cancelled: false,
  current: '',
};

const disabled = [channelStatus.disabled, channelStatus.autoDisabled];

const pause = (ms: number, { signal }: AbortController): Promise<void> =>
  new Promise((resolve) => {
    if (ms === 0 || signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

interface Run {
  readonly order: TestRunOrder;
  readonly progress: Progress;
  readonly ending: AbortController;
}

/** Tests one channel of a run and judges the result. */
const testOne = async (deps: ChannelTestsDeps, { order, progress, ending }: Run, row: ChannelRow): Promise<void> => {
  const { clock, db, judge, testChannel } = deps;
  progress.current = row.name;
  const result = await testChannel(row.id, '', ending.signal);
  const at = Math.floor(clock.now() / 1000);
  await noteChannelTest(db, { id: row.id, result, at });
  progress.tested += 1;
  if (!result.ok) progress.failed += 1;
  const switched = await judge(row, result, order);
  if (switched !== null) progress[switched] += 1;
};

/** Channels that were deleted meanwhile, or no longer match the scope, are left out. */
const wanted = async ({ db }: ChannelTestsDeps, { order }: Run, id: number): Promise<ChannelRow | undefined> => {
  const row = await findChannel(db.read, id);
  return order.scope === 'disabled' && row?.status === channelStatus.enabled ? undefined : row;
};

const testEach = async (deps: ChannelTestsDeps, run: Run): Promise<void> => {
  const { progress, ending, order } = run;
  const ids = await listChannelIds(deps.db.read, order.scope === 'disabled' ? disabled : undefined);
  progress.total = ids.length;
  for (const id of ids) {
    if (ending.signal.aborted) return;
    try {
      const row = await wanted(deps, run, id);
      if (row === undefined) progress.total -= 1;
      else await testOne(deps, run, row);
    } catch (error) {
      if (ending.signal.aborted) return;
      progress.total -= 1;
      if (!(error instanceof AppError)) deps.onError(error);
    }
    await pause(deps.pauseMs, ending);
  }
};

export const createChannelTests = (deps: ChannelTestsDeps): ChannelTests => {
  const { clock, notifyRoot, onError } = deps;
  let last: ChannelTestRun = none;
  let running: (Run & { readonly done: Promise<void> }) | undefined;

  const seconds = () => Math.floor(clock.now() / 1000);
  const finish = ({ progress: reached, order, ending }: Run): void => {
    const { tested, failed } = reached;
    const cancelled = ending.signal.aborted;
    last = { ...reached, running: false, finished_time: seconds(), cancelled, current: '' };
    running = undefined;
    if (order.requested && !cancelled) notifyRoot(testsFinished({ scope: order.scope, tested, failed }));
  };
  const progress = (): ChannelTestRun => (running === undefined ? last : { ...running.progress });
  return {
    progress,
    start: (order) => {
      if (running !== undefined) throw new AppError('channel_test_running');
      const begin: Progress = { ...none, running: true, scope: order.scope, started_time: seconds() };
      const run = { order, progress: begin, ending: new AbortController() };
      const done = testEach(deps, run)
        .catch(onError)
        .finally(() => finish(run));
      running = { ...run, done };
    },
    cancel: () => {
      running?.ending.abort();
      if (running !== undefined) running.progress.cancelled = true;
      return progress();
    },
    close: async () => {
      running?.ending.abort();
      await running?.done;
    },
  };
};
