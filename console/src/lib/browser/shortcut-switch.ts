import { preference } from './preference.ts';

/** Whether single keys act: some people speak to their computer, and every word is keys then (WCAG 2.1.4). */
export const shortcuts = preference('shortcuts', (stored): boolean => stored !== false);
