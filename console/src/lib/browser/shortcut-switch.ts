import { preference } from './preference.ts';

/** Whether single-key shortcuts are on: with speech input every word would trigger them (WCAG 2.1.4). */
export const shortcuts = preference('shortcuts', (stored): boolean => stored !== false);
