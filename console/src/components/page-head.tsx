import type { ReactNode } from 'react';
import { useTitle } from '../lib/hooks/use-title.ts';

interface PageHeadProps {
  readonly title: string;
  /** Content beside the title: number of rows, time of the last refresh. */
  readonly facts?: ReactNode;
  /** The page's one primary action. */
  readonly children?: ReactNode;
}

export const PageHead = ({ title, facts, children }: PageHeadProps) => {
  useTitle(title);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-4 max-md:justify-between">
      <h1 className="text-20 font-semibold">{title}</h1>
      {facts && <div className="text-13 text-mute tabular-nums max-md:hidden">{facts}</div>}
      {children && <div className="flex flex-wrap gap-2 max-md:gap-1.5 md:ml-auto">{children}</div>}
    </div>
  );
};
