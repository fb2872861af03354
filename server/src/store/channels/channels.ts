import { channelStatus } from '@weir/contract/channels';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database, ReadQueries, WriteQueries } from '../database.ts';
import { anchorsByDatabase, countEntries, readPage } from '../pages.ts';
import type { ChannelsTable } from '../schema.ts';
import type { Secrets } from '../credentials/secrets.ts';
import { contains } from '../search.ts';
import { usedQuota } from './used-quota.ts';

export type ChannelRow = Selectable<ChannelsTable>;
export type NewChannel = Omit<Insertable<ChannelsTable>, 'id'>;
/** Members left out stay as they are. */
export type ChannelChange = Omit<Updateable<ChannelsTable>, 'id' | 'used' | 'created_time' | 'deleted_time'>;

const anchorsOf = anchorsByDatabase<number>();

/** With what they used on all nodes in the place of their own sum. */
const alive = (query: ReadQueries) =>
  query.selectFrom('channels').selectAll().select(usedQuota.as('used')).where('deleted_time', '=', 0);

/** All channels, newest first. `reader` is the caller, so that the pages of two callers do not mix. */
export const listChannels = (db: Database, { reader, page }: { readonly reader: number; readonly page: number }) =>
  readPage({
    anchors: anchorsOf(db),
    list: String(reader),
    page,
    keyOf: (row: ChannelRow) => row.id,
    read: (after, limit) => {
      const newest = alive(db.read).orderBy('id', 'desc').limit(limit);
      return (after === undefined ? newest : newest.where('id', '<', after)).execute();
    },
  });

/** The length of `listChannels`; undefined: too many to count. */
export const countChannels = ({ read }: Database): Promise<number | undefined> =>
  countEntries(read, read.selectFrom('channels').select('id').where('deleted_time', '=', 0));

/** Channels by id, by a part of the name, by the whole key (its digest), or by the key's last four characters. */
export const searchChannels = (
  db: Database,
  { keyword, keyDigest }: { readonly keyword: string; readonly keyDigest: string },
) =>
  alive(db.read)
    .where((eb) =>
      eb.or([
        ...(/^\d{1,15}$/.test(keyword) ? [eb('id', '=', Number(keyword))] : []),
        contains(eb.ref('name'), keyword),
        eb('key_digest', '=', keyDigest),
        ...(keyword.length === 4 ? [eb('key_tail', '=', keyword)] : []),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(1000)
    .execute();

export const findChannel = (query: ReadQueries, id: number): Promise<ChannelRow | undefined> =>
  alive(query).where('id', '=', id).executeTakeFirst();

/** Every channel the relay may choose from, in no order. */
export const listEnabledChannels = (db: Database): Promise<ChannelRow[]> =>
  alive(db.read).where('status', '=', channelStatus.enabled).execute();

/** The newest of those that the relay passes by. */
export const listDisabledChannels = (db: Database): Promise<ChannelRow[]> =>
  alive(db.read).where('status', '!=', channelStatus.enabled).orderBy('id', 'desc').limit(1000).execute();

export const insertChannel = async (query: WriteQueries, channel: NewChannel): Promise<number> => {
  const { id } = await query.insertInto('channels').values(channel).returning('id').executeTakeFirstOrThrow();
  return id;
};

/** Whether there was such a channel to change. Its abilities follow by `rebuildAbilities` in the same transaction. */
export const updateChannel = async (query: WriteQueries, id: number, change: ChannelChange): Promise<boolean> => {
  const { numUpdatedRows } = await query
    .updateTable('channels')
    .set({ id, ...change })
    .where('id', '=', id)
    .where('deleted_time', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** What a test found; `timeMs` is 0 if it failed, and `message` says why then. */
export interface ChannelTestNote {
  readonly id: number;
  readonly result: { readonly ok: boolean; readonly timeMs: number; readonly message: string };
  readonly at: number;
}

/** Stores what a test found. */
export const noteChannelTest = (db: Database, { id, result: { ok, timeMs, message }, at }: ChannelTestNote) =>
  db.write
    .updateTable('channels')
    .set({
      response_time: Math.round(timeMs),
      test_time: at,
      // PostgreSQL stores no NUL in a text.
      test_error: ok ? '' : message.replaceAll('\0', ''),
    })
    .where('id', '=', id)
    .where('deleted_time', '=', 0)
    .execute();

/** Stores a balance that the upstream reported. */
export const noteChannelBalance = (
  db: Database,
  {
    id,
    amount,
    currency,
    at,
  }: { readonly id: number; readonly amount: number; readonly currency: string; readonly at: number },
) =>
  db.write
    .updateTable('channels')
    .set({ balance: amount, balance_currency: currency, balance_updated_time: at })
    .where('id', '=', id)
    .where('deleted_time', '=', 0)
    .execute();

/** A change of state by the system, made only where the channel is still in one of these states. */
export interface ChannelSwitch {
  readonly id: number;
  /** The key that the verdict is about: a channel whose key was replaced meanwhile is not changed. */
  readonly keyDigest: string;
  readonly from: readonly number[];
  readonly to: number;
  readonly reason: string;
}

/** The channel after the switch; undefined: there was nothing to switch. */
export const switchChannel = (
  query: WriteQueries,
  { id, keyDigest, from, to, reason }: ChannelSwitch,
): Promise<ChannelRow | undefined> =>
  query
    .updateTable('channels')
    .set({ status: to, status_reason: reason.replaceAll('\0', '') })
    .where('id', '=', id)
    .where('deleted_time', '=', 0)
    .where('key_digest', '=', keyDigest)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst();

/** The ids of all channels, or of those in these states, in the order of their making. */
export const listChannelIds = async (query: ReadQueries, states?: readonly number[]): Promise<number[]> => {
  const ids = query.selectFrom('channels').select('id').where('deleted_time', '=', 0).orderBy('id');
  const rows = await (states === undefined ? ids : ids.where('status', 'in', states)).execute();
  return rows.map(({ id }) => id);
};

/** Turns a channel into a tombstone without its key: no query finds it, the ledger still names it. */
export const deleteChannel = async (
  query: WriteQueries,
  { id, at }: { readonly id: number; readonly at: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await query
    .updateTable('channels')
    .set({ deleted_time: at, key_sealed: '', key_digest: '', key_tail: '' })
    .where('id', '=', id)
    .where('deleted_time', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Deletes every channel in one of these states; answers their ids. */
export const deleteChannelsIn = async (
  query: WriteQueries,
  { states, at }: { readonly states: readonly number[]; readonly at: number },
): Promise<number[]> => {
  const rows = await query
    .updateTable('channels')
    .set({ deleted_time: at, key_sealed: '', key_digest: '', key_tail: '' })
    .where('status', 'in', states)
    .where('deleted_time', '=', 0)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id).toSorted((one, other) => one - other);
};

const sealedIn = (digest: string): string => `channels/key_sealed/${digest}`;

/** The three columns of a channel's key. It is sealed to its digest: in another row it does not open. */
export const channelKeyColumns = (secrets: Secrets, key: string) => {
  const digest = secrets.digest(key);
  return { key_sealed: secrets.seal(key, sealedIn(digest)), key_digest: digest, key_tail: key.slice(-4) };
};

/** The keys that a channel sends upstream, one or more. */
export const openChannelKeys = (secrets: Secrets, row: Pick<ChannelRow, 'key_sealed' | 'key_digest'>): string[] =>
  secrets.open(row.key_sealed, sealedIn(row.key_digest)).split('\n');

/** The only key of a channel, or the first of several. */
export const openChannelKey = (secrets: Secrets, row: Pick<ChannelRow, 'key_sealed' | 'key_digest'>): string =>
  openChannelKeys(secrets, row)[0] ?? '';

/** The names of channels by their number as text, deleted ones included: their records stay. */
export const findChannelNames = async (db: Database, ids: readonly number[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db.read.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [String(id), name]));
};
