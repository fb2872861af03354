import { formatCost, formatQuota } from '../lib/format.ts';
import { useQuotaDisplay } from '../lib/status.ts';

interface MoneyProps {
  /** Quota units. */
  readonly quota: number;
  /** Keep 6 decimals of amounts under one cent: the log's cost column. */
  readonly fine?: boolean;
}

/** Quota as people read it; hover or focus gives the exact number and the other unit. */
export const Money = ({ quota, fine = false }: MoneyProps) => {
  const display = useQuotaDisplay();
  return (
    <span data-tip-quota={quota} className="tabular-nums">
      {fine ? formatCost(quota, display) : formatQuota(quota, display)}
    </span>
  );
};
