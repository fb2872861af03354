import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}

/** Empty state of a list: why there are no rows, and the one action that helps. */
export const Empty = ({ icon, title, text, children }: EmptyProps) => (
  <div className="flex flex-col items-center gap-3 px-6 py-16 text-center">
    <span className="flex size-12 items-center justify-center rounded-full bg-raised text-mute">
      <Icon name={icon} className="size-6" />
    </span>
    <div className="max-w-md">
      <p className="text-16 font-semibold">{title}</p>
      {text && <p className="mt-1 text-mute">{text}</p>}
    </div>
    {children && <div className="mt-1 flex flex-wrap justify-center gap-2">{children}</div>}
  </div>
);
