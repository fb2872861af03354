import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database, DatabaseTransaction, WriteQueries } from '../database.ts';
import type { AlertMessagesTable } from './alert-tables.ts';

export type AlertMessageRow = Selectable<AlertMessagesTable>;
export type NewAlertMessage = Pick<
  Insertable<AlertMessagesTable>,
  'message_id' | 'alert_id' | 'destination_id' | 'event' | 'severity' | 'content' | 'created_at'
>;

/** Adds messages, in the transaction of what they tell. */
export const addAlertMessages = async (
  trx: DatabaseTransaction,
  messages: readonly NewAlertMessage[],
): Promise<void> => {
  if (messages.length === 0) return;
  await trx
    .insertInto('alert_messages')
    .values(
      messages.map((message) => ({
        ...message,
        state: 'waiting',
        tries: 0,
        next_at: message.created_at,
        claimed_until: 0,
        claimed_by: '',
        ended_at: 0,
        last_error: '',
      })),
    )
    .execute();
};

interface Claim {
  readonly now: number;
  /** Unix seconds: a message that is not ended by then is anyone's again. */
  readonly until: number;
  readonly limit: number;
}

/** Takes messages that are due and that no node has; each counts as tried once more. */
export const claimAlertMessages = async (
  { read, write, identity }: Pick<Database, 'read' | 'write' | 'identity'>,
  { now, until, limit }: Claim,
): Promise<AlertMessageRow[]> => {
  const due = await read
    .selectFrom('alert_messages')
    .select('id')
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .where('claimed_until', '<=', now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  if (due.length === 0) return [];
  return write
    .updateTable('alert_messages')
    .set({ claimed_until: until, claimed_by: identity.node, tries: sql<number>`tries + 1` })
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .where('claimed_until', '<=', now)
    .returningAll()
    .execute();
};

/** Gives back what an earlier process of this node had taken. */
export const releaseAlertClaims = async ({ write, identity }: Pick<Database, 'write' | 'identity'>): Promise<void> => {
  await write
    .updateTable('alert_messages')
    .set({ claimed_until: 0 })
    .where('state', '=', 'waiting')
    .where('claimed_until', '>', 0)
    .where('claimed_by', '=', identity.node)
    .execute();
};

type Outcome =
  | { readonly state: 'sent' | 'dead'; readonly at: number; readonly error: string }
  | { readonly state: 'waiting'; readonly nextAt: number; readonly tries: number; readonly error: string };

/** Ends a claim. A claim that ran out changes nothing: the message is another node's. */
export const endAlertClaim = async (
  query: WriteQueries,
  { id, tries }: Pick<AlertMessageRow, 'id' | 'tries'>,
  outcome: Outcome,
): Promise<void> => {
  const { state, error } = outcome;
  const change =
    outcome.state === 'waiting' ? { next_at: outcome.nextAt, tries: outcome.tries } : { ended_at: outcome.at };
  await query
    .updateTable('alert_messages')
    .set({ state, claimed_until: 0, last_error: error, ...change })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('state', '=', 'waiting')
    .execute();
};

/** What became of the messages of an alert. */
export interface AlertDeliveries {
  readonly waiting: number;
  readonly sent: number;
  readonly dead: number;
  /** Of the newest message that has one; may be empty. */
  readonly lastError: string;
}

export const readAlertDeliveries = async (
  { read }: Pick<Database, 'read'>,
  alerts: readonly number[],
): Promise<ReadonlyMap<number, AlertDeliveries>> => {
  if (alerts.length === 0) return new Map();
  const counted = (state: string) =>
    sql<number | string>`sum(case when state = ${sql.lit(state)} then 1 else 0 end)`.as(state);
  const rows = await read
    .selectFrom('alert_messages')
    .select(['alert_id', counted('waiting'), counted('sent'), counted('dead')])
    .select((on) =>
      on
        .selectFrom('alert_messages as failed')
        .select('failed.last_error')
        .whereRef('failed.alert_id', '=', 'alert_messages.alert_id')
        .where('failed.last_error', '<>', '')
        .orderBy('failed.id', 'desc')
        .limit(1)
        .as('lastError'),
    )
    .where('alert_id', 'in', alerts)
    .groupBy('alert_id')
    .execute();
  return new Map(
    rows.map(({ alert_id, waiting, sent, dead, lastError }) => [
      alert_id,
      { waiting: Number(waiting), sent: Number(sent), dead: Number(dead), lastError: lastError ?? '' },
    ]),
  );
};
