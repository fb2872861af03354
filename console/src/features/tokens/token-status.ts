import { neverExpires, tokenStatus } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import type { Tone } from '../../components/text/badge.tsx';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { tokenViews } from './list/tokens-search.ts';

/** The status as the next call would find it: the server stores the expiry of a token when it is used. */
export const statusNow = ({ status, expired_time: at }: Pick<Token, 'status' | 'expired_time'>): number =>
  status === tokenStatus.enabled && at !== neverExpires && at * 1000 <= Date.now() ? tokenStatus.expired : status;

/** Label and tone of a token's status; numbers of other releases are unknown, not an error. */
export const statusOf = (status: number): readonly [text: Message, tone: Tone] => {
  switch (status) {
    case tokenStatus.enabled:
      return [m.token_status_enabled, 'ok'];
    case tokenStatus.disabled:
      return [m.token_status_disabled, 'off'];
    case tokenStatus.expired:
      return [m.token_status_expired, 'warn'];
    case tokenStatus.exhausted:
      return [m.token_status_exhausted, 'bad'];
    default:
      return [m.token_status_unknown, 'off'];
  }
};

/** The status that a token cannot leave before its cause is changed. */
export const isSpent = ({ status }: Token): boolean =>
  status === tokenStatus.expired || status === tokenStatus.exhausted;

const soonSeconds = 7 * 86_400;

/** The filter of each predefined view. */
export const viewKeeps = (view: (typeof tokenViews)[number], nowSeconds: number): ((token: Token) => boolean) => {
  switch (view) {
    case 'enabled':
      return ({ status }) => status === tokenStatus.enabled;
    case 'expiring':
      return ({ expired_time: at, status }) =>
        at !== neverExpires && at <= nowSeconds + soonSeconds && (at > nowSeconds || status === tokenStatus.expired);
    case 'exhausted':
      return ({ status }) => status === tokenStatus.exhausted;
  }
};
