import type { AccountStatement } from '@weir/contract/bills/account-statements';
import { Money } from '../../components/text/money.tsx';
import { Time } from '../../components/text/time.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

const cell = 'px-2 py-2 whitespace-nowrap first:pl-4 last:pr-4';

/** Has no room on a phone, where the reason tells more. */
const kindCell = `${cell} w-px max-md:hidden print:table-cell`;

const kinds: Readonly<Record<string, Message>> = {
  grant: m.statement_grant,
  invite: m.statement_invite,
  redeem: m.statement_redeem,
  adjust: m.statement_adjust,
  correction: m.statement_correction,
};

/** What was added to the account and taken from it, besides its usage. */
export const CreditsTable = ({ credits }: Pick<AccountStatement, 'credits'>) => {
  const t = useT();
  const heads = [
    [m.statement_time, `${cell} w-px`],
    [m.statement_kind, kindCell],
    [m.statement_reason, cell],
    [m.statement_amount, `${cell} w-px text-right`],
  ] as const;
  return (
    <table className="w-full text-13">
      <caption className="sr-only">{t(m.statement_credits)}</caption>
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
        {credits.map(({ id, kind, reason, amount, created_at: at }) => (
          <tr key={id} className="border-t border-line">
            <td className={`${cell} w-px tabular-nums max-md:[&_time]:whitespace-normal`}>
              <Time unixSeconds={at} />
            </td>
            <td className={kindCell}>{t(kinds[kind] ?? (() => kind))}</td>
            <td className={`${cell} max-w-0 truncate print:whitespace-normal`} title={reason}>
              {reason || '—'}
            </td>
            <td className={`${cell} w-px text-right tabular-nums`}>
              <Money quota={amount} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
