import { Icon } from '../../../components/icon.tsx';
import { Money } from '../../../components/text/money.tsx';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { fineDollarsText } from '../../../lib/format/dollars.ts';
import { formatTook } from '../../../lib/format/format-took.ts';
import { m } from '../../../paraglide/messages.js';
import { isVerySlow } from '../log-format.ts';
import type { LogRow } from './log-row.ts';
import { isCall, wordOf } from '../filters/log-type.ts';

/** An empty cell. */
const Nothing = () => <span className="text-mute">—</span>;

export const TypeCell = ({ row }: { readonly row: LogRow }) => {
  const t = useT();
  const [word, icon] = wordOf(row);
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      {icon && <Icon name={icon} className={`size-3.5 ${icon === 'alert' ? 'text-bad' : 'text-mute'}`} />}
      {t(word)}
    </span>
  );
};

export const CountCell = ({ row, count }: { readonly row: LogRow; readonly count: number }) => {
  const language = useLanguage();
  return isCall(row.type) || count > 0 ? <>{count.toLocaleString(language)}</> : <Nothing />;
};

export const CostCell = ({ row, stop = false }: { readonly row: LogRow; readonly stop?: boolean }) =>
  isCall(row.type) || row.quota !== 0 ? <Money quota={row.quota} fine stop={stop} /> : <Nothing />;

/** `dollars`: decimal text; null or absent: not known. */
export const VendorCostCell = ({ dollars }: { readonly dollars: string | null | undefined }) =>
  typeof dollars === 'string' ? <span className="tabular-nums">{fineDollarsText(dollars)}</span> : <Nothing />;

/** Only very slow calls have a colour. */
export const TookCell = ({ row }: { readonly row: LogRow }) => {
  const t = useT();
  if (row.elapsed_time === 0) return <Nothing />;
  const slow = isVerySlow(row);
  return (
    <span
      className={`whitespace-nowrap ${slow ? 'font-medium text-bad' : ''}`}
      data-tip={slow ? t(m.log_very_slow) : undefined}
    >
      {formatTook(row.elapsed_time)}
    </span>
  );
};

/** Cut by `overflow: clip`: hidden overflow could still be scrolled, for which browsers keep a layer for every cell. */
export const TextCell = ({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) =>
  text === '' ? (
    <Nothing />
  ) : (
    <span
      className={`block overflow-clip text-ellipsis whitespace-nowrap ${mono ? 'font-mono text-12' : ''}`}
      title={text}
    >
      {text}
    </span>
  );
