import { useState } from 'react';

/**
 * Where the focus was before a panel opened, for its `finalFocus`. Read while it is rendered: a field inside may take
 * the focus before the kit looks where it was.
 */
export const useReturnFocus = (): { readonly current: HTMLElement | null } => {
  const [before] = useState(() => {
    const { activeElement } = document;
    return { current: activeElement instanceof HTMLElement ? activeElement : null };
  });
  return before;
};
