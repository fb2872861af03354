import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../store/database.ts';
import { listChannelMappings } from '../../../store/channels/channel-mappings.ts';
import {
  hoursOfDays,
  type ModelTraffic,
  type ModelUser,
  sumModelTraffic,
  topModelUsers,
} from '../../../store/logs/model-traffic.ts';
import { readModelMapping } from '../../model-mapping.ts';
import type { Price } from '../price.ts';
import type { PriceLists } from '../price-question.ts';
import type { PricePreview } from '../prices.ts';
import { one, type Ratio } from '../ratio.ts';
import { keyOf } from './compare-books.ts';

/** The calls that a list price decides or would decide. */
export interface BookEffect {
  readonly calls: number;
  /** Users of these models; one that used two of them counts twice. */
  readonly users: number;
  readonly top: readonly ModelUser[];
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Quota units that were charged. */
  readonly charged: number;
  /** Nano-dollars; null: not known of all of it. */
  readonly cost: number | null;
  /** Quota units for these tokens at the prices of now and at the new ones, without tiers, classes and parts. */
  readonly chargeBefore: number;
  readonly chargeAfter: number;
  /** Nano-dollars for these tokens by the list; null: no list has it. */
  readonly costBefore: number | null;
  readonly costAfter: number | null;
  /** Calls of it would be refused: no price would be left. */
  readonly refused: boolean;
  /** The operator's ratio or own price counts for all of it. */
  readonly kept: '' | 'ratio' | 'own';
  /** The models as clients called them. */
  readonly called: ReadonlySet<string>;
}

/** A model as a channel sends it. */
interface Sent {
  readonly model: string;
  readonly channelType: number;
}

/** The difference that decides about a model on a channel; undefined: none. */
export type FindDifference = (sent: Sent) => string | undefined;

/** By the list entry of after, or of before: where either is among the differences, the price depends on it. */
export const differenceFinder = (
  { listsBefore, listsAfter }: PricePreview,
  differences: ReadonlySet<string>,
  day: string,
): FindDifference => {
  const keyIn = (lists: PriceLists | null, { model, channelType }: Sent): string | undefined => {
    const entry = lists?.ofChannelType(channelType, model, day) ?? lists?.ofMaker(model, day);
    return entry === undefined ? undefined : keyOf(entry);
  };
  return (sent) =>
    [listsAfter, listsBefore]
      .map((lists) => keyIn(lists, sent))
      .find((key) => key !== undefined && differences.has(key));
};

/** At once, so that relayed calls go on. */
const rowsAtOnce = 500;
const topUsers = 3;
const plain = { prompt: 0, completion: 0 };

const amountOf = (price: Price, { promptTokens, completionTokens }: ModelTraffic): number =>
  price.refused ? 0 : price.chosenFor(plain).quota({ prompt: promptTokens, completion: completionTokens });

const costIn = (
  table: PricePreview['before'],
  traffic: ModelTraffic,
  { model, channelType, factor }: Sent & { readonly factor: Ratio },
): number | null => {
  const price = table.cost({ model, channelType, unit: 'token', factor });
  return price === null ? null : amountOf(price, traffic);
};

const sum = (first: number | null, second: number | null): number | null =>
  first === null || second === null ? null : Math.min(first + second, Number.MAX_SAFE_INTEGER);

const together = (first: BookEffect, second: BookEffect): BookEffect => ({
  calls: first.calls + second.calls,
  users: 0,
  top: [],
  promptTokens: first.promptTokens + second.promptTokens,
  completionTokens: first.completionTokens + second.completionTokens,
  charged: first.charged + second.charged,
  cost: sum(first.cost, second.cost),
  chargeBefore: first.chargeBefore + second.chargeBefore,
  chargeAfter: first.chargeAfter + second.chargeAfter,
  costBefore: sum(first.costBefore, second.costBefore),
  costAfter: sum(first.costAfter, second.costAfter),
  refused: first.refused || second.refused,
  kept: first.kept === second.kept ? first.kept : '',
  called: new Set([...first.called, ...second.called]),
});

const effectOf = (
  { before, after }: PricePreview,
  traffic: ModelTraffic,
  { model, channelType, factor }: Sent & { readonly factor: Ratio },
): BookEffect => {
  const { group, channelId } = traffic;
  const question = { model, group, channelId, channelType };
  const next = after.price(question);
  const { source } = next.origin;
  return {
    calls: traffic.requests,
    users: 0,
    top: [],
    promptTokens: traffic.promptTokens,
    completionTokens: traffic.completionTokens,
    charged: traffic.quota,
    cost: traffic.cost,
    chargeBefore: amountOf(before.price(question), traffic),
    chargeAfter: amountOf(next, traffic),
    costBefore: costIn(before, traffic, { model, channelType, factor }),
    costAfter: costIn(after, traffic, { model, channelType, factor }),
    refused: next.refused,
    kept: source === 'ratio' || source === 'own' ? source : '',
    called: new Set([traffic.model]),
  };
};

const withUsers = (effect: BookEffect, users: ReadonlyMap<string, readonly ModelUser[]>): BookEffect => {
  const found = [...effect.called].flatMap((model) => users.get(model) ?? []);
  const count = [...effect.called].reduce((total, model) => total + (users.get(model)?.[0]?.users ?? 0), 0);
  const merged = [...Map.groupBy(found, ({ userId }) => userId).values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, requests: others.reduce((total, { requests }) => total + requests, first.requests) }],
  );
  return { ...effect, users: count, top: merged.toSorted((a, b) => b.requests - a.requests).slice(0, topUsers) };
};

interface EffectQuery {
  readonly preview: PricePreview;
  readonly find: FindDifference;
  readonly days: number;
  readonly nowMs: number;
  /** What is paid of the list price, by the ids of enabled channels. */
  readonly costFactors: ReadonlyMap<number, Ratio>;
}

/** How channels send models, by their ids: also those that are deleted. */
const readChannels = async (db: Database) =>
  new Map(
    (await listChannelMappings(db)).map(({ id, type, modelMapping }) => [
      id,
      { type, mapping: readModelMapping(modelMapping) },
    ]),
  );

/**
 * The traffic of some days up to now by the difference that decides its price, and what it costs before and after: from
 * the sums of the log, which have prompt and completion tokens, and none of their parts.
 */
export const readBookEffects = async (
  db: Database,
  { preview, find, days, nowMs, costFactors }: EffectQuery,
): Promise<ReadonlyMap<string, BookEffect>> => {
  const range = hoursOfDays(days, nowMs);
  const [rows, users, channels] = await Promise.all([
    sumModelTraffic(db, range),
    topModelUsers(db, range, topUsers),
    readChannels(db),
  ]);
  const effects = new Map<string, BookEffect>();
  for (const [index, traffic] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await nextTurn();
    const channel = channels.get(traffic.channelId);
    const sent = {
      model: channel?.mapping.get(traffic.model) ?? traffic.model,
      channelType: channel?.type ?? 0,
    };
    const key = find(sent);
    if (key === undefined) continue;
    const effect = effectOf(preview, traffic, { ...sent, factor: costFactors.get(traffic.channelId) ?? one });
    const known = effects.get(key);
    effects.set(key, known === undefined ? effect : together(known, effect));
  }
  const byModel = Map.groupBy(users, ({ model }) => model);
  return new Map([...effects].map(([key, effect]) => [key, withUsers(effect, byModel)]));
};
