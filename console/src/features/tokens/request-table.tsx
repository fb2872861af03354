import type { Log } from '@weir/contract/logs';
import { Money } from '../../components/text/money.tsx';
import { formatTime } from '../../lib/format/format.ts';
import { formatTook } from '../../lib/format/format-took.ts';
import { useLanguage } from '../../lib/browser/locale.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

const cell = 'px-2 py-2 whitespace-nowrap first:pl-4 last:pr-4';
const end = `${cell} w-px text-right tabular-nums`;
/** Has no room on a phone: the record has it. */
const spare = `${end} max-md:hidden`;

interface RequestTableProps {
  readonly rows: readonly Pick<
    Log,
    'id' | 'created_at' | 'model_name' | 'prompt_tokens' | 'completion_tokens' | 'quota' | 'elapsed_time'
  >[];
  /** Of the token: each request links to its record in the log. Absent: the reader has no log. */
  readonly name?: string;
}

/** Requests of a token. */
export const RequestTable = ({ rows, name }: RequestTableProps) => {
  const t = useT();
  const language = useLanguage();
  const heads = [
    [m.token_request_time, `${cell} w-px max-md:w-24`],
    [m.token_request_model, cell],
    [m.dash_tokens, spare],
    [m.token_request_cost, end],
    [m.token_request_took, spare],
  ] as const;
  return (
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
            <td className={`${cell} tabular-nums max-md:whitespace-normal`}>
              {name === undefined ? (
                formatTime(row.created_at)
              ) : (
                <a
                  href={`/log${stringifySearch({ token_name: name, id: row.id, at: row.created_at })}`}
                  className="underline-offset-2 hover:underline"
                >
                  {formatTime(row.created_at)}
                </a>
              )}
            </td>
            <td className={`${cell} max-w-0 truncate font-mono text-12`} title={row.model_name}>
              {row.model_name}
            </td>
            <td className={spare}>{(row.prompt_tokens + row.completion_tokens).toLocaleString(language)}</td>
            <td className={end}>
              <Money quota={row.quota} fine />
            </td>
            <td className={spare}>{row.elapsed_time > 0 ? formatTook(row.elapsed_time) : '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
