import type { Token } from '@weir/contract/tokens';
import { Money } from '../../../components/text/money.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

const warnShare = 0.8;

/** The remaining quota, with a bar of the used part if there is a limit. */
export const Remaining = ({ unlimited_quota: unlimited, remain_quota: remaining, used_quota: used }: Token) => {
  const t = useT();
  if (unlimited) return <>{t(m.unlimited)}</>;
  const share = used + remaining > 0 ? Math.min(1, Math.max(0, used / (used + remaining))) : 1;
  const colour = share >= 1 ? 'text-bad' : share >= warnShare ? 'text-warn' : 'text-ok';
  return (
    <span className="inline-flex flex-col items-end gap-1 max-md:items-start">
      <Money quota={remaining} />
      <svg aria-hidden="true" viewBox="0 0 72 3" className={`h-[3px] w-18 rounded-full bg-off-bg ${colour}`}>
        <rect width={72 * share} height="3" fill="currentColor" />
      </svg>
    </span>
  );
};
