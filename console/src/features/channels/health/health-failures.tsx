import type { ChannelHealth } from '@weir/contract/channel-health';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { Time } from '../../../components/text/time.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { Nothing, Section } from '../../../components/section.tsx';
import { HealthHeads } from './health-heads.tsx';
import { kindTexts } from './health-labels.ts';

/** The last errors, with the provider's messages. */
export const HealthFailures = ({ failures }: Pick<ChannelHealth, 'failures'>) => {
  const t = useT();
  const title = t(m.health_failures);
  if (failures.length === 0) {
    return (
      <Section title={title}>
        <Nothing text={t(m.health_failures_none)} />
      </Section>
    );
  }
  const heads = [m.health_when, m.health_kind, m.health_status, m.health_message, m.health_model, m.health_request];
  return (
    <Section title={title}>
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={title}>
        <table className="w-full text-13 md:min-w-200 max-md:[&_thead]:sr-only max-md:[&_tr]:flex max-md:[&_tr]:flex-wrap">
          <caption className="sr-only">{title}</caption>
          <HealthHeads heads={heads} />
          <tbody>
            {failures.map(({ at, kind, status, message, model, request_id: request }, index) => (
              <tr key={`${request} ${index}`} className="border-t border-line align-top">
                <td className="px-4 py-2">
                  <Time unixSeconds={at} />
                </td>
                <td className="px-4 py-2 whitespace-nowrap">{t(kindTexts[kind])}</td>
                <td className="px-4 py-2 tabular-nums">{status || '—'}</td>
                <td className="max-w-md px-4 py-2 wrap-anywhere max-md:order-1 max-md:w-full max-md:max-w-none max-md:pt-0">
                  {message}
                </td>
                <td className="px-4 py-2 font-mono wrap-anywhere">{model}</td>
                <td className="px-4 py-1">
                  <CopyButton text={request} label={t(m.health_copy_request)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
};
