import { useQuery } from '@tanstack/react-query';
import type { Refusal, RefusalChannel } from '@weir/contract/logs';
import { buttonClass } from '../../../components/button.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/text/time.tsx';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { useUser } from '../../../lib/api/session.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { stringifySearch } from '../../../lib/lists/search-params.ts';
import { restReasonTexts, verdictTexts } from '../../../lib/route-texts.ts';
import { m } from '../../../paraglide/messages.js';
import type { LogRow } from '../list/log-row.ts';
import { refusalQuery } from '../queries.ts';
import { remedyOf } from './remedy.ts';

interface LogRefusalProps {
  readonly row: LogRow;
  readonly admin: boolean;
}

/** Why a call was refused, what its route looked like, and where the cause can be changed. */
export const LogRefusal = ({ row: { id, refusal }, admin }: LogRefusalProps) => {
  const t = useT();
  const { data, isError } = useQuery(refusalQuery(id));
  const rule = refusal?.rule ?? '';
  return (
    <section aria-label={t(m.log_refusal)} className="flex flex-col gap-2">
      <p className="text-20 leading-tight font-semibold tabular-nums">
        {refusal?.status} <span className="font-mono text-16 font-normal wrap-anywhere">{rule}</span>
      </p>
      <p>{t(m.log_refusal_rule, { rule })}</p>
      {isError && <p className="text-13 text-mute">{t(m.log_refusal_failed)}</p>}
      {!isError && data === undefined && <Skeleton className="w-full" />}
      {data && (
        <>
          <Facts refusal={data} />
          <Remedy refusal={data} admin={admin} />
          {data.route && <Channels channels={data.route} />}
        </>
      )}
    </section>
  );
};

const retryText = (after: string, t: Translate): string =>
  /^\d+$/.test(after) ? t(m.log_refusal_retry_seconds, { seconds: after }) : t(m.log_refusal_retry, { after });

const Facts = ({ refusal }: { readonly refusal: Refusal }) => {
  const t = useT();
  const language = useLanguage();
  const { address, attempts, group, key_tail: tail, path, retry_after: after, similar } = refusal;
  const lines = [
    t(m.log_refusal_path, { path }),
    ...(group === '' ? [] : [t(m.log_refusal_group, { group })]),
    ...(tail === '' ? [] : [t(m.log_refusal_key, { tail })]),
    ...(address === '' ? [] : [t(m.log_refusal_address, { address })]),
    ...(after === '' ? [] : [retryText(after, t)]),
    ...(similar > 1 ? [t(m.log_refusal_similar, { count: similar.toLocaleString(language) })] : []),
    ...attempts.map(({ channel, status, ms }, index) =>
      channel > 0
        ? t(m.log_charge_attempt, { channel, status, ms })
        : t(m.log_charge_attempt_own, { number: index + 1, status, ms }),
    ),
  ];
  return (
    <ul className="text-13 wrap-anywhere text-mute tabular-nums">
      {lines.map((line, index) => (
        <li key={index}>{line}</li>
      ))}
    </ul>
  );
};

const Remedy = ({ refusal, admin }: { readonly refusal: Refusal; readonly admin: boolean }) => {
  const t = useT();
  const remedy = remedyOf(refusal, { admin, userId: useUser()?.id ?? 0 });
  if (remedy === undefined) return null;
  return (
    <a href={`${remedy.path}${stringifySearch(remedy.search)}`} className={`self-start ${buttonClass('plain')}`}>
      {t(remedy.text)}
    </a>
  );
};

const Channels = ({ channels }: { readonly channels: readonly RefusalChannel[] }) => {
  const t = useT();
  return (
    <>
      <h3 className="pt-2 text-13 font-semibold">{t(m.log_refusal_route)}</h3>
      {channels.length === 0 && <p className="text-13 text-mute">{t(m.route_none)}</p>}
      <ul className="text-13">
        {channels.map(({ id, name, verdict, rests }) => (
          <li key={id} className="border-t border-line py-1.5">
            <span className="flex gap-3">
              <a className="min-w-0 flex-1 truncate text-brand underline underline-offset-2" href={`/channel/${id}`}>
                {name || id}
              </a>
              <span className="text-right">{t(verdictTexts[verdict])}</span>
            </span>
            {rests.map(({ key, reason, until }) => (
              <span key={key} className="block text-mute">
                {t(m.route_key, { number: key + 1 })} {t(restReasonTexts[reason])} <Time unixSeconds={until} stop />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
};
