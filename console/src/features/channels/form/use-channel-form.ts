import { useState } from 'react';
import { useLeaveGuard } from '../../../components/form/use-leave-guard.ts';
import { focusFirstInvalid } from '../../../lib/hooks/focus-first-invalid.ts';
import { toastFailure } from '../../../lib/toasts.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { fieldsOf, problemOf } from './channel-values.ts';
import type { ChannelProblem, ChannelValues } from './channel-values.ts';
import type { ChannelFields } from '../queries.ts';

interface ChannelFormOptions {
  readonly values: ChannelValues;
  readonly initial: ChannelValues;
  /** Address of the list after saving. */
  readonly back: () => string;
  readonly key: string;
  /** Creation requires a key; editing keeps the stored one. */
  readonly keyNeeded: boolean;
  readonly save: (fields: ChannelFields) => Promise<void>;
  /** Runs after saving if the user chose “save and test”. */
  readonly test: () => Promise<void>;
}

/** Validates, submits, returns to the list, and guards a changed form against being left by accident. */
export const useChannelForm = ({ values, initial, back, key, keyNeeded, save, test }: ChannelFormOptions) => {
  const [problem, setProblem] = useState<ChannelProblem>();
  const [busy, setBusy] = useState<'save' | 'test'>();
  const dirty = key !== '' || JSON.stringify(values) !== JSON.stringify(initial);
  useLeaveGuard(dirty && busy === undefined);

  const send = async (then: 'save' | 'test'): Promise<void> => {
    setBusy(then);
    try {
      await save(fieldsOf(values, key));
      await navigate(back(), { ignoreGuards: true });
      if (then === 'test') await test();
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  const submit = (then: 'save' | 'test'): void => {
    if (busy !== undefined) return;
    const wrong = problemOf(values, keyNeeded ? key : undefined);
    setProblem(wrong);
    // The field shows the text.
    if (wrong === undefined) void send(then);
    else focusFirstInvalid();
  };
  return { problem, busy, submit };
};
