import { useQuery } from '@tanstack/react-query';
import { listOwnLogs, logType } from '@weir/contract/logs';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { CodeBlock } from '../../components/text/code-block.tsx';
import { Icon } from '../../components/icon.tsx';
import { call } from '../../lib/api/call.ts';
import { trimSlash } from '../../lib/format/format.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';
import { curlRequest } from '../../lib/snippets.ts';
import { useStatus } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { keysQuery } from './queries.ts';

const pollMs = 3000;
const lookMs = 120_000;

const firstQuery = {
  queryKey: ['first-request'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const query = { p: 0, type: logType.consume };
    return (await call(listOwnLogs, { query, signal }))?.[0] ?? null;
  },
};

/** Steps of a new account: a token, a request, its record. */
export const FirstSteps = () => {
  const t = useT();
  const keys = useQuery(keysQuery);
  const { server_address: address } = useStatus();
  const [newest] = keys.data ?? [];
  return (
    <section className="mb-3 flex flex-col gap-3 rounded-card border border-line bg-panel px-4 py-3">
      <h2 className="text-16 font-semibold">{t(m.dash_first)}</h2>
      <ol className="flex flex-col gap-3">
        <Step step={1} done={newest !== undefined}>
          {newest ? (
            t(m.dash_first_key_done)
          ) : (
            <a className={buttonClass('primary')} href="/token/add">
              <Icon name="plus" />
              {t(m.dash_first_key)}
            </a>
          )}
        </Step>
        <Step step={2} done={false}>
          <CodeBlock
            title={t(m.dash_first_send)}
            code={curlRequest(trimSlash(address ?? '') || location.origin, 'sk-…')}
            {...(newest
              ? { copied: curlRequest(trimSlash(address ?? '') || location.origin, `sk-${newest.key}`) }
              : {})}
          />
        </Step>
        <Watch />
      </ol>
    </section>
  );
};

interface StepProps {
  readonly step: number;
  readonly done: boolean;
  readonly children: ReactNode;
}

const Step = ({ step, done, children }: StepProps) => (
  <li className="flex items-start gap-3">
    <span
      aria-hidden="true"
      className={`mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full text-13 font-medium ${done ? 'bg-ok-bg text-ok' : 'bg-off-bg text-off'}`}
    >
      {done ? <Icon name="check" className="size-4" /> : step}
    </span>
    <div className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-2">{children}</div>
  </li>
);

/** Polls for the first record for two minutes, and again on request. */
const Watch = () => {
  const t = useT();
  const [looking, setLooking] = useState(true);
  const { data: record } = useQuery({ ...firstQuery, refetchInterval: looking ? pollMs : false });
  const seen = record !== undefined && record !== null;
  useEffect(() => {
    if (!looking) return undefined;
    const timer = setTimeout(setLooking, lookMs, false);
    return () => clearTimeout(timer);
  }, [looking]);
  return (
    <Step step={3} done={seen}>
      <p role="status">
        {seen
          ? t(m.dash_first_seen, { model: record.model_name ?? '' })
          : `${t(m.dash_first_watch)}. ${t(looking ? m.dash_first_waiting : m.dash_first_rest)}`}
      </p>
      {seen && (
        <a className={buttonClass('plain')} href={`/log${stringifySearch({ id: record.id, at: record.created_at })}`}>
          {t(m.dash_first_open)}
        </a>
      )}
      {!seen && !looking && <Button onClick={() => setLooking(true)}>{t(m.dash_first_again)}</Button>}
    </Step>
  );
};
