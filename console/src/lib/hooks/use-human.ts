import { useState } from 'react';
import { m } from '../../paraglide/messages.js';
import { useStatus } from '../api/status.ts';
import { toast } from '../toasts.ts';

/** The human verification of a form: whether it is required, and its token so far. */
export interface Human {
  readonly needed: boolean;
  /** The token for the call; empty if it is unsolved or not required. */
  readonly token: string;
  readonly onToken: (token: string) => void;
  /** Shows a toast if the widget is still working. */
  readonly isReady: () => boolean;
}

export const useHuman = (): Human => {
  const { turnstile_check: needed = false } = useStatus();
  const [token, onToken] = useState('');
  const isReady = (): boolean => {
    if (!needed || token !== '') return true;
    toast('info', m.human_check_wait());
    return false;
  };
  return { needed, token, onToken, isReady };
};
