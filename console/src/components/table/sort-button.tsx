import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';

interface SortButtonProps {
  /** The column's values are right-aligned. */
  readonly end: boolean | undefined;
  readonly direction: 'ascending' | 'descending' | undefined;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** The head of a sortable column. */
export const SortButton = ({ end = false, direction, onPress, children }: SortButtonProps) => (
  <button
    type="button"
    className={`group/sort -mx-1 inline-flex min-h-6 items-center gap-1 rounded-control px-1 hover:text-ink ${end ? 'flex-row-reverse' : ''} ${direction ? 'text-ink' : ''}`}
    onClick={onPress}
  >
    {children}
    <SortMark direction={direction} />
  </button>
);

const SortMark = ({ direction }: Pick<SortButtonProps, 'direction'>) =>
  direction === undefined ? (
    <Icon
      name="up-down"
      className="size-3.5 opacity-0 group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100"
    />
  ) : (
    <Icon name={direction === 'ascending' ? 'arrow-up' : 'arrow-down'} className="size-3.5" />
  );
