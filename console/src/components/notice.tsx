import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

const tones = {
  info: 'border-line bg-raised text-ink',
  warn: 'border-warn/40 bg-warn-bg text-warn',
  bad: 'border-bad/40 bg-bad-bg text-bad',
} as const;

interface NoticeProps {
  readonly tone: keyof typeof tones;
  readonly children: ReactNode;
  /** Announced when it appears. */
  readonly alert?: boolean;
}

/** A persistent inline message. */
export const Notice = ({ tone, alert = false, children }: NoticeProps) => (
  <div
    role={alert ? 'alert' : undefined}
    className={`flex items-start gap-2 rounded-control border px-3 py-2 text-13 ${tones[tone]}`}
  >
    <Icon name={tone === 'info' ? 'info' : 'alert'} className="mt-0.5 size-4" />
    <div className="min-w-0 flex-1 first-letter:uppercase">{children}</div>
  </div>
);
