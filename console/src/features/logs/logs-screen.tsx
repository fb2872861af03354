import { Suspense, lazy } from 'react';
import { usePhone } from '../../lib/use-media.ts';
import { WideLogs } from './wide-logs.tsx';

const PhoneLogs = lazy(async () => ({ default: (await import('./phone-logs.tsx')).PhoneLogs }));

/** The log: who called what, when, and what it cost. */
export const LogsScreen = () =>
  usePhone() ? (
    <Suspense>
      <PhoneLogs />
    </Suspense>
  ) : (
    <WideLogs />
  );
