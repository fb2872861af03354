import type { KeyStanding } from '@weir/contract/limits/key-standing';
import type { BudgetPeriod } from '@weir/contract/limits/budget-rules';
import type { LimitMetric, LimitPeriod } from '@weir/contract/limits/limit-rules';
import { Money } from '../../../components/text/money.tsx';
import { language, useLanguage } from '../../../lib/browser/locale.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message, Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

export const periodNames: Readonly<Record<BudgetPeriod, Message>> = {
  day: m.budget_period_day,
  week: m.budget_period_week,
  month: m.budget_period_month,
};

const metricNames: Readonly<Record<LimitMetric, Message>> = {
  requests: m.rate_metric_requests,
  tokens: m.rate_metric_tokens,
  concurrent: m.rate_metric_concurrent,
};

const limitPeriodNames: Readonly<Record<Exclude<LimitPeriod, ''>, Message>> = {
  minute: m.rate_period_minute,
  hour: m.rate_period_hour,
  day: m.rate_period_day,
};

/** A rate limit, such as “200,000 tokens per minute”. */
export const limitText = ({ amount, metric, period }: KeyStanding['limits'][number], t: Translate): string =>
  t(m.rate_amount_text, {
    amount: amount.toLocaleString(language()),
    metric: t(metricNames[metric]),
    period: period === '' ? '' : t(limitPeriodNames[period]),
  }).trim();

const cell = 'px-2 py-2 whitespace-nowrap first:pl-4 last:pr-4';
const end = `${cell} w-px text-right tabular-nums`;
/** Has no room on a phone. */
const spare = `${end} max-md:hidden`;

export const HolderCalls = ({ calls }: { readonly calls: KeyStanding['calls'] }) => {
  const t = useT();
  const shown = useLanguage();
  const heads = [
    [m.token_request_time, `${cell} w-px max-md:w-24`],
    [m.token_request_model, cell],
    [m.dash_tokens, spare],
    [m.token_request_cost, end],
  ] as const;
  return (
    <table className="w-full text-13">
      <caption className="sr-only">{t(m.holder_calls)}</caption>
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
        {calls.map((each) => (
          <tr key={each.request_id} className="border-t border-line">
            <td className={`${cell} tabular-nums max-md:whitespace-normal`}>{formatTime(each.created_at)}</td>
            <td className={`${cell} max-w-0 truncate font-mono text-12`} title={each.model_name}>
              {each.model_name}
            </td>
            <td className={spare}>{(each.prompt_tokens + each.completion_tokens).toLocaleString(shown)}</td>
            <td className={end}>
              <Money quota={each.quota} fine />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
