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

/** A sign each, so that the strip can be read without its colours. */
export const healthLooks: Record<HealthState, readonly [sign: string, look: string, word: Message]> = {
  good: ['●', 'bg-ok-bg text-ok', m.health_state_good],
  fair: ['▲', 'bg-warn-bg text-warn', m.health_state_fair],
  bad: ['✕', 'bg-bad-bg text-bad', m.health_state_bad],
  idle: ['·', 'bg-off-bg text-off', m.health_state_idle],
};

/** Shares of failures from which on a stretch of time looks ill. */
const fairFrom = 0.05;
const badFrom = 0.5;

/** How a stretch of time went. */
export const stateOf = ({ succeeded, failed, p50 }: Attempts): HealthState => {
  const total = succeeded + failed;
  if (total === 0) return 'idle';
  if (failed / total >= badFrom) return 'bad';
  return failed / total >= fairFrom || p50 > slowMs ? 'fair' : 'good';
};

/** How one test went; undefined: it failed. */
export const stateOfTest = (ms: number | undefined): HealthState =>
  stateOf({ succeeded: ms === undefined ? 0 : 1, failed: ms === undefined ? 1 : 0, p50: ms ?? 0, p95: ms ?? 0 });

/** `99.5`; whole where nothing failed, and never rounded up to 100 where something did. Undefined: no calls. */
export const shareOf = ({ succeeded, failed }: Attempts): string | undefined => {
  const total = succeeded + failed;
  if (total === 0) return undefined;
  if (failed === 0) return '100';
  return (Math.floor((succeeded / total) * 1000) / 10).toFixed(1);
};

/** Milliseconds as seconds with two decimals. */
export const seconds = (ms: number): string => (ms / 1000).toFixed(2);
