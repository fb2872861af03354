import { useState } from 'react';

/**
 * The element that had the focus before a panel opened, for its `finalFocus`. Read during rendering: a field inside may
 * take the focus before the UI library reads it.
 */
export const useReturnFocus = (): { readonly current: HTMLElement | null } => {
  const [before] = useState(() => {
    const { activeElement } = document;
    return { current: activeElement instanceof HTMLElement ? activeElement : null };
  });
  return before;
};
