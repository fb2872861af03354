import { useState } from 'react';
import type { ListSelection } from './data-table-types.ts';

/** The selected ids and how they change; Shift selects the range since the last change. */
export const useSelection = (shownIds: readonly number[]): ListSelection => {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [anchor, setAnchor] = useState<number>();
  const toggle = (id: number, range: boolean): void => {
    const on = !selected.has(id);
    const to = shownIds.indexOf(id);
    const from = range && anchor !== undefined ? shownIds.indexOf(anchor) : to;
    const next = new Set(selected);
    for (const each of shownIds.slice(Math.min(from, to), Math.max(from, to) + 1)) {
      if (on) next.add(each);
      else next.delete(each);
    }
    setSelected(next);
    setAnchor(id);
  };
  return { selected, setSelected, toggle };
};
