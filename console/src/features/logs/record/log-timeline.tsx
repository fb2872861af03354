import type { Charge } from '@weir/contract/prices/charges';
import { formatTook } from '../../../lib/format/format-took.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

interface LogTimelineProps {
  readonly attempts: Charge['attempts'];
  /** Milliseconds of the whole request. */
  readonly took: number;
}

const good = 400;
const least = 0.5;

/** The attempts of a request on a time axis: the failed ones, then the successful one; details are listed below. */
export const LogTimeline = ({ attempts, took }: LogTimelineProps) => {
  const t = useT();
  if (attempts.length === 0) return null;
  const whole = Math.max(
    took,
    attempts.reduce((sum, { ms }) => sum + ms, 0),
  );
  const shares = attempts.map(({ ms }) => (ms / Math.max(1, whole)) * 100);
  return (
    <div className="flex items-center gap-3 text-12 text-mute tabular-nums">
      <svg
        aria-hidden="true"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        className="h-1.5 flex-1 rounded-full bg-off-bg"
      >
        {attempts.map(({ status }, index) => (
          <rect
            key={index}
            x={shares.slice(0, index).reduce((sum, share) => sum + share, 0)}
            width={Math.max(least, (shares[index] ?? 0) - least)}
            height="6"
            fill="currentColor"
            className={status > 0 && status < good ? 'text-ok' : 'text-bad'}
          />
        ))}
      </svg>
      <span>{t(m.log_timeline, { took: formatTook(whole) })}</span>
    </div>
  );
};
