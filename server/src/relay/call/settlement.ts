import { measure, type Measured } from '../../billing/price/measure.ts';
import type { Price } from '../../billing/price/price.ts';
import type { ChargedUsage } from '../../billing/price/usage.ts';
import { vendorCost } from '../../billing/price/vendor-cost.ts';
import type { ImagePrice } from '../../dialects/dialect.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import { keepGivenState } from '../state/given-state.ts';
import type { AttemptTerms, CallFunds } from './call-funds.ts';
import { consumeLog } from './consume-log.ts';
import type { RelayedCall } from './relayed-call.ts';

/** The money of the call that an answer is charged to, at the terms of the channel that answered. */
export interface AttemptBilling {
  readonly funds: CallFunds;
  readonly terms: AttemptTerms;
  readonly channel: RoutedChannel;
}

/** The settled answer, or the delivered part of one. */
export interface Delivery {
  readonly measured: Measured;
  /** Why the answer ended early; null: it is complete. */
  readonly cut: 'truncated' | 'failed' | 'client_gone' | 'balance' | null;
  /** The tokens are the price of these images. */
  readonly images?: ImagePrice;
}

const noOutput = { empty: () => true, total: async () => 0 };

/** The texts counted as prompt and as output: the words of a transcript are the size of its prompt. */
export const countsFor = (call: RelayedCall, output: Measured['output']): Pick<Measured, 'output' | 'countPrompt'> =>
  call.inbound.audioInput
    ? { output: noOutput, countPrompt: () => output.total() }
    : { output, countPrompt: call.countPrompt };

/** Images and recordings may be reported in units instead of tokens. */
const unitPrice = (
  { inbound }: RelayedCall,
  price: Price,
  { usage, images }: { readonly usage: ChargedUsage; readonly images: ImagePrice | undefined },
): Price => {
  if (images !== undefined) return price.byUnit('image');
  // A report of seconds has no tokens of a transcript.
  const inSeconds = inbound.audioInput === true && !usage.estimated && usage.completion === 0;
  return inSeconds ? price.byUnit('second') : price;
};

/** What the vendor charges. The prices are those of the call's admission, the factor that of the channel as it was routed. */
const costOf = (
  { prices, inbound, startedMs }: RelayedCall,
  { terms, channel }: AttemptBilling,
  { usage, images }: { readonly usage: ChargedUsage; readonly images: ImagePrice | undefined },
): number | null => {
  const { model, transcriber, metered } = terms;
  const question = { model, channelType: channel.type, factor: channel.costFactor, atMs: startedMs };
  const work = { drawn: images !== undefined, characters: metered?.characters, recorded: inbound.audioInput === true };
  return vendorCost(prices, { ...question, ...(transcriber !== undefined && { transcriber }) }, { usage, ...work });
};

/** Charges tokens; resolves to them when the charge is durable. What the balance cut short costs at most the hold. */
export const charge = async (
  call: RelayedCall,
  billing: AttemptBilling,
  { usage, cut, images }: Pick<Delivery, 'cut' | 'images'> & { readonly usage: ChargedUsage },
): Promise<ChargedUsage> => {
  const { context } = call;
  const { terms, channel } = billing;
  const { reservation } = billing.funds;
  const chosen = { ...terms, price: unitPrice(call, terms.price, { usage, images }).chosenFor(usage) };
  const price = chosen.price.quota(usage);
  const held = reservation.amount();
  const quota = cut === 'balance' ? Math.min(price, held) : price;
  const nowMs = context.clock.now();
  const result = await billing.funds.settle({
    amount: quota,
    channelId: channel.id,
    priceVersion: terms.price.version,
    estimated: usage.estimated,
    at: Math.floor(nowMs / 1000),
    address: call.facts.address,
    log: context.settings().logsConsumption
      ? consumeLog(call, chosen, channel, {
          usage,
          quota,
          held,
          history: reservation.history(),
          cut,
          nowMs,
          images,
          cost: costOf(call, billing, { usage, images }),
        })
      : null,
  });
  const { userId } = call.access.payer;
  // As its log row has them.
  const tokens = (images === undefined ? usage.prompt : 0) + usage.completion;
  if (result !== null) context.volumes.add({ userId, model: terms.model, tokens });
  const { prompt, completion } = images === undefined ? usage : { prompt: 0, completion: 0 };
  call.rates?.charged(prompt + completion);
  const { model, stream } = call.inbound;
  context.observer.onCharge({
    requestId: call.requestId,
    userId,
    model,
    group: call.access.group,
    channelId: channel.id,
    ms: call.upgrade === null ? Math.max(0, nowMs - call.startedMs) : null,
    firstMs: stream ? (call.attempts.at(-1)?.ms ?? null) : null,
    prompt,
    completion,
    quota,
    result,
  });
  if (result !== null && result.unrecovered > 0) {
    context.log.warn(
      { request_id: call.requestId, unrecovered: result.unrecovered },
      'call cost more than the balance',
    );
  }
  return usage;
};

/** Notes what the answer gives its client a name of, before the client has it. */
export const keepGiven = (
  { access, context, givenIds }: RelayedCall,
  { channel }: AttemptBilling,
  usage: ChargedUsage | null,
): Promise<void> | null => {
  const { userId } = access.payer;
  return keepGivenState(context.upstreamStates, { userId, channelKey: channel.channelKey, ids: givenIds, usage });
};

/** Measures a delivery and charges it. */
export const settle = (
  call: RelayedCall,
  billing: AttemptBilling,
  { measured, cut, images }: Delivery,
): Promise<ChargedUsage> => {
  const chargeFor = (usage: ChargedUsage) => charge(call, billing, { usage, cut, ...(images && { images }) });
  const usage = measure(measured);
  return usage instanceof Promise ? usage.then(chargeFor) : chargeFor(usage);
};
