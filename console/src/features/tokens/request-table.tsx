import type { Log } from '@weir/contract/logs';
import { plainCell, plainFigure, plainSpare, PlainTable } from '../../components/table/plain-table.tsx';
import { Money } from '../../components/text/money.tsx';
import { formatTime } from '../../lib/format/format.ts';
import { formatTook } from '../../lib/format/format-took.ts';
import { useLanguage } from '../../lib/browser/locale.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

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
    [t(m.token_request_time), `${plainCell} w-px max-md:w-24`],
    [t(m.token_request_model), plainCell],
    [t(m.dash_tokens), plainSpare],
    [t(m.token_request_cost), plainFigure],
    [t(m.token_request_took), plainSpare],
  ] as const;
  return (
    <PlainTable caption={t(m.token_requests)} heads={heads}>
      {rows.map((row) => (
        <tr key={row.id} className="border-t border-line">
          <td className={`${plainCell} tabular-nums max-md:whitespace-normal`}>
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
          <td className={`${plainCell} max-w-0 truncate font-mono text-12`} title={row.model_name}>
            {row.model_name}
          </td>
          <td className={plainSpare}>{(row.prompt_tokens + row.completion_tokens).toLocaleString(language)}</td>
          <td className={plainFigure}>
            <Money quota={row.quota} fine />
          </td>
          <td className={plainSpare}>{row.elapsed_time > 0 ? formatTook(row.elapsed_time) : '—'}</td>
        </tr>
      ))}
    </PlainTable>
  );
};
