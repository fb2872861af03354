import { useEffect } from 'react';
import { guardLeaving } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { confirm } from '../overlay/overlays.ts';

const mayLeave = (): Promise<boolean> =>
  confirm({ title: m.leave_title(), text: m.leave_text(), verb: m.leave_verb() });

const keepPage = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Asks once before a page with changes is left; another tab or filter of the same page does not leave it. */
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
