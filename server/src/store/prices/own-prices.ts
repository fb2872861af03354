import { type PriceCard, priceCardSchema } from '@weir/contract/prices/price-book';
import * as v from 'valibot';
import type { Database, DatabaseTransaction } from '../database.ts';

/** For which calls an own price counts. */
interface OwnPriceScope {
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

/** All own prices, by model, then by the time from which they count. */
export const listOwnPrices = async ({ read }: Pick<Database, 'read'>): Promise<OwnPrice[]> => {
  const rows = await read.selectFrom('own_prices').selectAll().orderBy('model').orderBy('from_time').execute();
  return rows.map(({ id, model, group, channel_id, from_time, card }) => ({
    id,
    model,
    group,
    channelId: channel_id,
    from: from_time,
    card: v.parse(priceCardSchema, JSON.parse(card)),
  }));
};

/** Sets a price from an instant on, in place of one from the same instant. */
export const putOwnPrice = async (
  trx: DatabaseTransaction,
  { model, group, channelId, from, card, actorId, at }: Omit<OwnPrice, 'id'> & { actorId: number; at: number },
): Promise<void> => {
  const changed = { card: JSON.stringify(card), actor_id: actorId, created_at: at };
  await trx
    .insertInto('own_prices')
    .values({ model, group, channel_id: channelId, from_time: from, ...changed })
    .onConflict((on) => on.columns(['model', 'group', 'channel_id', 'from_time']).doUpdateSet(changed))
    .execute();
};
