import type { Log } from '@weir/contract/logs';
import { Money } from '../../../components/text/money.tsx';
import { formatTime } from '../../../lib/format/format.ts';
import { formatTook } from '../../../lib/format/format-took.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { stringifySearch } from '../../../lib/lists/search-params.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

const cell = 'px-4 py-2 whitespace-nowrap';
const end = `${cell} text-right tabular-nums`;

/** Requests of a token; each links to its record in the log. */
export const RequestTable = ({ rows, name }: { readonly rows: readonly Log[]; readonly name: string }) => {
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
