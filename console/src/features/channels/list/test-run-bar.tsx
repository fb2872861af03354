import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { ChannelTestRun } from '@weir/contract/channel-health';
import { useEffect, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
import { toastFailure } from '../../../lib/toasts.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { refreshChannels, stopTests, testRunQuery } from '../operations.ts';

const refreshMs = 5000;

/** Loaded at the end of a run: most visits see none. */
const tell = (run: ChannelTestRun): void =>
  void import('./list-work.ts').then(({ reportTests }) => reportTests(run)).catch(toastFailure);

/** While tests run the list is reloaded every five seconds, and once more when they are done. */
const useFreshList = (client: QueryClient, run: ChannelTestRun | undefined): void => {
  const running = run?.running === true;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => void refreshChannels(client), refreshMs);
    return () => clearInterval(timer);
  }, [client, running]);
  /** Start of the last run whose end was shown, or known when the page opened: short runs are never seen running. */
  const reported = useRef<number>(undefined);
  useEffect(() => {
    if (run === undefined) return;
    const known = reported.current;
    if (run.running) {
      reported.current ??= 0;
      return;
    }
    reported.current = run.started_time;
    if (known === undefined || known === run.started_time) return;
    void refreshChannels(client);
    tell(run);
  }, [client, run]);
};

/** Progress of a test of many channels, with a stop button; hidden if there is none. */
export const TestRunBar = () => {
  const t = useT();
  const client = useQueryClient();
  // Other servers of the contract do not report it.
  const { data: run } = useQuery({ ...testRunQuery, enabled: useCapabilities() });
  useFreshList(client, run);
  if (run?.running !== true) return null;
  const { tested, total, failed, current } = run;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control border border-line bg-raised py-2 pr-2 pl-3 text-13">
      <p className="tabular-nums">
        {t(m.channel_tests_running, { tested, total })}
        {failed > 0 && <span className="text-bad"> · {t(m.channel_tests_failed, { count: failed })}</span>}
        {current !== '' && <span className="text-mute"> · {current}</span>}
      </p>
      <progress
        aria-label={t(m.channel_tests_running, { tested, total })}
        className="h-1.5 min-w-24 flex-1 appearance-none overflow-hidden rounded-full border-0 bg-off-bg [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-off-bg [&::-webkit-progress-value]:bg-brand"
        max={Math.max(1, total)}
        value={tested}
      />
      <Button sends size="h-7 px-2.5 pointer-coarse:h-10" onClick={() => void stopTests(client).catch(toastFailure)}>
        {t(m.channel_tests_stop)}
      </Button>
    </div>
  );
};
