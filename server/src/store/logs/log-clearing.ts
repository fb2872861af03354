import { logType } from '@weir/contract/logs';
import { sql, type Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../database.ts';
import { isConnected } from '../nodes/absent-processes.ts';
import { forgetDays } from './log-days.ts';
import { hoursPerDay } from './log-sum-tables.ts';
import { hourSeconds } from './log-hours.ts';
import type { LogHoursTable, LogsTable } from '../schema.ts';

/** Rows that go in one transaction: every other write waits for no more than these. */
const batchRows = 1000;
/** Sums changed by one statement; each is twelve of the values that a statement may have. */
const sumsAtOnce = 500;

const claim = 'log_clearing';
const noOwner = '';

const ownerIn = ({ identity: { node, epoch } }: Database): string => `${epoch} ${node}`;

/** Whether the process that has the claim has ended, or is this one. No clock decides: those of two nodes may differ. */
const isFree = (db: Database) => {
  // The file belongs to one process.
  if (db.kind === 'sqlite') return sql<boolean>`true`;
  const own = sql<boolean>`instance.value = ${ownerIn(db)}`;
  const epoch = sql<string>`split_part(instance.value, ' ', 1)`;
  const node = sql<string>`substr(instance.value, strpos(instance.value, ' ') + 1)`;
  const isLatest = sql<boolean>`exists (select 1 from instance as start where start.key = 'epoch:' || ${node}
    and start.value = ${epoch})`;
  return sql<boolean>`(${own} or not ${isLatest} or not ${isConnected(node)})`;
};

/** False: another process runs a clearing. A process must not claim it twice at once. */
export const claimLogClearing = async (db: Database): Promise<boolean> => {
  const value = ownerIn(db);
  const { numInsertedOrUpdatedRows = 0n } = await db.write
    .insertInto('instance')
    .values({ key: claim, value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }).where(isFree(db)))
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
};

export const releaseLogClearing = async (db: Database): Promise<void> => {
  await db.write
    .updateTable('instance')
    .set({ value: noOwner })
    .where('key', '=', claim)
    .where('value', '=', ownerIn(db))
    .execute();
};

const summed = [
  'type',
  'created_at',
  'user_id',
  'token_id',
  'token_name',
  'model_name',
  'channel_id',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'cost',
] as const;
type HourSums = Selectable<LogHoursTable>;
type Gone = Pick<Selectable<LogsTable>, (typeof summed)[number]>;

const compareText = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** In the order in which settlements lock the sums too: so there is no deadlock. */
const inOrder = (one: HourSums, other: HourSums): number =>
  one.hour - other.hour ||
  one.user_id - other.user_id ||
  compareText(one.token_name, other.token_name) ||
  compareText(one.model_name, other.model_name) ||
  one.channel_id - other.channel_id ||
  one.token_id - other.token_id;

/** The amounts that deleted rows subtract from the hourly sums. */
const shares = (rows: readonly Gone[]): HourSums[] => {
  const byKey = new Map<string, HourSums>();
  for (const { type, created_at, user_id, token_id, token_name, model_name, channel_id, ...row } of rows) {
    if (type !== logType.consume) continue;
    const hour = Math.floor(created_at / hourSeconds);
    const key = JSON.stringify([hour, user_id, token_name, model_name, channel_id, token_id]);
    const before = byKey.get(key);
    const known = row.cost < 0 ? { cost: 0, costed: 0 } : { cost: row.cost, costed: row.quota };
    byKey.set(key, {
      hour,
      user_id,
      token_id,
      token_name,
      model_name,
      channel_id,
      requests: (before?.requests ?? 0) - 1,
      quota: (before?.quota ?? 0) - row.quota,
      prompt_tokens: (before?.prompt_tokens ?? 0) - row.prompt_tokens,
      completion_tokens: (before?.completion_tokens ?? 0) - row.completion_tokens,
      cost: (before?.cost ?? 0) - known.cost,
      costed: (before?.costed ?? 0) - known.costed,
    });
  }
  return [...byKey.values()].toSorted(inOrder);
};

const takeFromHours = async (trx: DatabaseTransaction, sums: readonly HourSums[]): Promise<void> => {
  for (let from = 0; from < sums.length; from += sumsAtOnce) {
    await trx
      .insertInto('log_hours')
      .values(sums.slice(from, from + sumsAtOnce))
      .onConflict((on) =>
        on.columns(['hour', 'user_id', 'token_name', 'model_name', 'channel_id', 'token_id']).doUpdateSet((eb) => ({
          requests: eb('log_hours.requests', '+', eb.ref('excluded.requests')),
          quota: eb('log_hours.quota', '+', eb.ref('excluded.quota')),
          prompt_tokens: eb('log_hours.prompt_tokens', '+', eb.ref('excluded.prompt_tokens')),
          completion_tokens: eb('log_hours.completion_tokens', '+', eb.ref('excluded.completion_tokens')),
          cost: eb('log_hours.cost', '+', eb.ref('excluded.cost')),
          costed: eb('log_hours.costed', '+', eb.ref('excluded.costed')),
        })),
      )
      .execute();
  }
  const hours = sums.map(({ hour }) => hour);
  if (hours.length === 0) return;
  await trx
    .deleteFrom('log_hours')
    .where('hour', '>=', Math.min(...hours))
    .where('hour', '<=', Math.max(...hours))
    .where('requests', '<=', 0)
    .execute();
};

/**
 * Deletes the oldest rows before a moment (unix seconds), with their part of the hourly sums in the same transaction:
 * the totals never include rows that are gone. Their days are read by the hour from now on. Resolves to their number, which is 0 when none is left.
 */
export const clearOldestLogs = (db: Database, before: number): Promise<number> =>
  db.write.transaction().execute(async (trx) => {
    const oldest = trx
      .selectFrom('logs')
      .select('id')
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(batchRows);
    const gone = await trx.deleteFrom('logs').where('id', 'in', oldest).returning(summed).execute();
    const sums = shares(gone);
    await takeFromHours(trx, sums);
    const newest = sums.at(-1);
    if (newest !== undefined) await forgetDays(trx, { kind: db.kind, until: Math.floor(newest.hour / hoursPerDay) });
    return gone.length;
  });
