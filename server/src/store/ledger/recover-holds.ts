import { logType } from '@weir/contract/logs';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { AppError } from '../../errors.ts';
import type { ReadQueries } from '../database.ts';
import { recovered, type NodeIdentity } from './accounts-state.ts';
import { emptyLog, type NewLog } from '../logs/log-columns.ts';
import type { Posting, PostingResult } from './postings.ts';
import type { HoldsTable, Schema } from '../schema.ts';

const pageSize = 2000;

interface EndOptions {
  readonly read: ReadQueries;
  readonly post: (posting: Posting) => Promise<PostingResult>;
  /** Unix seconds. */
  readonly now: number;
}

export interface Recovery {
  readonly ended: readonly Pick<HoldsTable, 'user_id' | 'token_id' | 'budgets'>[];
  /** Holds that the database refuses to end: their account is inconsistent. */
  readonly stuck: readonly StuckHold[];
}

export type StuckHold = Pick<HoldsTable, 'request_id' | 'user_id' | 'amount'>;

/** An abandoned hold: no process is left to end it. */
export type LostHold = HoldsTable & { readonly username: string | null; readonly token_name: string | null };

const logOf = (hold: LostHold, now: number): NewLog => ({
  ...emptyLog,
  user_id: hold.user_id,
  created_at: now,
  type: logType.consume,
  content: 'Interrupted by a restart; charged for the delivered part',
  username: hold.username ?? '',
  token_id: hold.token_id,
  token_name: hold.token_name ?? '',
  model_name: hold.model_name,
  quota: hold.progress,
  channel_id: hold.channel_id,
  request_id: hold.request_id,
  elapsed_time: Math.max(0, now - hold.opened_at) * 1000,
  is_stream: 1,
});

/** The posting that ends it: a charge for what had reached the client by the last checkpoint, or nothing. */
export const endingOf = (hold: LostHold, now: number, logs: boolean): Posting => {
  const request = {
    requestId: hold.request_id,
    userId: hold.user_id,
    tokenId: hold.token_id,
    tokenLimited: hold.token_limited === 1,
    budgets: hold.budgets,
  };
  if (hold.progress === 0) return { kind: 'release', ...request };
  return {
    kind: 'settle',
    ...request,
    channelId: hold.channel_id,
    amount: hold.progress,
    priceVersion: hold.price_version,
    estimated: true,
    at: now,
    reason: recovered,
    log: logs ? logOf(hold, now) : null,
  };
};

/** The option as stored; absent means on, as everywhere. */
const logsConsumption = async (read: ReadQueries): Promise<boolean> => {
  const option = await read
    .selectFrom('options')
    .select('value')
    .where('key', '=', 'LogConsumeEnabled')
    .executeTakeFirst();
  return option?.value !== 'false';
};

type Which = (eb: ExpressionBuilder<Schema, 'holds'>) => Expression<SqlBool>;

/** Null: it was ended, or a settlement was sooner. One that the database refuses does not keep others from their end. */
const endHold = async (hold: LostHold, { post, now }: EndOptions, logs: boolean): Promise<StuckHold | null> => {
  try {
    await post(endingOf(hold, now, logs));
    return null;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return { request_id: hold.request_id, user_id: hold.user_id, amount: hold.amount };
  }
};

/** Ends all holds of a kind, page by page. */
const endHolds = async (options: EndOptions, which: Which): Promise<Recovery> => {
  const { read } = options;
  const logs = await logsConsumption(read);
  const stuck: StuckHold[] = [];
  const ended: LostHold[] = [];
  let after = '';
  for (;;) {
    const holds = await read
      .selectFrom('holds')
      .leftJoin('users', 'users.id', 'holds.user_id')
      .leftJoin('tokens', 'tokens.id', 'holds.token_id')
      .selectAll('holds')
      .select(['users.username', 'tokens.name as token_name'])
      .where((eb) => which(eb))
      .where('holds.request_id', '>', after)
      .orderBy('holds.request_id')
      .limit(pageSize)
      .execute();
    const outcomes = await Promise.all(holds.map((hold) => endHold(hold, options, logs)));
    ended.push(...holds.filter((_, index) => outcomes[index] === null));
    stuck.push(...outcomes.filter((outcome) => outcome !== null));
    after = holds.at(-1)?.request_id ?? '';
    if (holds.length < pageSize) return { ended, stuck };
  }
};

/**
 * Ends the holds that earlier processes of this node left open: what had reached the client by the last checkpoint is
 * charged, a request that had delivered nothing is released. Holds of other nodes are theirs to end.
 */
export const recoverHolds = (options: EndOptions & { readonly identity: NodeIdentity }): Promise<Recovery> => {
  const { node, epoch } = options.identity;
  return endHolds(options, (eb) => eb.and([eb('holds.node', '=', node), eb('holds.epoch', '<', epoch)]));
};

interface Abandoned {
  /** Processes that have ended. */
  readonly processes: readonly NodeIdentity[];
  /** Requests of this process whose end the database did not take. */
  readonly requests: readonly string[];
}

/** Ends, in the same way, the holds of processes that have ended, and those that this one could not end. */
export const endAbandonedHolds = (options: EndOptions & Abandoned): Promise<Recovery> => {
  const { processes, requests } = options;
  if (processes.length + requests.length === 0) return Promise.resolve({ ended: [], stuck: [] });
  return endHolds(options, (eb) =>
    eb.or([
      ...processes.map(({ node, epoch }) => eb.and([eb('holds.node', '=', node), eb('holds.epoch', '=', epoch)])),
      ...(requests.length === 0 ? [] : [eb('holds.request_id', 'in', requests)]),
    ]),
  );
};
