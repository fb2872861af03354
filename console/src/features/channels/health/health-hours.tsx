import type { ChannelHealth } from '@weir/contract/channel-health';
import { formatTime } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { Section } from '../../../components/section.tsx';
import { healthLooks, seconds, stateOf } from './health-labels.ts';

type Hour = ChannelHealth['hours'][number];

const states = ['good', 'fair', 'bad', 'idle'] as const;

const clockTime = (at: number): string => formatTime(at).slice(11, 16);

const tell = (t: Translate, { at, succeeded, failed, p50 }: Hour): string => {
  const time = clockTime(at);
  const total = succeeded + failed;
  return total === 0
    ? t(m.health_hour_none, { time })
    : t(m.health_hour, { time, succeeded, total, seconds: seconds(p50) });
};

/** Calls by hour, oldest first. */
export const HealthHours = ({ hours }: { readonly hours: readonly Hour[] }) => {
  const t = useT();
  return (
    <Section title={t(m.health_hours)}>
      <ol className="grid grid-cols-12 gap-1 p-4 pb-2 lg:grid-cols-24">
        {hours.map((hour) => {
          const [sign, look] = healthLooks[stateOf(hour)];
          return (
            <li key={hour.at} className="flex flex-col items-center gap-1">
              <span
                data-tip={tell(t, hour)}
                className={`flex h-8 w-full items-center justify-center rounded-control text-12 ${look}`}
              >
                <span aria-hidden="true">{sign}</span>
                <span className="sr-only">{tell(t, hour)}</span>
              </span>
              <span aria-hidden="true" className="text-12 text-mute tabular-nums">
                {clockTime(hour.at).slice(0, 2)}
              </span>
            </li>
          );
        })}
      </ol>
      <p aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 px-4 pb-3 text-12 text-mute">
        {states.map((state) => (
          <span key={state}>
            {healthLooks[state][0]} {t(healthLooks[state][2])}
          </span>
        ))}
      </p>
    </Section>
  );
};
