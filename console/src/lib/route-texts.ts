import type { RestReason, RouteVerdict } from '@weir/contract/channel-route';
import type { Message } from './hooks/use-t.ts';
import { m } from '../paraglide/messages.js';

/** Why a channel serves a call, or does not. */
export const verdictTexts: Record<RouteVerdict, Message> = {
  open: m.route_open,
  resting: m.route_resting,
  lower_priority: m.route_lower_priority,
  other_format: m.route_other_format,
  unknown_type: m.route_unknown_type,
  other_group: m.route_other_group,
  disabled: m.route_disabled,
};

/** Why a channel or a key of it gets no calls for a while. */
export const restReasonTexts: Record<RestReason, Message> = {
  failures: m.route_rest_failures,
  retry_after: m.route_rest_retry_after,
  refused: m.route_rest_refused,
};
