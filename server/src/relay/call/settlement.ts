import { measure, type Measured } from '../../billing/price/measure.ts';
import type { ChargedUsage } from '../../billing/price/usage.ts';
import { consumeLog } from './consume-log.ts';
import type { CallBudget, AttemptTerms } from './call-budget.ts';
import type { RelayContext } from './relay-context.ts';
import type { RelayedCall } from './relayed-call.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';

/** Who pays for an answer, and at which terms of which channel. */
export interface AttemptBilling {
  readonly budget: CallBudget;
  readonly terms: AttemptTerms;
  readonly channel: RoutedChannel;
}

/** What is settled: an answer, or the part of one that was delivered. */
export interface Delivery {
  readonly measured: Measured;
  /** How the answer ended, where it did not end as the upstream meant it. */
  readonly cut: 'truncated' | 'failed' | 'client_gone' | 'balance' | null;
}

const nothing = { empty: () => true, total: async () => 0 };

/** How an answer is counted: words that were heard are what the prompt was, others what was put out. */
export const countsFor = (call: RelayedCall, output: Measured['output']): Pick<Measured, 'output' | 'countPrompt'> =>
  call.inbound.audioInput ? { output: nothing, countPrompt: output.total } : { output, countPrompt: call.countPrompt };

/** Charges tokens, durably once it resolves. What was cut for the balance costs at most what was covered. */
export const charge = async (
  context: RelayContext,
  call: RelayedCall,
  { budget: { reservation }, terms, channel }: AttemptBilling,
  { usage, cut }: Pick<Delivery, 'cut'> & { readonly usage: ChargedUsage },
): Promise<void> => {
  const price = terms.price.quota(usage);
  const held = reservation.amount();
  const quota = cut === 'balance' ? Math.min(price, held) : price;
  const nowMs = context.clock.now();
  const result = await reservation.settle({
    amount: quota,
    channelId: channel.id,
    priceVersion: terms.price.version,
    estimated: usage.estimated,
    at: Math.floor(nowMs / 1000),
    log: context.settings().logsConsumption
      ? consumeLog(call, terms, channel, { usage, quota, held, history: reservation.history(), cut, nowMs })
      : null,
  });
  const { prompt, completion } = usage;
  context.observer.onCharge({ userId: call.access.payer.userId, prompt, completion, quota, result });
  if (result !== null && result.unrecovered > 0) {
    context.log.warn(
      { request_id: call.requestId, unrecovered: result.unrecovered },
      'call cost more than the balance',
    );
  }
};

/** Measures a delivery and charges it. */
export const settle = async (
  context: RelayContext,
  call: RelayedCall,
  billing: AttemptBilling,
  { measured, cut }: Delivery,
): Promise<ChargedUsage> => {
  const counted = measure(measured);
  const usage = counted instanceof Promise ? await counted : counted;
  await charge(context, call, billing, { usage, cut });
  return usage;
};
