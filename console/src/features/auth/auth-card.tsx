import type { ReactNode } from 'react';
import { defaultLogo, systemName, useStatus } from '../../lib/api/status.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';

interface AuthCardProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Content below the card: the page's links and footer. */
  readonly below?: ReactNode;
}

/** The frame of every screen before sign-in: one card, the system's name above it. */
export const AuthCard = ({ title, children, below }: AuthCardProps) => {
  const status = useStatus();
  useTitle(title);
  return (
    <main className="mx-auto flex w-full max-w-96 flex-1 flex-col px-4 pt-[max(32px,14dvh)] pb-8">
      <a
        href="/"
        className="mb-6 flex items-center justify-center gap-2.5 self-center rounded-control text-16 font-semibold"
      >
        <img
          src={status.logo || defaultLogo}
          alt=""
          width="28"
          height="28"
          className="size-7 rounded-control object-contain"
        />
        {systemName(status)}
      </a>
      <div className="rounded-dialog border border-line bg-panel p-6">
        <h1 className="mb-5 text-20 font-semibold">{title}</h1>
        {children}
      </div>
      {below}
    </main>
  );
};
