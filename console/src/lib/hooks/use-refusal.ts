import { m } from '../../paraglide/messages.js';
import { useOffline } from '../api/offline.ts';
import { useT } from './use-t.ts';

/**
 * Why a control that changes data on the server (`sends`) is disabled now; undefined if it is not. For `title`: the
 * layer of the other tooltips could not be loaded while offline.
 */
export const useRefusal = (sends = true): string | undefined => {
  const t = useT();
  return useOffline() && sends ? t(m.offline_disabled) : undefined;
};

/** The same as attributes of a button. */
export const useRefusedButton = (sends = true) => {
  const refusal = useRefusal(sends);
  if (refusal === undefined) return undefined;
  return { type: 'button', 'aria-disabled': true, title: refusal, 'data-tip': undefined, onClick: undefined } as const;
};
