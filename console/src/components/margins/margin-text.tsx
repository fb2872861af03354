import type { MarginAmounts } from '@weir/contract/margins';
import { dollarsText, marginPercent } from '../../lib/format/dollars.ts';

/** No call has a known cost. */
export const isCostUnknown = ({ quota, uncosted, cost }: MarginAmounts): boolean => quota === uncosted && cost === '0';

/** What is left, as `$1.20 24%`; a dash where no cost is known. */
export const MarginText = ({ amounts }: { readonly amounts: MarginAmounts }) => {
  if (isCostUnknown(amounts)) return <span className="text-mute">—</span>;
  const percent = marginPercent(amounts);
  return (
    <span className={`whitespace-nowrap tabular-nums ${Number(amounts.margin) < 0 ? 'text-bad' : ''}`}>
      {dollarsText(amounts.margin)}
      {percent !== undefined && <span className="text-13 font-normal"> {percent}</span>}
    </span>
  );
};

/** A cost; a dash where none is known. */
export const CostText = ({ amounts }: { readonly amounts: MarginAmounts }) =>
  isCostUnknown(amounts) ? (
    <span className="text-mute">—</span>
  ) : (
    <span className="whitespace-nowrap tabular-nums">{dollarsText(amounts.cost)}</span>
  );
