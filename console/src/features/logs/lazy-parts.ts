import { lazy } from 'react';

// Loaded on demand: most visits open no record.
export const LogsEmpty = lazy(async () => ({ default: (await import('./list/logs-empty.tsx')).LogsEmpty }));
export const LogDrawer = lazy(async () => ({ default: (await import('./record/log-drawer.tsx')).LogDrawer }));
// Totals load after a click on their button.
export const LogsTotal = lazy(async () => ({ default: (await import('./list/logs-total.tsx')).LogsTotal }));
// The chart is not part of the first view.
export const LogsHistogram = lazy(async () => ({ default: (await import('./list/logs-histogram.tsx')).LogsHistogram }));
export const JumpButton = lazy(async () => ({ default: (await import('./filters/jump-button.tsx')).JumpButton }));
export const ExcludedBar = lazy(async () => ({ default: (await import('./filters/excluded-bar.tsx')).ExcludedBar }));
// Records of a team are opened from its page.
export const LogsAccount = lazy(async () => ({ default: (await import('./list/logs-account.tsx')).LogsAccount }));
export const rowMenu = () => import('./record/row-entries.ts');
