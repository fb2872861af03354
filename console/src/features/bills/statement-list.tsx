import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Bill } from '@weir/contract/bills/bills';
import { IconButton } from '../../components/icon-button.tsx';
import { confirm } from '../../components/overlay/overlays.ts';
import { useLanguage } from '../../lib/browser/locale.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { toastFailure } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { dollars, vendorName } from './bill-rows.ts';
import { billsQuery, remove } from './queries.ts';

/** The statements that are stored, each of which can be deleted. */
export const StatementList = () => {
  const t = useT();
  const client = useQueryClient();
  const language = useLanguage();
  const { data = [] } = useQuery(billsQuery);
  if (data.length === 0) return null;
  const nameOf = ({ vendor, source }: Bill): string =>
    [vendorName(vendor, language), source].filter(Boolean).join(' · ');
  const drop = async (bill: Bill): Promise<void> => {
    const sure = await confirm({
      title: t(m.bill_delete_title),
      text: t(m.bill_delete_text, { name: nameOf(bill), from: bill.from, to: bill.to }),
      verb: t(m.delete),
      danger: true,
    });
    if (sure) await remove(client, bill.id).catch(toastFailure);
  };
  return (
    <section aria-label={t(m.bill_statements)} className="min-w-0">
      <h3 className="pb-1 text-13 font-semibold">{t(m.bill_statements)}</h3>
      <ul className="rounded-card border border-line">
        {data.map((bill) => (
          <li key={bill.id} className="flex items-center gap-2 border-t border-line py-1.5 pr-1 pl-3 first:border-t-0">
            <span className="min-w-0 flex-1">
              <span className="block wrap-anywhere">{nameOf(bill)}</span>
              <span className="text-12 text-mute tabular-nums">
                {t(m.bill_statement_facts, {
                  from: bill.from,
                  to: bill.to,
                  lines: bill.lines.toLocaleString(language),
                  cost: dollars(bill.cost),
                  by: bill.imported_by,
                  at: formatTime(bill.imported_at),
                })}
              </span>
            </span>
            <IconButton
              icon="trash"
              label={t(m.bill_delete_named, { name: `${nameOf(bill)} ${bill.from}` })}
              onClick={() => void drop(bill)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
};
