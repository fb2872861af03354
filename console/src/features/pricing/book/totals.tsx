import { Money } from '../../../components/text/money.tsx';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { nanosToQuota } from './book-rows.ts';
import type { BookTotals } from './book-rows.ts';
import { More } from './columns.tsx';

interface TotalsProps {
  readonly totals: BookTotals;
  /** Quota units of a dollar. */
  readonly perDollar: number;
}

/** What customers would have paid and what vendors would have charged, for the traffic of the last month. */
export const TotalsText = ({ totals, perDollar }: TotalsProps) => {
  const t = useT();
  const language = useLanguage();
  const { calls, charged, moreCharged: more, moreCost } = totals;
  const paid = more < 0 ? m.book_paid_less : more > 0 ? m.book_paid_more : m.book_paid_same;
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-x-4 gap-y-2 text-13 tabular-nums">
      <div className="col-span-full">
        <dt className="text-mute">{t(paid)}</dt>
        <dd className="text-16 font-semibold wrap-anywhere">{more === 0 ? '$0' : <Money quota={Math.abs(more)} />}</dd>
      </div>
      <div>
        <dt className="text-mute">{t(m.book_cost_more)}</dt>
        <dd className="wrap-anywhere">
          <More quota={nanosToQuota(moreCost, perDollar)} />
        </dd>
      </div>
      <div>
        <dt className="text-mute">{t(m.book_calls)}</dt>
        <dd className="wrap-anywhere">{calls.toLocaleString(language)}</dd>
      </div>
      <div>
        <dt className="text-mute">{t(m.book_charged_month)}</dt>
        <dd className="wrap-anywhere">
          <Money quota={charged} />
        </dd>
      </div>
    </dl>
  );
};
