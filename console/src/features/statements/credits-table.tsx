import type { AccountStatement } from '@weir/contract/bills/account-statements';
import { plainCell, plainFigure, PlainTable } from '../../components/table/plain-table.tsx';
import { Money } from '../../components/text/money.tsx';
import { Time } from '../../components/text/time.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** Has no room on a phone, where the reason tells more. */
const kindCell = `${plainCell} w-px max-md:hidden print:table-cell`;
/** Takes what the others leave. */
const reasonCell = `${plainCell} max-w-0 truncate`;

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
    [t(m.statement_time), `${plainCell} w-px min-[360px]:max-md:w-27`],
    [t(m.statement_kind), kindCell],
    [t(m.statement_reason), reasonCell],
    [t(m.statement_amount), plainFigure],
  ] as const;
  return (
    <PlainTable caption={t(m.statement_credits)} heads={heads}>
      {credits.map(({ id, kind, reason, amount, created_at: at }) => (
        <tr key={id} className="border-t border-line">
          <td className={`${plainCell} w-px tabular-nums min-[360px]:max-md:w-27 max-md:[&_time]:whitespace-normal`}>
            <Time unixSeconds={at} />
          </td>
          <td className={kindCell}>{t(kinds[kind] ?? (() => kind))}</td>
          <td className={`${reasonCell} print:whitespace-normal`} title={reason}>
            {reason || '—'}
          </td>
          <td className={plainFigure}>
            <Money quota={amount} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
};
