import { useState } from 'react';
import { useLeaveGuard } from '../../../components/form/use-leave-guard.ts';
import { focusFirstInvalid } from '../../../lib/hooks/focus-first-invalid.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { m } from '../../../paraglide/messages.js';
import { fieldsOf, problemOf } from './channel-values.ts';
import type { ChannelProblem, ChannelValues } from './channel-values.ts';
import type { ChannelFields } from '../queries.ts';

const texts: Record<ChannelProblem, Message> = {
  incomplete: m.channel_incomplete,
  models: m.channel_no_model,
  mapping: m.channel_mapping_invalid,
  config: m.channel_config_invalid,
};

interface ChannelFormOptions {
  readonly values: ChannelValues;
  readonly initial: ChannelValues;
  readonly key: string;
  /** Creation requires a key; editing keeps the stored one. */
  readonly keyNeeded: boolean;
  readonly save: (fields: ChannelFields) => Promise<void>;
  /** Runs after saving if the user chose “save and test”. */
  readonly test: () => Promise<void>;
}

/** Validates, submits, returns to the list, and guards a changed form against being left by accident. */
export const useChannelForm = ({ values, initial, key, keyNeeded, save, test }: ChannelFormOptions) => {
  const [problem, setProblem] = useState<ChannelProblem>();
  const [busy, setBusy] = useState<'save' | 'test'>();
  const dirty = key !== '' || JSON.stringify(values) !== JSON.stringify(initial);
  useLeaveGuard(dirty && busy === undefined);

  const send = async (then: 'save' | 'test'): Promise<void> => {
    setBusy(then);
    try {
      await save(fieldsOf(values, key));
      await navigate('/channel', { ignoreGuards: true });
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
    if (wrong === undefined) {
      void send(then);
      return;
    }
    toast(wrong === 'mapping' || wrong === 'config' ? 'error' : 'info', texts[wrong]());
    focusFirstInvalid();
  };
  return { problem, busy, submit };
};
