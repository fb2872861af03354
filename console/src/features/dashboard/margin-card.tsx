import { useQuery } from '@tanstack/react-query';
import type { Margins } from '@weir/contract/margins';
import { useState } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { CostText, MarginText } from '../../components/margins/margin-text.tsx';
import { MarginTotals } from '../../components/margins/margin-totals.tsx';
import { ViewTabs } from '../../components/view-tabs.tsx';
import { marginsQuery } from '../../lib/api/margins.ts';
import { dollarsText } from '../../lib/format/dollars.ts';
import { usePhone } from '../../lib/hooks/use-media.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { SelectedRange } from '../../lib/usage-range.ts';
import { m } from '../../paraglide/messages.js';

type By = 'model' | 'channel';

interface MarginCardProps {
  readonly range: SelectedRange;
  /** Address of the whole report of this time. */
  readonly href: string;
  /** Address of the log records of a line. */
  readonly hrefOf: (by: By, name: string) => string;
}

const shownLines = 8;

/** What all calls brought in, cost and left, in total and for the largest models or channels. For administrators. */
export const MarginCard = ({ range, href, hrefOf }: MarginCardProps) => {
  const t = useT();
  const [by, setBy] = useState<By>('model');
  const { data } = useQuery(marginsQuery({ range, by, limit: shownLines }));
  if (data === undefined || data.total.requests === 0) return null;
  const all = by === 'model' ? href : `${href}${href.includes('?') ? '&' : '?'}by=${by}`;
  return (
    <section aria-label={t(m.margin_title)} className="rounded-card border border-line bg-panel px-4 py-3">
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <h2 className="mr-auto text-16 font-semibold">{t(m.margin_title)}</h2>
        <ViewTabs
          label={t(m.dash_by)}
          views={[['model', t(m.dash_by_model)] as const, ['channel', t(m.dash_by_channel)] as const]}
          current={by}
          onPick={setBy}
        />
        <a href={all} className={buttonClass('plain')}>
          {t(m.margin_all)}
        </a>
      </div>
      <MarginTotals {...data} />
      <Lines lines={data.lines} hrefOf={(name) => hrefOf(by, name)} />
    </section>
  );
};

const cell = 'py-1.5 pl-4 text-right whitespace-nowrap tabular-nums';
const head = 'py-1 pl-4 text-right font-medium';

interface LinesProps {
  readonly lines: Margins['lines'];
  readonly hrefOf: (name: string) => string;
}

const Lines = (props: LinesProps) => (usePhone() ? <NarrowLines {...props} /> : <WideLines {...props} />);

interface NameProps {
  readonly line: Margins['lines'][number];
  readonly hrefOf: LinesProps['hrefOf'];
}

const Name = ({ line: { name, title }, hrefOf }: NameProps) => {
  const t = useT();
  if (name === null) return <span className="text-mute">{t(m.margin_rest)}</span>;
  return (
    <a href={hrefOf(name)} title={title} className="underline-offset-2 hover:underline">
      {title || t(m.dash_nameless)}
    </a>
  );
};

/** Names on lines of their own: beside large amounts there is no room for them. */
const NarrowLines = ({ lines, hrefOf }: LinesProps) => {
  const t = useT();
  return (
    <ul className="mt-3 text-13">
      {lines.map((line) => (
        <li key={line.name ?? ''} className="border-t border-line py-1.5">
          <div className="truncate">
            <Name line={line} hrefOf={hrefOf} />
          </div>
          <dl className="flex flex-wrap gap-x-4 [&_dt]:text-mute [&>div]:flex [&>div]:gap-1.5">
            <div>
              <dt>{t(m.margin_revenue)}</dt>
              <dd className="tabular-nums">{dollarsText(line.revenue)}</dd>
            </div>
            <div>
              <dt>{t(m.margin_margin)}</dt>
              <dd>
                <MarginText amounts={line} />
              </dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  );
};

const WideLines = ({ lines, hrefOf }: LinesProps) => {
  const t = useT();
  return (
    <table className="mt-3 w-full border-collapse text-13">
      <thead className="text-12 text-mute">
        <tr>
          <th scope="col" className="py-1 text-left font-medium">
            {t(m.margin_name)}
          </th>
          {[m.margin_revenue, m.margin_cost, m.margin_margin].map((word) => (
            <th key={t(word)} scope="col" className={head}>
              {t(word)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.name ?? ''} className="border-t border-line">
            <td className="w-full max-w-0 truncate py-1.5">
              <Name line={line} hrefOf={hrefOf} />
            </td>
            <td className={cell}>{dollarsText(line.revenue)}</td>
            <td className={cell}>
              <CostText amounts={line} />
            </td>
            <td className={cell}>
              <MarginText amounts={line} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
