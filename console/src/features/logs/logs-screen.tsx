import { Suspense, lazy } from 'react';
import { usePhone } from '../../lib/hooks/use-media.ts';
import { WideLogs } from './list/wide-logs.tsx';

const PhoneLogs = lazy(async () => ({ default: (await import('./list/phone-logs.tsx')).PhoneLogs }));

/** The log: past calls with user, time and cost. */
export const LogsScreen = () =>
  usePhone() ? (
    <Suspense>
      <PhoneLogs />
    </Suspense>
  ) : (
    <WideLogs />
  );
