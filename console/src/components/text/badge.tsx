import type { ReactNode } from 'react';

export type Tone = 'ok' | 'warn' | 'bad' | 'olive' | 'off';

const tones: Record<Tone, string> = {
  ok: 'bg-ok-bg text-ok',
  warn: 'bg-warn-bg text-warn',
  bad: 'bg-bad-bg text-bad',
  olive: 'bg-olive-bg text-olive',
  off: 'bg-off-bg text-off',
};

interface BadgeProps {
  readonly tone: Tone;
  readonly tip?: string;
  readonly children: ReactNode;
}

/** A status as a word with a coloured dot; the dot alone carries no meaning. */
export const Badge = ({ tone, tip, children }: BadgeProps) => (
  <span
    data-tip={tip}
    className={`inline-flex h-5.5 align-middle items-center gap-1.5 rounded-full px-2 text-12 font-medium whitespace-nowrap ${tones[tone]}`}
  >
    <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
    {children}
  </span>
);
