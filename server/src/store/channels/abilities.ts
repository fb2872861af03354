import { channelStatus } from '@weir/contract/channels';
import { namesIn } from '@weir/contract/wire';
import type { Database, WriteQueries } from '../database.ts';
import type { ChannelRow } from './channels.ts';
import type { AbilitiesTable } from '../schema.ts';

/** Parameters of one statement stay far under the least limit of both databases. */
const rowsPerInsert = 500;

/** The columns of a channel that its abilities are made from. */
type AbleChannel = Pick<ChannelRow, 'id' | 'group' | 'models' | 'status' | 'priority' | 'weight'>;

/** The rows of a channel: one for each group and model that it serves. */
export const abilitiesOf = (channel: AbleChannel): AbilitiesTable[] =>
  namesIn(channel.group).flatMap((group) =>
    namesIn(channel.models).map((model) => ({
      group,
      model,
      channel_id: channel.id,
      enabled: channel.status === channelStatus.enabled ? 1 : 0,
      priority: channel.priority,
      weight: channel.weight,
    })),
  );

/** How many rows that are. */
export const countAbilities = ({ group, models }: Pick<AbleChannel, 'group' | 'models'>): number =>
  namesIn(group).length * namesIn(models).length;

/** Makes the rows of a channel anew. Call it where the channel is written. */
export const rebuildAbilities = async (query: WriteQueries, channel: AbleChannel): Promise<void> => {
  await query.deleteFrom('abilities').where('channel_id', '=', channel.id).execute();
  const rows = abilitiesOf(channel);
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await query
      .insertInto('abilities')
      .values(rows.slice(start, start + rowsPerInsert))
      .execute();
  }
};

export const removeAbilities = async (query: WriteQueries, channelIds: readonly number[]): Promise<void> => {
  for (let start = 0; start < channelIds.length; start += rowsPerInsert) {
    const some = channelIds.slice(start, start + rowsPerInsert);
    await query.deleteFrom('abilities').where('channel_id', 'in', some).execute();
  }
};

/** The models that enabled channels offer to a group, sorted. */
export const listGroupModels = async (db: Database, group: string): Promise<string[]> => {
  const rows = await db.read
    .selectFrom('abilities')
    .select('model')
    .distinct()
    .where('group', '=', group)
    .where('enabled', '=', 1)
    .orderBy('model')
    .execute();
  return rows.map((row) => row.model);
};
