import { formatCost, formatQuota } from '../../lib/format/format.ts';
import { useQuotaDisplay } from '../../lib/api/status.ts';

interface MoneyProps {
  /** Quota units. */
  readonly quota: number;
  /** Keep 6 decimals of amounts under one cent: the log's cost column. */
  readonly fine?: boolean;
  /** Whether it is a tab stop; in the rows of a list, only in the active row. */
  readonly stop?: boolean;
}

/** A formatted amount of quota; hover or focus shows the exact number and the other unit. */
export const Money = ({ quota, fine = false, stop = false }: MoneyProps) => {
  const display = useQuotaDisplay();
  return (
    <span data-tip-quota={quota} tabIndex={stop ? 0 : undefined} className="tabular-nums">
      {fine ? formatCost(quota, display) : formatQuota(quota, display)}
    </span>
  );
};
