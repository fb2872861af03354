import { useEffect } from 'react';
import { guardLeaving } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { confirm } from '../overlay/overlays.ts';

const mayLeave = (): Promise<boolean> =>
  confirm({ title: m.leave_title(), text: m.leave_text(), verb: m.leave_verb() });

const keepPage = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Confirms once before leaving a page with changes; another tab or filter of the same page does not count. */
export const useLeaveGuard = (dirty: boolean): void => {
  useEffect(() => {
    if (!dirty) return undefined;
    const stop = guardLeaving(mayLeave);
    addEventListener('beforeunload', keepPage);
    return () => {
      stop();
      removeEventListener('beforeunload', keepPage);
    };
  }, [dirty]);
};
