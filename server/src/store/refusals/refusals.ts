import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { RefusalsTable, RefusalSumsTable } from './refusal-tables.ts';

export type NewRefusal = Omit<Insertable<RefusalsTable>, 'id'>;
export type RefusalSum = Selectable<RefusalSumsTable>;

/** Seconds by which refused calls are counted together. */
export const refusalSlotSeconds = 900;

/** Statements stay small, so that a posting never waits long for one: each joins a group commit as if it were alone. */
const rowsPerInsert = 100;

/** Splits rows into those of one statement each. */
export const inBatches = <Row>(rows: readonly Row[]): (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / rowsPerInsert) }, (_, index) =>
    rows.slice(index * rowsPerInsert, (index + 1) * rowsPerInsert),
  );

/** What both databases store: no NUL, no half of a surrogate pair. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Adds records of refused calls: as many as one batch. */
export const addRefusals = async (db: Database, rows: readonly NewRefusal[]): Promise<void> => {
  const values = rows.map((row) => ({
    ...row,
    model_name: storable(row.model_name),
    path: storable(row.path),
    message: storable(row.message),
    retry_after: storable(row.retry_after),
    detail: storable(row.detail),
    key_tail: storable(row.key_tail),
  }));
  await db.write.insertInto('refusals').values(values).execute();
};

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** In one order, so that nodes which add at once do not wait for each other in a circle. */
export const inKeyOrder = (one: RefusalSum, other: RefusalSum): number =>
  one.slot - other.slot ||
  one.user_id - other.user_id ||
  one.token_id - other.token_id ||
  compare(one.rule, other.rule) ||
  compare(one.network, other.network);

/** Adds to what is counted: as many sums as one batch. */
export const addRefusalSums = async (db: Database, sums: readonly RefusalSum[]): Promise<void> => {
  await db.write
    .insertInto('refusal_sums')
    .values([...sums])
    .onConflict((on) =>
      on.columns(['slot', 'user_id', 'token_id', 'rule', 'network']).doUpdateSet((eb) => ({
        count: eb('refusal_sums.count', '+', eb.ref('excluded.count')),
        last_at: sql<number>`case when excluded.last_at > refusal_sums.last_at
          then excluded.last_at else refusal_sums.last_at end`,
      })),
    )
    .execute();
};

/** Rows that one statement deletes: other writes wait for no more than these. */
const sliceRows = 500;
/** Sums of all nodes: a tenth of a gigabyte at most. */
const sumsMax = 1_000_000;
const slotsPerDay = 96;
/** Calls without a known user may have this part of the records, so that a flood of them displaces no others. */
const unknownShare = 5;

type Deleting = () => Promise<{ readonly numDeletedRows: bigint }>;

/** Repeats a deletion of one slice until none is left. */
const untilNone = async (slice: Deleting): Promise<number> => {
  let deleted = 0;
  for (;;) {
    const gone = Number((await slice()).numDeletedRows);
    deleted += gone;
    if (gone < sliceRows) return deleted;
  }
};

/** Deletes the sums before a slot, a day at a time. */
const deleteSumsBefore = async (db: Database, slot: number): Promise<void> => {
  for (;;) {
    const { oldest } = await db.read
      .selectFrom('refusal_sums')
      .select((eb) => eb.fn.min('slot').as('oldest'))
      .executeTakeFirstOrThrow();
    if (oldest === null || Number(oldest) >= slot) return;
    await db.write
      .deleteFrom('refusal_sums')
      .where('slot', '<', Math.min(slot, Number(oldest) + slotsPerDay))
      .execute();
  }
};

/** Deletes the records before a time, in slices; resolves to their number. The sums go with them. */
export const deleteRefusalsBefore = async (db: Database, before: number): Promise<number> => {
  await deleteSumsBefore(db, Math.floor(before / refusalSlotSeconds));
  return untilNone(() =>
    db.write
      .deleteFrom('refusals')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('refusals')
          .select('id')
          .where('created_at', '<', before)
          .orderBy('created_at')
          .orderBy('id')
          .limit(sliceRows),
      )
      .executeTakeFirstOrThrow(),
  );
};

/** Deletes the oldest records of known or of unknown users beyond a number. */
const keepNewest = async (db: Database, isKnown: boolean, kept: number): Promise<void> => {
  const rows = db.read.selectFrom('refusals').where('user_id', isKnown ? '>' : '=', 0);
  const last = await rows.select('id').orderBy('id', 'desc').offset(kept).limit(1).executeTakeFirst();
  if (last === undefined) return;
  await untilNone(() =>
    db.write
      .deleteFrom('refusals')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('refusals')
          .select('id')
          .where('id', '<=', last.id)
          .where('user_id', isKnown ? '>' : '=', 0)
          .orderBy('id')
          .limit(sliceRows),
      )
      .executeTakeFirstOrThrow(),
  );
};

/** Deletes the oldest sums beyond their largest number. */
const keepNewestSums = async (db: Database): Promise<void> => {
  const last = await db.read
    .selectFrom('refusal_sums')
    .select('slot')
    .orderBy('slot', 'desc')
    .offset(sumsMax)
    .limit(1)
    .executeTakeFirst();
  if (last !== undefined) await deleteSumsBefore(db, last.slot + 1);
};

/** Deletes the oldest records and sums beyond the bounds. */
export const trimRefusals = async (
  db: Database,
  { before, rowsMax }: { readonly before: number; readonly rowsMax: number },
): Promise<void> => {
  const ofUnknown = Math.floor(rowsMax / unknownShare);
  await deleteRefusalsBefore(db, before);
  await keepNewest(db, false, ofUnknown);
  await keepNewest(db, true, rowsMax - ofUnknown);
  await keepNewestSums(db);
};

/** Refused calls within a span (unix seconds), by whole quarters of an hour. */
export const countRefused = async (
  db: Database,
  {
    userId,
    tokenId,
    tokenName,
    from,
    before,
  }: {
    /** 0: all users, as of the token; empty: every name. */
    readonly userId: number;
    readonly tokenId: number;
    readonly tokenName: string;
    readonly from: number;
    readonly before: number;
  },
): Promise<number> => {
  const slotOf = (seconds: number) => Math.floor(seconds / refusalSlotSeconds);
  let sums = db.read
    .selectFrom('refusal_sums')
    .select(sql<number | string>`coalesce(sum(count), 0)`.as('count'))
    .where('slot', '>=', slotOf(from))
    .where('slot', '<=', slotOf(before - 1));
  if (userId > 0) sums = sums.where('user_id', '=', userId);
  if (tokenId > 0) sums = sums.where('token_id', '=', tokenId);
  else if (tokenName !== '')
    sums = sums.where('token_id', 'in', (eb) =>
      eb.selectFrom('tokens').select('id').where('user_id', '=', userId).where('name', '=', tokenName),
    );
  return Number((await sums.executeTakeFirstOrThrow()).count);
};
