import { Money } from '../../components/text/money.tsx';
import { useLanguage } from '../../lib/browser/locale.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { UsageSum } from './usage-sums.ts';

const cell = 'px-2 py-2 whitespace-nowrap first:pl-4 last:pr-4';
const end = `${cell} w-px text-right tabular-nums`;
/** Has no room on a phone; paper has it. */
const spare = `${end} max-md:hidden print:table-cell`;

interface UsageTableProps {
  readonly caption: string;
  /** Head of the names. */
  readonly name: string;
  readonly rows: readonly UsageSum[];
  /** Quota that was charged without a record in the log; 0: none. */
  readonly unlogged: number;
}

/** Usage by model or by day. */
export const UsageTable = ({ caption, name, rows, unlogged }: UsageTableProps) => {
  const t = useT();
  const language = useLanguage();
  const count = (value: number): string => value.toLocaleString(language);
  const heads = [
    [t(m.dash_requests), end],
    [t(m.run_prompt_tokens), spare],
    [t(m.run_completion_tokens), spare],
    [t(m.run_cost), end],
  ] as const;
  return (
    <table className="w-full text-13">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="text-left text-12 text-mute">
          <th scope="col" className={`${cell} font-medium`}>
            {name}
          </th>
          {heads.map(([head, look]) => (
            <th key={head} scope="col" className={`${look} font-medium`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} className="border-t border-line">
            <td className={`${cell} w-full max-w-0 truncate font-mono text-12`} title={row.name}>
              {row.name || t(m.statement_other)}
            </td>
            <td className={end}>{count(row.requests)}</td>
            <td className={spare}>{count(row.prompt_tokens)}</td>
            <td className={spare}>{count(row.completion_tokens)}</td>
            <td className={end}>
              <Money quota={row.quota} fine />
            </td>
          </tr>
        ))}
        {unlogged !== 0 && (
          <tr className="border-t border-line text-mute">
            <td className={`${cell} w-full max-w-0 truncate`}>{t(m.run_unlogged)}</td>
            <td className={end} />
            <td className={spare} />
            <td className={spare} />
            <td className={end}>
              <Money quota={unlogged} fine />
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
};
