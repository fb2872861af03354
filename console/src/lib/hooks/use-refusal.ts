import { m } from '../../paraglide/messages.js';
import { useOffline } from '../api/offline.ts';
import { useT } from './use-t.ts';

/**
 * Why a control that changes something on the server (`sends`) cannot be used now; undefined where it can. For `title`:
 * the layer of the other tips could not be fetched any more.
 */
export const useRefusal = (sends = true): string | undefined => {
  const t = useT();
  return useOffline() && sends ? t(m.offline_disabled) : undefined;
};

/** The same as what a button then carries over its own attributes. */
export const useRefusedButton = (sends = true) => {
  const refusal = useRefusal(sends);
  if (refusal === undefined) return undefined;
  return { type: 'button', 'aria-disabled': true, title: refusal, 'data-tip': undefined, onClick: undefined } as const;
};
