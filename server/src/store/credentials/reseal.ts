import { openDestination, sealedDestination } from '../alerts/alert-destinations.ts';
import { resealedChannelConfig } from '../channels/channel-config.ts';
import { channelKeyColumns, openChannelKeys } from '../channels/channels.ts';
import { finishKeyChange, isKeyChanging } from '../engine/key-change.ts';
import { resealedOption } from '../options.ts';
import { invitationCodeColumns, openInvitationCode } from '../invitations/invitations.ts';
import { openRedemptionKey, redemptionKeyColumns } from '../redemptions.ts';
import type { Database, DatabaseTransaction } from '../database.ts';
import { openTokenKey, tokenKeyColumns } from '../tokens.ts';
import type { Secrets } from './secrets.ts';

const stepRows = 500;

interface Keys {
  readonly previous: Secrets;
  readonly next: Secrets;
}

type Queries = Pick<Database, 'read' | 'write'>;

/** Takes the rows after an id, some hundred, and returns the last id; undefined: there were none. */
type Step<Id> = (trx: DatabaseTransaction, after: Id) => Promise<Id | undefined>;

/** Runs steps of one transaction each to the end of a table. */
const repeat = async <Id>({ write }: Queries, first: Id, step: Step<Id>): Promise<void> => {
  let after: Id | undefined = first;
  while (after !== undefined) {
    const from: Id = after;
    after = await write.transaction().execute((trx) => step(trx, from));
  }
};

const keyTables = {
  invitations: [openInvitationCode, invitationCodeColumns],
  redemptions: [openRedemptionKey, redemptionKeyColumns],
  tokens: [openTokenKey, tokenKeyColumns],
} as const;

/** Tables with a key in the same two columns. A deleted one has no key, and keeps its digest. */
const stepOfKeys =
  (table: keyof typeof keyTables, { previous, next }: Keys): Step<number> =>
  async (trx, after) => {
    const [open, columnsOf] = keyTables[table];
    const rows = await trx
      .selectFrom(table)
      .select(['id', 'key_sealed', 'key_digest'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(stepRows)
      .execute();
    for (const row of rows) {
      if (!previous.isOwn(row.key_sealed)) continue;
      const columns = columnsOf(next, open(previous, row));
      const update = trx.updateTable(table).set(columns);
      await update.where('id', '=', row.id).where('key_digest', '=', row.key_digest).execute();
    }
    return rows.at(-1)?.id;
  };

const stepOfChannels =
  ({ previous, next }: Keys): Step<number> =>
  async (trx, after) => {
    const rows = await trx
      .selectFrom('channels')
      .select(['id', 'key_sealed', 'key_digest', 'config'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(stepRows)
      .execute();
    for (const row of rows) {
      const config = resealedChannelConfig({ previous, next }, row.config);
      const isOld = previous.isOwn(row.key_sealed);
      if (!isOld && config === row.config) continue;
      const columns = isOld ? channelKeyColumns(next, openChannelKeys(previous, row).join('\n')) : {};
      const update = trx.updateTable('channels').set({ config, ...columns });
      await update.where('id', '=', row.id).where('key_digest', '=', row.key_digest).execute();
    }
    return rows.at(-1)?.id;
  };

const stepOfDestinations =
  ({ previous, next }: Keys): Step<number> =>
  async (trx, after) => {
    const rows = await trx
      .selectFrom('alert_destinations')
      .select(['id', 'seal_id', 'config_sealed'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(stepRows)
      .execute();
    for (const row of rows) {
      if (!previous.isOwn(row.config_sealed)) continue;
      const update = trx.updateTable('alert_destinations').set(sealedDestination(next, openDestination(previous, row)));
      await update.where('id', '=', row.id).where('seal_id', '=', row.seal_id).execute();
    }
    return rows.at(-1)?.id;
  };

/** What upstreams keep is found by channel and key: by the digest of the key. */
const stepOfStates = (digests: ReadonlyMap<string, string>): Step<string> => {
  const renamed = (channelKey: string): string =>
    channelKey.replace(
      /^(\d+\/\d+\/)([0-9a-f]+)/,
      (_, start: string, digest: string) => start + (digests.get(digest) ?? digest),
    );
  return async (trx, after) => {
    const rows = await trx
      .selectFrom('upstream_states')
      .select(['id', 'channel_key'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(stepRows)
      .execute();
    for (const { id, channel_key } of rows) {
      const name = renamed(channel_key);
      if (name !== channel_key)
        await trx.updateTable('upstream_states').set({ channel_key: name }).where('id', '=', id).execute();
    }
    return rows.at(-1)?.id;
  };
};

/** The digests of channel keys under the previous secret key, and what they are now. */
const channelDigests = async ({ read }: Queries, { previous, next }: Keys): Promise<ReadonlyMap<string, string>> => {
  const rows = await read
    .selectFrom('channels')
    .select(['key_sealed', 'key_digest'])
    .where('key_sealed', '!=', '')
    .execute();
  return new Map(rows.map((row) => [previous.digest(openChannelKeys(next, row).join('\n')), row.key_digest]));
};

const resealOptions = async ({ read, write }: Queries, keys: Keys): Promise<void> => {
  const rows = await read.selectFrom('options').select(['key', 'value']).execute();
  for (const { key, value } of rows) {
    const sealed = resealedOption(keys, key, value);
    if (sealed !== value)
      await write
        .updateTable('options')
        .set({ value: sealed })
        .where('key', '=', key)
        .where('value', '=', value)
        .execute();
  }
};

interface ResealOptions extends Keys {
  readonly db: Queries;
  readonly say: (table: string) => void;
}

/**
 * Seals everything anew after a change of the secret key, before anything is served: in small transactions, each of which
 * leaves a part sealed by one key and a part by the other, which their fingerprints tell apart. Cut short, the next start goes
 * on. Several nodes may do it at once. False: there was nothing to do.
 */
export const resealSecrets = async ({ db, previous, next, say }: ResealOptions): Promise<boolean> => {
  if (!(await isKeyChanging(db.read))) return false;
  const keys = { previous, next };
  await resealOptions(db, keys);
  say('options');
  await repeat(db, 0, stepOfChannels(keys));
  say('channels');
  await repeat(db, '', stepOfStates(await channelDigests(db, keys)));
  say('upstream_states');
  await repeat(db, 0, stepOfDestinations(keys));
  say('alert_destinations');
  for (const table of ['invitations', 'redemptions', 'tokens'] as const) {
    await repeat(db, 0, stepOfKeys(table, keys));
    say(table);
  }
  await finishKeyChange(db.write);
  return true;
};
