import { useState } from 'react';
import { toastFailure } from '../../lib/toasts.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

interface SaveOptions {
  /** The form's values: current and as loaded. */
  readonly values: unknown;
  readonly initial: unknown;
  /** Called on a failure, in addition to the toast. */
  readonly onFailure?: (error: unknown) => void;
}

/** Submits a form, one request at a time, and guards a changed one against being left by accident until it is saved. */
export const useSave = ({ values, initial, onFailure }: SaveOptions) => {
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  const dirty = !saved && JSON.stringify(values) !== JSON.stringify(initial);
  useLeaveGuard(dirty && !busy);
  const save = async (send: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await send();
      setSaved(true);
    } catch (error) {
      toastFailure(error);
      onFailure?.(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, save: (send: () => Promise<void>) => void save(send) };
};
