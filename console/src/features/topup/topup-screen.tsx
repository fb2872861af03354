import { PageHead } from '../../components/page-head.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { BalanceCard } from './balance-card.tsx';
import { RedeemCard } from './redeem-card.tsx';

/** The balance of the account, and ways to top it up. */
export const TopUpScreen = () => {
  const t = useT();
  return (
    <div className="mx-auto w-full max-w-220">
      <PageHead title={t(m.topup_title)} />
      <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
        <BalanceCard />
        <RedeemCard />
      </div>
    </div>
  );
};
