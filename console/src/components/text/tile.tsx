import type { ReactNode } from 'react';

interface TileProps {
  readonly name: string;
  readonly detail?: ReactNode;
  readonly children: ReactNode;
}

/** One figure of a page, in a `dl`. */
export const Tile = ({ name, detail, children }: TileProps) => (
  <div className="flex min-w-0 flex-col gap-1 rounded-card border border-line bg-panel px-4 py-3">
    <dt className="text-13 text-mute">{name}</dt>
    <dd className="flex min-h-8 items-center text-20 font-semibold wrap-anywhere tabular-nums max-sm:text-16 print:text-16">
      {children}
    </dd>
    <dd className="min-h-4 text-12 wrap-anywhere text-mute tabular-nums [&_time]:whitespace-normal">{detail}</dd>
  </div>
);
