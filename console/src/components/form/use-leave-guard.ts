import { useBlocker } from '@tanstack/react-router';
import { m } from '../../paraglide/messages.js';
import { confirm } from '../overlay/overlays.ts';

/** Asks once before a page with changes is left; another tab or filter of the same page is no leaving. */
export const useLeaveGuard = (dirty: boolean): void => {
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname &&
      !(await confirm({ title: m.leave_title(), text: m.leave_text(), verb: m.leave_verb() })),
    enableBeforeUnload: () => dirty,
    disabled: !dirty,
  });
};
