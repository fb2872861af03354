import { redemptionStatus } from '@weir/contract/redemptions';
import type { Redemption } from '@weir/contract/redemptions';
import type { Tone } from '../../components/text/badge.tsx';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { redemptionViews } from './redemptions-search.ts';

/** Label and tone of a code's status; numbers of other releases are unknown, not an error. */
export const statusOf = (status: number): readonly [text: Message, tone: Tone] => {
  switch (status) {
    case redemptionStatus.unused:
      return [m.redemption_status_unused, 'ok'];
    case redemptionStatus.disabled:
      return [m.redemption_status_disabled, 'off'];
    case redemptionStatus.used:
      return [m.redemption_status_used, 'warn'];
    default:
      return [m.redemption_status_unknown, 'off'];
  }
};

export const isUsed = ({ status }: Pick<Redemption, 'status'>): boolean => status === redemptionStatus.used;

/** The filter of each predefined view. */
export const viewKeeps = (view: (typeof redemptionViews)[number]): ((code: Redemption) => boolean) => {
  const expected = redemptionStatus[view];
  return ({ status }) => status === expected;
};
