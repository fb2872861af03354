import type { KeyboardEvent } from 'react';

/** Runs `work` on Enter, in a field whose form must not be submitted by it. */
export const onEnter =
  (work: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    work();
  };
