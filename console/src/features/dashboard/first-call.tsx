import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Log } from '@weir/contract/logs';
import type { Token } from '@weir/contract/tokens';
import { useEffect, useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { Select } from '../../components/form/select.tsx';
import { CodeBlock } from '../../components/text/code-block.tsx';
import { Money } from '../../components/text/money.tsx';
import { serverAddress } from '../../lib/api/call.ts';
import { failureMessage } from '../../lib/api/failure-text.ts';
import { useStatus } from '../../lib/api/status.ts';
import { firstModel } from '../../lib/first-model.ts';
import { trimSlash } from '../../lib/format/format.ts';
import { formatTook } from '../../lib/format/format-took.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { isRecord } from '../../lib/is-record.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';
import { curlRequest } from '../../lib/snippets.ts';
import { m } from '../../paraglide/messages.js';
import { firstCallQuery, modelsQuery } from './queries.ts';
import { Step } from './step.tsx';

const problemIn = (body: unknown): string => {
  const error = isRecord(body) ? body['error'] : undefined;
  return isRecord(error) && typeof error['message'] === 'string' ? error['message'] : '';
};

/** The same request as the command. Throws the gateway's message if it fails. */
const send = async (key: string, model: string): Promise<void> => {
  const response = await fetch(`${serverAddress}/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer sk-${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  const body: unknown = await response.json().catch(() => undefined);
  const problem = problemIn(body);
  if (!response.ok || problem !== '') throw new Error(problem || `HTTP ${response.status}`);
};

interface FirstCallProps {
  readonly step: number;
  readonly admin: boolean;
  /** Undefined: there is none yet. */
  readonly token: Token | undefined;
}

/** A request with a model that is served: copied, or sent from here. */
export const FirstCall = ({ step, admin, token }: FirstCallProps) => {
  const t = useT();
  const { data: served } = useQuery(modelsQuery);
  const [picked, setPicked] = useState<string>();
  const model = picked ?? firstModel(served ?? []);
  return (
    <>
      <Step step={step} done={false}>
        {model === undefined || served === undefined ? (
          <span className="text-mute">{served && t(admin ? m.dash_first_no_model_admin : m.dash_first_no_model)}</span>
        ) : (
          <Request model={model} served={served} token={token} onPick={setPicked} admin={admin} />
        )}
      </Step>
      <Watch step={step + 1} admin={admin} />
    </>
  );
};

interface RequestProps extends Omit<FirstCallProps, 'step'> {
  readonly model: string;
  readonly served: readonly string[];
  readonly onPick: (model: string) => void;
}

const Request = ({ model, served, token, admin, onPick }: RequestProps) => {
  const t = useT();
  const client = useQueryClient();
  const { server_address: address } = useStatus();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const command = (key: string): string => curlRequest(trimSlash(address ?? '') || location.origin, key, model);
  const sendIt = async (key: string): Promise<void> => {
    setBusy(true);
    setProblem('');
    await send(key, model).catch((error: unknown) => setProblem(failureMessage(error)));
    await client.invalidateQueries({ queryKey: firstCallQuery(admin).queryKey });
    setBusy(false);
  };
  return (
    <div className="flex w-full min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={t(m.dash_first_model)}
          value={model}
          choices={served.map((name) => [name, name] as const)}
          onPick={onPick}
          className="min-w-0"
        />
        {token && (
          <Button sends look="primary" icon="play" busy={busy} onClick={() => void sendIt(token.key)}>
            {t(m.dash_first_send_now)}
          </Button>
        )}
      </div>
      {problem !== '' && (
        <p role="alert" className="text-bad wrap-anywhere">
          {t(m.dash_first_failed, { reason: problem })}
        </p>
      )}
      <CodeBlock
        title={t(m.dash_first_send)}
        code={command('sk-…')}
        {...(token ? { copied: command(`sk-${token.key}`) } : {})}
      />
    </div>
  );
};

const pollMs = 3000;
const lookMs = 120_000;

/** Polls for the first record for two minutes, and again on request. */
const Watch = ({ step, admin }: Pick<FirstCallProps, 'step' | 'admin'>) => {
  const t = useT();
  const [looking, setLooking] = useState(true);
  const { data: record } = useQuery({
    ...firstCallQuery(admin),
    refetchInterval: ({ state }) => (looking && !state.data ? pollMs : false),
  });
  useEffect(() => {
    if (!looking) return undefined;
    const timer = setTimeout(setLooking, lookMs, false);
    return () => clearTimeout(timer);
  }, [looking]);
  if (record) return <Seen step={step} record={record} />;
  return (
    <Step step={step} done={false}>
      <p role="status">{`${t(m.dash_first_watch)}. ${t(looking ? m.dash_first_waiting : m.dash_first_rest)}`}</p>
      {!looking && <Button onClick={() => setLooking(true)}>{t(m.dash_first_again)}</Button>}
    </Step>
  );
};

const Seen = ({ step, record }: { readonly step: number; readonly record: Log }) => {
  const t = useT();
  const { id, created_at: at, model_name: model, prompt_tokens, completion_tokens, quota, elapsed_time } = record;
  return (
    <Step step={step} done>
      <p role="status">{t(m.dash_first_seen, { model })}</p>
      <span className="flex flex-wrap gap-x-3 text-mute tabular-nums">
        <span>{t(m.dash_first_tokens, { count: prompt_tokens + completion_tokens })}</span>
        <Money quota={quota} fine />
        {elapsed_time > 0 && <span>{formatTook(elapsed_time)}</span>}
      </span>
      <a className={buttonClass('plain')} href={`/log${stringifySearch({ id, at })}`}>
        {t(m.dash_first_open)}
      </a>
    </Step>
  );
};
