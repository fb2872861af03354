import { useState } from 'react';
import { useEffectsAtOnce } from './use-effects-at-once.ts';

/** Whether something that was put over the page is open: from the start, until it fades out and is taken away. */
export const useOpen = () => {
  useEffectsAtOnce();
  return useState(true);
};
