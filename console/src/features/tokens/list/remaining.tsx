import type { Token } from '@weir/contract/tokens';
import { Money } from '../../../components/text/money.tsx';
import { ShareBar } from '../../../components/text/share-bar.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

/** The remaining quota, with a bar of the used part if there is a limit. */
export const Remaining = ({ unlimited_quota: unlimited, remain_quota: remaining, used_quota: used }: Token) => {
  const t = useT();
  if (unlimited) return <>{t(m.unlimited)}</>;
  return (
    <span className="inline-flex flex-col items-end gap-1 max-md:items-start">
      <Money quota={remaining} />
      <ShareBar used={used} of={used + remaining} />
    </span>
  );
};
