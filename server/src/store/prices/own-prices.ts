import { type PriceCard, priceCardSchema } from '@weir/contract/prices/price-book';
import * as v from 'valibot';
import type { Database, DatabaseTransaction } from '../database.ts';

/** For which calls an own price counts. */
export interface OwnPriceScope {
  readonly model: string;
  /** Empty: every group. */
  readonly group: string;
  /** 0: every channel. */
  readonly channelId: number;
}

/** The operator's price of a model, from an instant on. */
export interface OwnPrice extends OwnPriceScope {
  readonly id: number;
  /** Unix seconds; 0: always. */
  readonly from: number;
  readonly card: PriceCard;
}

const cardOf = (text: string): PriceCard => v.parse(priceCardSchema, JSON.parse(text));

/** All own prices, by model, then by the time from which they count. */
export const listOwnPrices = async ({ read }: Pick<Database, 'read'>): Promise<OwnPrice[]> => {
  const rows = await read.selectFrom('own_prices').selectAll().orderBy('model').orderBy('from_time').execute();
  return rows.map(({ id, model, group, channel_id, from_time, card }) => ({
    id,
    model,
    group,
    channelId: channel_id,
    from: from_time,
    card: cardOf(card),
  }));
};

/** A change of an own price; times in unix seconds. */
export interface OwnPriceChange extends Omit<OwnPrice, 'id'> {
  readonly actorId: number;
  readonly at: number;
}

const rowsOf = (trx: DatabaseTransaction, { model, group, channelId }: OwnPriceScope) =>
  trx
    .deleteFrom('own_prices')
    .where('model', '=', model)
    .where('group', '=', group)
    .where('channel_id', '=', channelId)
    .returning(['from_time', 'card']);

/**
 * Sets a price from an instant on, in place of one from the same instant and of those that it ends now. Resolves to the
 * price whose place it takes.
 */
export const putOwnPrice = async (trx: DatabaseTransaction, price: OwnPriceChange): Promise<PriceCard | undefined> => {
  const { model, group, channelId, from, card, actorId, at } = price;
  const ofScope = rowsOf(trx, price);
  const ended = await (
    from <= at ? ofScope.where('from_time', '<=', at) : ofScope.where('from_time', '=', from)
  ).execute();
  const changed = { card: JSON.stringify(card), actor_id: actorId, created_at: at };
  await trx
    .insertInto('own_prices')
    .values({ model, group, channel_id: channelId, from_time: from, ...changed })
    .onConflict((on) => on.columns(['model', 'group', 'channel_id', 'from_time']).doUpdateSet(changed))
    .execute();
  const last = ended.toSorted((one, other) => other.from_time - one.from_time)[0];
  return last && cardOf(last.card);
};

/** A price that was removed. */
export type RemovedPrice = Pick<OwnPrice, 'from' | 'card'>;

/** Removes the prices of a scope, past and future, or the one from an instant: the next price in order counts again. */
export const deleteOwnPrices = async (
  trx: DatabaseTransaction,
  { from, ...scope }: OwnPriceScope & { readonly from?: number },
): Promise<readonly RemovedPrice[]> => {
  const ofScope = rowsOf(trx, scope);
  const rows = await (from === undefined ? ofScope : ofScope.where('from_time', '=', from)).execute();
  return rows
    .map(({ from_time, card }) => ({ from: from_time, card: cardOf(card) }))
    .toSorted((one, other) => one.from - other.from);
};
