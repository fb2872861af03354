import { useId } from 'react';
import type { ReactNode } from 'react';

interface AccountCardProps {
  readonly title: string;
  readonly text?: string;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

/** One group of settings of the own account. */
export const AccountCard = ({ title, text, danger = false, children }: AccountCardProps) => {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`rounded-card border bg-panel p-5 max-md:p-4 ${danger ? 'border-bad/40' : 'border-line'}`}
    >
      <h2 id={id} className="text-16 font-semibold">
        {title}
      </h2>
      {text && <p className="mt-0.5 text-13 text-mute">{text}</p>}
      <div className="mt-4 flex flex-col gap-4">{children}</div>
    </section>
  );
};
