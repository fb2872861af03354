import type { Usage } from '@weir/contract/usage';
import { buttonClass } from '../../components/button.tsx';
import { Money } from '../../components/text/money.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { Dimension } from './dashboard-search.ts';
import { changeOf, changeText } from '../../components/chart/usage-series.ts';

interface TopNamesProps {
  readonly usage: Usage;
  readonly by: Dimension;
  /** Address of the log records of a name. */
  readonly hrefOf: (name: Usage['names'][number]) => string;
  /** Address of the list of all of them; absent: there is none. */
  readonly allHref: string | undefined;
}

const titles: Record<Dimension, Message> = {
  model: m.dash_top_model,
  token: m.dash_top_token,
  channel: m.dash_top_channel,
  user: m.dash_top_user,
};

/** The top spenders, their share, and its change. */
export const TopNames = ({ usage, by, hrefOf, allHref }: TopNamesProps) => {
  const t = useT();
  const share = (quota: number): number => Math.round((quota / Math.max(1, usage.total.quota)) * 100);
  return (
    <section className="rounded-card border border-line bg-panel px-4 py-3">
      <div className="flex flex-wrap items-center gap-2 pb-2">
        <h2 className="mr-auto text-16 font-semibold">{t(titles[by])}</h2>
        {allHref !== undefined && (
          <a href={allHref} className={buttonClass('plain')}>
            {t(m.margin_all)}
          </a>
        )}
      </div>
      <table className="w-full border-collapse text-13">
        <thead className="text-12 text-mute">
          <tr>
            <th scope="col" className="py-1 text-left font-medium">
              {t(m.dash_name)}
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              {t(m.dash_spend)}
            </th>
            <th scope="col" className="py-1 text-right font-medium max-phone:hidden">
              {t(m.dash_share)}
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              {t(m.dash_change)}
            </th>
          </tr>
        </thead>
        <tbody>
          {usage.names.map((row) => (
            <tr key={row.name} className="border-t border-line">
              <td className="max-w-0 truncate py-1.5">
                <a href={hrefOf(row)} className="underline-offset-2 hover:underline">
                  {row.title || t(m.dash_nameless)}
                </a>
              </td>
              <td className="w-px py-1.5 pl-2 text-right">
                <Money quota={row.quota} />
              </td>
              <td className="w-14 py-1.5 text-right tabular-nums max-phone:hidden">{share(row.quota)}%</td>
              <td className="w-18 py-1.5 text-right tabular-nums">
                {changed(row.quota, row.quota_before, t(m.dash_new))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

const changed = (now: number, before: number, fresh: string): string => {
  const change = changeOf(now, before);
  if (change === undefined) return fresh;
  const text = `${changeText(change)}%`;
  if (text.startsWith('>') || change === 0) return text;
  return change > 0 ? `+${text}` : `−${text}`;
};
