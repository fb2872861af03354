import type { CircuitBreaker } from './circuit-breaker.ts';
import type { RoutingTable } from './routing-table.ts';

/** An enabled channel, as this node sees it. */
export interface ChannelState {
  readonly id: number;
  readonly keys: number;
  /** Keys that get no calls while others can get them, whatever the model. */
  readonly resting: number;
}

/** The pauses that upstreams request are for single models, and none of a channel's state. */
const noModel = '';

export const channelStates = (
  routes: Pick<RoutingTable, 'all'>,
  breaker: Pick<CircuitBreaker, 'coolDownOf'>,
): ChannelState[] =>
  Array.from(routes.all(), ({ id, channelKeys }) => ({
    id,
    keys: channelKeys.length,
    resting: channelKeys.filter((key) => breaker.coolDownOf(key, noModel) !== null).length,
  }));
