import type { ChannelErrorKind, ChannelHealth } from '@weir/contract/channel-health';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { slowMs } from '../channel-status.ts';

type Attempts = ChannelHealth['hour'];

export const kindTexts: Record<ChannelErrorKind, Message> = {
  account: m.health_kind_account,
  rate_limit: m.health_kind_rate_limit,
  timeout: m.health_kind_timeout,
  unreachable: m.health_kind_unreachable,
  server: m.health_kind_server,
  bad_answer: m.health_kind_bad_answer,
  request: m.health_kind_request,
  setup: m.health_kind_setup,
};

export type HealthState = 'idle' | 'good' | 'fair' | 'bad';

/** A character for each state, so that the strip is readable without colours. */
export const healthLooks: Record<HealthState, readonly [sign: string, look: string, word: Message]> = {
  good: ['●', 'bg-ok-bg text-ok', m.health_state_good],
  fair: ['▲', 'bg-warn-bg text-warn', m.health_state_fair],
  bad: ['✕', 'bg-bad-bg text-bad', m.health_state_bad],
  idle: ['·', 'bg-off-bg text-off', m.health_state_idle],
};

/** Failure rates from which a period counts as partly or mostly failing. */
const fairFrom = 0.05;
const badFrom = 0.5;

/** State of a period. */
export const stateOf = ({ succeeded, failed, p50 }: Attempts): HealthState => {
  const total = succeeded + failed;
  if (total === 0) return 'idle';
  if (failed / total >= badFrom) return 'bad';
  return failed / total >= fairFrom || p50 > slowMs ? 'fair' : 'good';
};

/** State of one test; undefined: it failed. */
export const stateOfTest = (ms: number | undefined): HealthState =>
  stateOf({ succeeded: ms === undefined ? 0 : 1, failed: ms === undefined ? 1 : 0, p50: ms ?? 0, p95: ms ?? 0 });

/** `99.5`; whole if nothing failed, and never rounded up to 100 otherwise. Undefined: no calls. */
export const shareOf = ({ succeeded, failed }: Attempts): string | undefined => {
  const total = succeeded + failed;
  if (total === 0) return undefined;
  if (failed === 0) return '100';
  return (Math.floor((succeeded / total) * 1000) / 10).toFixed(1);
};

/** Milliseconds as seconds with two decimals. */
export const seconds = (ms: number): string => (ms / 1000).toFixed(2);
