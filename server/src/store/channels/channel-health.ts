import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import type { Database } from '../database.ts';
import type { ChannelAttemptsTable, ChannelFailuresTable } from '../schema.ts';

/** Seconds by which attempts are counted together. */
export const slotSeconds = 900;

export type ChannelAttempts = Selectable<ChannelAttemptsTable>;
export type NewChannelFailure = Omit<Insertable<ChannelFailuresTable>, 'id'>;
export type ChannelFailureRow = Selectable<ChannelFailuresTable>;

/** Parameters of one statement stay far under the least limit of both databases. */
const rowsPerInsert = 500;

const byKey = (one: ChannelAttempts, other: ChannelAttempts): number =>
  one.channel_id - other.channel_id ||
  one.slot - other.slot ||
  (one.outcome < other.outcome ? -1 : one.outcome > other.outcome ? 1 : one.band - other.band);

/** Adds to what is counted. In one order, so that nodes which add at once do not wait for each other in a circle. */
export const addChannelAttempts = async (db: Database, counted: readonly ChannelAttempts[]): Promise<void> => {
  const rows = counted.toSorted(byKey);
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await db.write
      .insertInto('channel_attempts')
      .values(rows.slice(start, start + rowsPerInsert))
      .onConflict((on) =>
        on
          .columns(['channel_id', 'slot', 'outcome', 'band'])
          .doUpdateSet((eb) => ({ count: eb('channel_attempts.count', '+', eb.ref('excluded.count')) })),
      )
      .execute();
  }
};

/** The counts of a channel since the beginning of a slot. */
export const readChannelAttempts = (
  db: Database,
  { channelId, fromSlot }: { readonly channelId: number; readonly fromSlot: number },
): Promise<ChannelAttempts[]> =>
  db.read
    .selectFrom('channel_attempts')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('slot', '>=', fromSlot)
    .execute();

/** Outcomes of the attempts of a slot; those for which the request itself was at fault are not counted. */
export interface SlotCounts {
  readonly slot: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** The counts of all channels since the beginning of a slot, slot by slot. */
export const sumChannelAttempts = async (db: Database, fromSlot: number): Promise<SlotCounts[]> => {
  const rows = await db.read
    .selectFrom('channel_attempts')
    .select([
      'slot',
      sql<number | string>`sum(case when outcome = 'ok' then count else 0 end)`.as('succeeded'),
      sql<number | string>`sum(case when outcome in ('ok', 'request') then 0 else count end)`.as('failed'),
    ])
    .where('slot', '>=', fromSlot)
    .groupBy('slot')
    .execute();
  return rows.map(({ slot, succeeded, failed }) => ({
    slot,
    succeeded: Number(succeeded),
    failed: Number(failed),
  }));
};

/** The counts of each channel since the beginning of a slot, and those of its part since `recentSlot`. */
export const sumAttemptsByChannel = async (
  db: Database,
  { fromSlot, recentSlot }: { readonly fromSlot: number; readonly recentSlot: number },
) => {
  const counted = (outcome: RawBuilder<unknown>, slot: number) =>
    sql<number | string>`sum(case when ${outcome} and slot >= ${sql.lit(slot)} then count else 0 end)`;
  const succeeded = sql`outcome = 'ok'`;
  const failed = sql`outcome not in ('ok', 'request')`;
  const rows = await db.read
    .selectFrom('channel_attempts')
    .select([
      'channel_id',
      counted(succeeded, fromSlot).as('succeeded'),
      counted(failed, fromSlot).as('failed'),
      counted(succeeded, recentSlot).as('recentSucceeded'),
      counted(failed, recentSlot).as('recentFailed'),
    ])
    .where('slot', '>=', fromSlot)
    .groupBy('channel_id')
    .execute();
  return rows.map((row) => ({
    channelId: row.channel_id,
    succeeded: Number(row.succeeded),
    failed: Number(row.failed),
    recentSucceeded: Number(row.recentSucceeded),
    recentFailed: Number(row.recentFailed),
  }));
};

/** Failures kept of each channel. */
const failuresKept = 50;

/** Adds failures, of which PostgreSQL stores no NUL, and drops the oldest of their channels. */
export const addChannelFailures = async (db: Database, failures: readonly NewChannelFailure[]): Promise<void> => {
  for (let start = 0; start < failures.length; start += rowsPerInsert) {
    const rows = failures.slice(start, start + rowsPerInsert);
    const values = rows.map((row) => ({ ...row, message: row.message.replaceAll('\0', '') }));
    await db.write.insertInto('channel_failures').values(values).execute();
  }
  for (const channelId of new Set(failures.map((row) => row.channel_id))) {
    await db.write
      .deleteFrom('channel_failures')
      .where('channel_id', '=', channelId)
      .where('id', '<=', (eb) =>
        eb
          .selectFrom('channel_failures')
          .select('id')
          .where('channel_id', '=', channelId)
          .orderBy('id', 'desc')
          .offset(failuresKept)
          .limit(1),
      )
      .execute();
  }
};

/** The latest failures of a channel, newest first. */
export const listChannelFailures = (
  db: Database,
  { channelId, limit }: { readonly channelId: number; readonly limit: number },
): Promise<ChannelFailureRow[]> =>
  db.read
    .selectFrom('channel_failures')
    .selectAll()
    .where('channel_id', '=', channelId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Forgets what was counted before a slot. */
export const deleteOldChannelAttempts = (db: Database, beforeSlot: number) =>
  db.write.deleteFrom('channel_attempts').where('slot', '<', beforeSlot).execute();
