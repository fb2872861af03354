import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';

interface StepProps {
  readonly step: number;
  readonly done: boolean;
  readonly children: ReactNode;
}

/** A numbered step, or its check mark. */
export const Step = ({ step, done, children }: StepProps) => (
  <li className="flex items-start gap-3">
    <span
      aria-hidden="true"
      className={`mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full text-13 font-medium ${done ? 'bg-ok-bg text-ok' : 'bg-off-bg text-off'}`}
    >
      {done ? <Icon name="check" className="size-4" /> : step}
    </span>
    <div className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-2">{children}</div>
  </li>
);
