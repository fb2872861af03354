import type { PriceCard } from '@weir/contract/prices/price-book';
import { hoursWindow } from './times/hours-window.ts';
import { createPrice, type Price } from './price.ts';
import type { CostQuestion, PriceQuestion, PriceTableParts } from './price-question.ts';
import { divide, multiply, one, ratioToText } from './ratio.ts';
import { createResolver, priceAt, type Resolved } from './resolve-price.ts';

/** A price before the multiples that depend on the call. */
export interface ListedPrice {
  readonly price: Price;
  /** What it is made of; undefined: of a ratio. */
  readonly card: PriceCard | undefined;
  /** The multiple by the hour at the instant of the question, as decimal text. */
  readonly factor: string;
  /** The same for prices that charge the same. */
  readonly key: string;
}

/** Immutable prices of one version of the ratio options, the price book and the operator's own prices. */
export interface PriceTable {
  readonly version: number;
  price(question: PriceQuestion): Price;
  /** A price as it is listed. */
  listed(question: PriceQuestion): ListedPrice;
  /** The time zone of the months by whose volume the price depends; null: it does not. */
  volumeZone(question: PriceQuestion): string | null;
  /** What the vendor charges, in nano-dollars (10⁻⁹ $); null: no list has the model and the unit. */
  cost(question: CostQuestion): Price | null;
}

/** Cached prices of one table; at this many the cache is cleared. */
const rememberedMax = 10_000;

/**
 * The price of a session with the price of its transcripts, which another model writes. Unchanged where no table names
 * that model, or where the session is free.
 */
const withTranscripts = (session: Price, own: Price): Price => {
  const prompt = divide(own.model, session.model);
  const completion = divide(own.completion, session.completion);
  if (!own.modelKnown || own.freePrompt || prompt === null || completion === null) return session;
  return createPrice({
    ...session,
    parts: {
      ...session.parts,
      transcript_prompt: prompt,
      transcript_audio: multiply(prompt, own.parts.audio_prompt ?? one),
      transcript_completion: multiply(prompt, completion),
    },
  });
};

const isFree = ({ model, group }: Price): boolean => model.times === 0n || group.times === 0n;

/** Everything that changes a charge, and not where it comes from. */
const listedKey = ({ model, completion, group, parts, freePrompt, modelKnown }: Price, card: PriceCard | undefined) =>
  JSON.stringify([
    [model, completion, group, ...Object.values(parts)].map(ratioToText),
    Object.keys(parts),
    [freePrompt, modelKnown],
    card?.tiers,
    card?.classes,
    card?.units,
    card?.hours,
    card?.volume,
  ]);

/** Remembers values by key. */
const createMemo = <Value>(): ((key: string, make: () => Value) => Value) => {
  const remembered = new Map<string, Value>();
  return (key, make) => {
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (remembered.size >= rememberedMax) remembered.clear();
    remembered.set(key, made);
    return made;
  };
};

/** Makes the prices of one version. It counts until the end of the day (UTC) and the next change of an own price. */
export const createPriceTable = (parts: PriceTableParts): PriceTable => {
  const { version, own, madeAtMs } = parts;
  const hasVolumes = own.hasVolumes || parts.lists?.hasVolumes === true;
  const resolver = createResolver(parts);
  const rememberedPrice = createMemo<Resolved>();
  const rememberedSession = createMemo<Price>();
  const rememberedCost = createMemo<Resolved | null>();
  const resolve = (question: PriceQuestion): Resolved => {
    const { channelType, channelId = 0, group, model } = question;
    const channel = own.hasChannel(channelId) ? channelId : 0;
    const key = `${channelType}\n${channel}\n${group}\n${model}`;
    return rememberedPrice(key, () => resolver.price(question));
  };
  const plainPrice = (question: PriceQuestion): Price =>
    priceAt(resolve(question), question.atMs ?? madeAtMs, question.tokensBefore);
  const plainCost = (question: CostQuestion): Price | null => {
    const { model, channelType, unit, factor, atMs = madeAtMs } = question;
    const key = `${channelType}\n${unit}\n${factor.times}/${factor.over}\n${model}`;
    const resolved = rememberedCost(key, () => resolver.cost(question));
    return resolved === null ? null : priceAt(resolved, atMs);
  };
  return {
    version,
    price: (question) => {
      const { transcriber } = question;
      const price = plainPrice(question);
      if (transcriber === undefined) return price;
      const written = plainPrice({ ...question, model: transcriber });
      return rememberedSession(`${price.detail}\n${written.detail}`, () => withTranscripts(price, written));
    },
    // Most books have no such price: then no call looks for one.
    volumeZone: hasVolumes ? (question) => resolve(question).volume?.zone ?? null : () => null,
    listed: (question) => {
      const { card, hours, make } = resolve(question);
      const price = make({ factor: '1' });
      const factor = (hours && hoursWindow(hours, question.atMs ?? madeAtMs))?.factor ?? '1';
      return { price, card, factor, key: listedKey(price, card) };
    },
    cost: (question) => {
      const { model: session, transcriber: model } = question;
      const cost = plainCost(question);
      if (cost === null || model === undefined || isFree(cost)) return cost;
      const written = plainCost({ ...question, model }) ?? plainCost({ ...question, model, unit: 'second' });
      if (written === null) return null;
      const key = `${session}\n${cost.detail}\n${model}\n${written.detail}`;
      const both = rememberedSession(key, () => withTranscripts(cost, written));
      return both.parts.transcript_prompt === undefined ? null : both;
    },
  };
};
