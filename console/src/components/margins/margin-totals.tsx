import type { Margins, MarginAmounts } from '@weir/contract/margins';
import type { ReactNode } from 'react';
import { dollarsText, fineDollarsText } from '../../lib/format/dollars.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { CostText, isCostUnknown, MarginText } from './margin-text.tsx';

/** As `12%`; what is little is not shown as nothing, and what is not all not as all. */
const shareText = ({ uncosted, quota }: MarginAmounts): string => {
  const percent = (uncosted / quota) * 100;
  if (percent < 1) return '<1%';
  return percent > 99 && percent < 100 ? '>99%' : `${Math.round(percent)}%`;
};

/** Revenue, cost and margin in total, and what they leave out. */
export const MarginTotals = ({ total, tests }: Pick<Margins, 'total' | 'tests'>) => {
  const t = useT();
  const notes = [
    ...(isCostUnknown(total) && total.quota > 0 ? [t(m.margin_no_cost)] : []),
    ...(!isCostUnknown(total) && total.uncosted > 0 ? [t(m.margin_unknown_share, { percent: shareText(total) })] : []),
    ...(tests === '0' ? [] : [t(m.margin_tests, { cost: fineDollarsText(tests) })]),
  ];
  return (
    <>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-x-4 gap-y-2">
        <Figure name={t(m.margin_revenue)}>{dollarsText(total.revenue)}</Figure>
        <Figure name={t(m.margin_cost)}>
          <CostText amounts={total} />
        </Figure>
        <Figure name={t(m.margin_margin)}>
          <MarginText amounts={total} />
        </Figure>
      </dl>
      {notes.map((note) => (
        <p key={note} className="pt-2 text-13 text-mute">
          {note}
        </p>
      ))}
    </>
  );
};

const Figure = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex min-w-0 flex-col">
    <dt className="text-13 text-mute">{name}</dt>
    <dd className="text-20 font-semibold wrap-anywhere tabular-nums">{children}</dd>
  </div>
);
