import { tokenStatus } from '@weir/contract/tokens';
import type { Database } from '../database.ts';

/** An enabled token that expires soon, and its owner. */
export interface ExpiringToken {
  readonly id: number;
  readonly name: string;
  readonly expired_time: number;
  readonly user_id: number;
  readonly email: string;
  /** 1: the owner is a team, which has managers instead of a mail address. */
  readonly is_team: number;
}

interface Expiring {
  /** Unix seconds. */
  readonly now: number;
  /** Before this time. */
  readonly before: number;
  /** Tokens at most. */
  readonly limit: number;
}

/** Tokens that expire before a time, of enabled owners with a mail address, or with a manager who has one, who were not reminded of this expiry. */
export const findUnremindedTokens = (
  { read }: Pick<Database, 'read'>,
  { now, before, limit }: Expiring,
): Promise<ExpiringToken[]> =>
  read
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .leftJoin('expiry_reminders', (on) =>
      on
        .onRef('expiry_reminders.token_id', '=', 'tokens.id')
        .onRef('expiry_reminders.expired_time', '=', 'tokens.expired_time'),
    )
    .select(['tokens.id', 'tokens.name', 'tokens.expired_time', 'tokens.user_id', 'users.email', 'users.is_team'])
    .where('tokens.deleted_time', '=', 0)
    .where('tokens.status', '=', tokenStatus.enabled)
    .where('tokens.expired_time', '>=', now)
    .where('tokens.expired_time', '<', before)
    .where('users.status', '=', 1)
    .where((eb) =>
      eb.or([
        eb('users.email', '<>', ''),
        eb.exists(
          eb
            .selectFrom('team_members')
            .innerJoin('users as managers', 'managers.id', 'team_members.user_id')
            .select('team_members.id')
            .whereRef('team_members.team_id', '=', 'users.id')
            .where('team_members.role', '=', 'manager')
            .where('team_members.left_time', '=', 0)
            .where('managers.status', '=', 1)
            .where('managers.email', '<>', ''),
        ),
      ]),
    )
    .where('expiry_reminders.token_id', 'is', null)
    .orderBy('tokens.user_id')
    .orderBy('tokens.expired_time')
    .limit(limit)
    .execute();

/** Takes the right to remind of these expiries; the tokens that another node or run has not taken before. */
export const claimExpiryReminders = async (
  { write }: Pick<Database, 'write'>,
  tokens: readonly ExpiringToken[],
): Promise<ReadonlySet<number>> => {
  const claimed = await write
    .insertInto('expiry_reminders')
    .values(tokens.map(({ id, expired_time }) => ({ token_id: id, expired_time })))
    .onConflict((on) =>
      on
        .column('token_id')
        .doUpdateSet((eb) => ({ expired_time: eb.ref('excluded.expired_time') }))
        .whereRef('expiry_reminders.expired_time', '<>', 'excluded.expired_time'),
    )
    .returning('token_id')
    .execute();
  return new Set(claimed.map(({ token_id }) => token_id));
};
