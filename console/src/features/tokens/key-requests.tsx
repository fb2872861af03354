import { useQuery } from '@tanstack/react-query';
import type { Log } from '@weir/contract/logs';
import { Failure } from '../../components/failure.tsx';
import { Money } from '../../components/money.tsx';
import { Nothing, Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { formatTime } from '../../lib/format.ts';
import { formatTook } from '../../lib/format-took.ts';
import { useLanguage } from '../../lib/locale.ts';
import { stringifySearch } from '../../lib/search-params.ts';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { keyRequestsQuery } from './detail-queries.ts';

/** The newest requests of a key; each leads to its record in the log. */
export const KeyRequests = ({ name }: { readonly name: string }) => {
  const t = useT();
  const { data: rows, error, refetch } = useQuery(keyRequestsQuery(name));
  if (error !== null && rows === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <Section title={t(m.token_requests)}>
      {rows === undefined && (
        <div className="p-4" aria-busy="true">
          <Skeleton className="w-full" />
        </div>
      )}
      {rows?.length === 0 && <Nothing text={t(m.token_requests_none)} />}
      {rows && rows.length > 0 && <Table rows={rows} name={name} />}
      <a
        className="block border-t border-line px-4 py-2.5 text-13 font-medium text-brand underline-offset-2 hover:underline"
        href={`/log${stringifySearch({ token_name: name })}`}
      >
        {t(m.token_requests_all)}
      </a>
    </Section>
  );
};

const cell = 'px-4 py-2 whitespace-nowrap';
const end = `${cell} text-right tabular-nums`;

const Table = ({ rows, name }: { readonly rows: readonly Log[]; readonly name: string }) => {
  const t = useT();
  const language = useLanguage();
  const heads = [
    [m.token_request_time, cell],
    [m.token_request_model, cell],
    [m.dash_tokens, end],
    [m.token_request_cost, end],
    [m.token_request_took, end],
  ] as const;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={t(m.token_requests)}>
      <table className="w-full text-13">
        <caption className="sr-only">{t(m.token_requests)}</caption>
        <thead>
          <tr className="text-left text-12 text-mute">
            {heads.map(([head, look]) => (
              <th key={t(head)} scope="col" className={`${look} font-medium`}>
                {t(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="border-t border-line">
              <td className={cell}>
                <a
                  href={`/log${stringifySearch({ token_name: name, id: row.id, at: row.created_at })}`}
                  className="tabular-nums underline-offset-2 hover:underline"
                >
                  {formatTime(row.created_at)}
                </a>
              </td>
              <td className={`${cell} font-mono text-12`}>{row.model_name}</td>
              <td className={end}>{(row.prompt_tokens + row.completion_tokens).toLocaleString(language)}</td>
              <td className={end}>
                <Money quota={row.quota} fine />
              </td>
              <td className={end}>{row.elapsed_time > 0 ? formatTook(row.elapsed_time) : '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
