import { useBlocker } from '@tanstack/react-router';
import { m } from '../paraglide/messages.js';
import { confirm } from './overlays.ts';

/** Asks once before a form with changes is left. */
export const useLeaveGuard = (dirty: boolean): void => {
  useBlocker({
    shouldBlockFn: async () => !(await confirm({ title: m.leave_title(), text: m.leave_text(), verb: m.leave_verb() })),
    enableBeforeUnload: () => dirty,
    disabled: !dirty,
  });
};
