import { useState } from 'react';
import { toastFailure } from '../../lib/toasts.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

interface SaveOptions {
  /** What would be lost: as it is, and as it was loaded. */
  readonly values: unknown;
  readonly initial: unknown;
  /** Told of a failure beside the toast. */
  readonly onFailure?: (error: unknown) => void;
}

/** Sends a form, once at a time, and keeps a changed one from being left by accident until it is saved. */
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
