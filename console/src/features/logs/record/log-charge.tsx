import { useQuery } from '@tanstack/react-query';
import type { Charge } from '@weir/contract/prices/charges';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useQuotaDisplay } from '../../../lib/api/status.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { fineDollarsText, marginPercent } from '../../../lib/format/dollars.ts';
import { formatCost } from '../../../lib/format/format.ts';
import { formatTook } from '../../../lib/format/format-took.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { LogRow } from '../list/log-row.ts';
import { ChargePrice } from './charge-price.tsx';
import { LogTimeline } from './log-timeline.tsx';
import { chargeQuery } from '../queries.ts';

const ruleLabels: Record<Charge['steps'][number]['rule'], Message> = {
  round_up: m.log_charge_round_up,
  free: m.log_charge_free,
  at_least_one: m.log_charge_at_least_one,
  at_most: m.log_charge_at_most,
  covered: m.log_charge_covered,
  collected: m.log_charge_collected,
  checkpoint: m.log_charge_checkpoint,
  recorded: m.log_charge_recorded,
};

/** The cost of a request by kind of token, as the server computed it, to the last unit. */
export const LogCharge = ({ row: { id, elapsed_time: took } }: { readonly row: LogRow }) => {
  const t = useT();
  const { data, isError } = useQuery(chargeQuery(id));
  return (
    <section aria-label={t(m.log_charge)} className="flex flex-col gap-2">
      <h3 className="text-13 font-semibold">{t(m.log_charge)}</h3>
      {isError && <p className="text-13 text-mute">{t(m.log_charge_failed)}</p>}
      {!isError && data === undefined && <Skeleton className="w-full" />}
      {data && (
        <>
          <ChargePrice charge={data} />
          <Arithmetic charge={data} />
          <Facts charge={data} />
          <LogTimeline attempts={data.attempts} took={took} />
        </>
      )}
    </section>
  );
};

const cell = 'border-b border-line py-1 text-right tabular-nums first:text-left';

const Head = () => {
  const t = useT();
  return (
    <thead className="text-12 text-mute">
      <tr>
        {[m.log_charge_part, m.log_charge_tokens, m.log_charge_weight, m.log_charge_amount].map((word) => (
          <th key={t(word)} scope="col" className={`${cell} font-medium`}>
            {t(word)}
          </th>
        ))}
      </tr>
    </thead>
  );
};

const Arithmetic = ({ charge }: { readonly charge: Charge }) => {
  const t = useT();
  const language = useLanguage();
  const { parts, ratios, sum, steps } = charge;
  return (
    <table className="w-full border-collapse text-13">
      {parts.length > 0 && <Head />}
      <tbody>
        {parts.map(({ part, tokens, weight, amount, source }) => (
          <tr key={part}>
            <td className={cell}>
              {part}
              {source !== 'reported' && <span className="text-mute"> · {t(m.log_charge_estimated)}</span>}
            </td>
            <td className={cell}>{tokens.toLocaleString(language)}</td>
            <td className={cell}>{weight}</td>
            <td className={cell}>{amount}</td>
          </tr>
        ))}
        {sum !== null && (
          <tr>
            <td className={cell} colSpan={3}>
              {t(m.log_charge_sum)}{' '}
              {ratios && (
                <span className="text-mute">
                  {t(m.log_charge_ratios, { model: ratios.model, group: ratios.group })}
                </span>
              )}
            </td>
            <td className={cell}>{sum}</td>
          </tr>
        )}
        {steps.map(({ rule, quota }) => (
          <tr key={rule} className="font-medium">
            <td className={cell} colSpan={3}>
              {t(ruleLabels[rule])}
            </td>
            <td className={cell}>{quota.toLocaleString(language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** As `Charged $0.0012, cost $0.001, margin $0.0002 (17%)`, where the server tells it. */
const useMarginLine = ({ quota, cost, margin }: Charge): readonly string[] => {
  const t = useT();
  const { perUnit } = useQuotaDisplay();
  if (cost === undefined || margin === undefined) return [];
  if (cost === null || margin === null) return [t(m.log_charge_cost_unknown)];
  const amounts = {
    charged: formatCost(quota, { perUnit, inCurrency: true }),
    cost: fineDollarsText(cost),
    margin: fineDollarsText(margin),
  };
  const percent = marginPercent({ cost, margin });
  return [percent === undefined ? t(m.log_charge_loss, amounts) : t(m.log_charge_margin, { ...amounts, percent })];
};

/** Other facts of the request: its hold, its attempts, and how it ended. */
const Facts = ({ charge }: { readonly charge: Charge }) => {
  const t = useT();
  const language = useLanguage();
  const count = (value: number): string => value.toLocaleString(language);
  const marginLine = useMarginLine(charge);
  const { hold, unrecovered, cut, attempts, requested_model: requested, output_cap: cap, queued_ms: queued } = charge;
  const lines = [
    ...marginLine,
    ...(requested === '' || requested === charge.model_name ? [] : [t(m.log_charge_redirected, { model: requested })]),
    ...(hold === null
      ? []
      : [
          t(m.log_charge_hold, {
            reserved: count(hold.reserved),
            extended: count(hold.extended),
            returned: count(hold.returned),
          }),
        ]),
    ...(unrecovered > 0 ? [t(m.log_charge_unrecovered, { count: count(unrecovered) })] : []),
    ...(cap === null ? [] : [t(m.log_charge_output_cap, { tokens: count(cap) })]),
    ...(queued === 0 ? [] : [t(m.log_charge_queued, { time: formatTook(queued) })]),
    ...(cut === '' ? [] : [t(m.log_charge_cut, { cut })]),
  ];
  return (
    <ul className="text-12 text-mute tabular-nums">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {attempts.map(({ channel, status, ms }, index) => (
        // A target of 24 px, also between the links of the attempts before and after.
        <li key={index} className="leading-6">
          {channel > 0 ? (
            <a className="text-brand underline underline-offset-2" href={`/channel/${channel}`}>
              {t(m.log_charge_attempt, { channel, status, ms })}
            </a>
          ) : (
            t(m.log_charge_attempt_own, { number: index + 1, status, ms })
          )}
        </li>
      ))}
    </ul>
  );
};
