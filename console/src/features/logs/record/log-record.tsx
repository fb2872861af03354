import { logType } from '@weir/contract/logs';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../../components/text/code-block.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { buttonClass } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Time } from '../../../components/text/time.tsx';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { CostCell, TookCell, TypeCell } from '../list/log-cells.tsx';
import { LogCharge } from './log-charge.tsx';
import { LogRefusal } from './log-refusal.tsx';
import { relatedLinks } from '../list/log-entries.ts';
import { channelText } from '../list/log-row.ts';
import type { LogRow } from '../list/log-row.ts';
import { isCall } from '../filters/log-type.ts';
import type { LogsSearch } from '../filters/logs-search.ts';

interface LogRecordProps {
  readonly row: LogRow;
  readonly search: LogsSearch;
  readonly admin: boolean;
}

/** Every field of a record, links to similar records, and the raw record. */
export const LogRecord = (props: LogRecordProps) => {
  const t = useT();
  const { row } = props;
  const capabilities = useCapabilities();
  return (
    <div className="flex flex-col gap-5">
      {(isCall(row.type) || row.quota !== 0) && <Cost row={row} />}
      {row.refusal && capabilities && <LogRefusal row={row} admin={props.admin} />}
      {row.type === logType.consume && row.id > 0 && capabilities && <LogCharge row={row} />}
      <Fields {...props} />
      <Related {...props} />
      <CodeBlock title={t(m.log_copy_record)} code={JSON.stringify(row.wire, undefined, 2)} />
    </div>
  );
};

const Cost = ({ row }: { readonly row: LogRow }) => {
  const t = useT();
  const language = useLanguage();
  const count = (value: number): string => value.toLocaleString(language);
  return (
    <div>
      <p className="text-28 leading-tight font-semibold">
        <CostCell row={row} stop />
      </p>
      <p className="mt-1 text-13 text-mute tabular-nums">
        {t(m.quota_units, { count: count(row.quota) })}
        {isCall(row.type) &&
          ` · ${t(m.log_tokens_of, { prompt: count(row.prompt_tokens), completion: count(row.completion_tokens) })}`}
      </p>
    </div>
  );
};

const Fields = ({ row, admin }: LogRecordProps) => {
  const t = useT();
  const yesNo = (yes: boolean): string => t(yes ? m.log_yes : m.log_no);
  return (
    <dl className="grid grid-cols-[fit-content(45%)_1fr]">
      <Fact name={t(m.log_time)}>
        <Time unixSeconds={row.created_at} stop />
      </Fact>
      <Fact name={t(m.log_type)}>
        <TypeCell row={row} />
      </Fact>
      <Fact name={t(m.log_key)}>{row.token_name}</Fact>
      <Fact name={t(m.log_model)}>{row.model_name && <span className="font-mono text-13">{row.model_name}</span>}</Fact>
      {admin && <Fact name={t(m.log_user)}>{row.username && `${row.username} (${row.user_id})`}</Fact>}
      {admin && <Fact name={t(m.log_channel)}>{row.channel > 0 && <ChannelLink row={row} />}</Fact>}
      {isCall(row.type) && (
        <>
          <Fact name={t(m.log_took)}>
            <TookCell row={row} />
          </Fact>
          <Fact name={t(m.log_stream_yes)}>{yesNo(row.is_stream)}</Fact>
          <Fact name={t(m.log_prompt_reset)}>{yesNo(row.system_prompt_reset)}</Fact>
        </>
      )}
      <Fact name={t(m.log_details)}>{row.content}</Fact>
      {row.request_id && (
        <Fact name={t(m.log_request)}>
          <span className="flex items-center gap-1">
            <span className="min-w-0 font-mono text-13">{row.request_id}</span>
            <CopyButton text={row.request_id} label={t(m.log_copy_request)} className="-my-1.5" />
          </span>
        </Fact>
      )}
      {row.run && (
        <Fact name={t(m.run_detail)}>
          <a className="text-brand underline underline-offset-2" href={`/run/${row.run.id}`}>
            {[String(row.run.id), ...row.run.step.split('/')].filter((part) => part !== '').join(' / ')}
          </a>
        </Fact>
      )}
      {row.id > 0 && <Fact name={t(m.log_record_id)}>{row.id}</Fact>}
    </dl>
  );
};

/** Link to the channel's health, if the server supports it. */
const ChannelLink = ({ row }: { readonly row: LogRow }) => {
  if (!useCapabilities()) return row.channel;
  return (
    <a className="text-brand underline underline-offset-2" href={`/channel/${row.channel}`}>
      {channelText(row)}
    </a>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="border-b border-line py-1.5 pr-5 text-13 text-mute">{name}</dt>
    <dd className="min-w-0 border-b border-line py-1.5 wrap-anywhere whitespace-pre-wrap tabular-nums [&_time]:whitespace-normal">
      {children || '—'}
    </dd>
  </>
);

const Related = (props: LogRecordProps) => {
  const t = useT();
  const links = relatedLinks({ ...props, t });
  if (links.length === 0) return null;
  return (
    <section aria-label={t(m.log_more_like_this)} className="flex flex-wrap gap-2">
      {links.map(({ text, href }) => (
        <a key={text} href={href} className={buttonClass('plain')}>
          <Icon name="filter" className="size-4 text-mute" />
          {text}
        </a>
      ))}
    </section>
  );
};
