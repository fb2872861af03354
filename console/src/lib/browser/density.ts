import { preference } from './preference.ts';

/** Row height of lists: 48 or 36 px. */
export const density = preference('density', (stored): 'comfortable' | 'compact' =>
  stored === 'compact' ? 'compact' : 'comfortable',
);
