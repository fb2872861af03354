import type { Database } from './database.ts';

/** A thing that an upstream keeps, under the id that its client got. */
export interface UpstreamState {
  readonly id: string;
  readonly user_id: number;
  /** The answer that it came with. */
  readonly origin_id: string;
  /** `RoutedChannel.channelKey`: the channel and key that know it. */
  readonly channel_key: string;
  /** Tokens of that answer and of everything before it; null: not known, or not yet. */
  readonly tokens: number | null;
  /** Unix seconds. */
  readonly expires_at: number;
}

/** Stores them, or their size once it is known. Those of another user stay as they are, whatever an upstream says. */
export const keepUpstreamStates = async (
  db: Pick<Database, 'write'>,
  states: readonly UpstreamState[],
): Promise<void> => {
  await db.write
    .insertInto('upstream_states')
    .values([...states])
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((on) => ({ tokens: on.ref('excluded.tokens'), expires_at: on.ref('excluded.expires_at') }))
        .whereRef('upstream_states.user_id', '=', 'excluded.user_id'),
    )
    .execute();
};

/** Those of the ids that are known, of any user. */
export const findUpstreamStates = (
  db: Pick<Database, 'read'>,
  ids: readonly string[],
  now: number,
): Promise<readonly UpstreamState[]> =>
  db.read
    .selectFrom('upstream_states')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('expires_at', '>', now)
    .execute();

export const deleteExpiredUpstreamStates = async ({ write }: Pick<Database, 'write'>, now: number): Promise<void> => {
  await write.deleteFrom('upstream_states').where('expires_at', '<=', now).execute();
};
