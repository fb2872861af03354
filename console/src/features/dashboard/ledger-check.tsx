import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/text/money.tsx';
import { abbreviate } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { reconciliationQuery } from './queries.ts';

const shownFindings = 5;

/** Shown while ledger and balances disagree, or while charges are uncollected; otherwise no alert is enough. */
export const LedgerCheck = () => {
  const t = useT();
  const { data } = useQuery(reconciliationQuery);
  // No check has ended since the start: nothing to show yet.
  if (data === undefined || data.checked_at === 0) return null;
  const { findings, entries, open_holds: holds, unrecovered } = data;
  if (findings.length === 0 && unrecovered === 0) return null;
  return (
    <section id="ledger" className="rounded-card border border-line bg-panel px-4 py-3">
      <h2 className="pb-2 text-16 font-semibold">{t(m.dash_ledger)}</h2>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-13 tabular-nums">
        <Figure name={t(m.dash_ledger_drift)}>{findings.length}</Figure>
        <Figure name={t(m.dash_ledger_entries)}>{abbreviate(entries)}</Figure>
        <Figure name={t(m.dash_ledger_holds)}>{abbreviate(holds)}</Figure>
        <Figure name={t(m.dash_ledger_unrecovered)}>
          <Money quota={unrecovered} />
        </Figure>
      </dl>
      {findings.length === 0 ? (
        <p className="pt-2 text-mute">{t(m.dash_ledger_agree)}</p>
      ) : (
        <ul className="flex flex-col pt-2">
          {findings.slice(0, shownFindings).map(({ rule, subject, expected, found }) => (
            <li
              key={`${rule} ${subject}`}
              className="flex items-center gap-2 border-t border-line py-1 first:border-t-0"
            >
              <Icon name="alert" className="size-4 shrink-0 text-warn" />
              <span className="min-w-0 wrap-anywhere">
                {t(m.dash_ledger_finding, { rule, subject, expected, found })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const Figure = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex min-w-0 flex-col">
    <dt className="text-mute">{name}</dt>
    <dd className="text-16 font-semibold wrap-anywhere">{children}</dd>
  </div>
);
