import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../components/failure.tsx';
import { Money } from '../../components/text/money.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { selfQuery } from '../../lib/api/self.ts';
import { daysLeft, spendingQuery } from '../../lib/api/spending.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** The balance in large type, with its forecast and the used quota. */
export const BalanceCard = () => {
  const t = useT();
  const { data, error, refetch } = useQuery(selfQuery);
  const spending = useQuery(spendingQuery);
  const days = data && spending.data ? daysLeft(data.quota, spending.data) : undefined;
  return (
    <section className="flex flex-col gap-4 rounded-card border border-line bg-panel p-5">
      <div>
        <h2 className="text-13 text-mute">{t(m.topup_balance)}</h2>
        {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
        <p className="mt-1 min-h-9 text-[min(1.75rem,7vw)] leading-9 font-semibold">
          {data ? <Money quota={data.quota} /> : !error && <Skeleton className="h-8 w-32" />}
        </p>
        <p className="mt-1 min-h-5 text-13 text-mute">{days !== undefined && t(m.topup_days, { days })}</p>
      </div>
      <dl className="flex items-baseline justify-between border-t border-line pt-4">
        <dt className="text-13 text-mute">{t(m.topup_used)}</dt>
        <dd>{data && <Money quota={data.used_quota} />}</dd>
      </dl>
      <a className="self-start py-0.5 text-13 font-medium text-brand underline underline-offset-2" href="/log">
        {t(m.topup_logs)}
      </a>
    </section>
  );
};
