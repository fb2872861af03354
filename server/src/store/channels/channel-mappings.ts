import type { Database } from '../database.ts';

/** What tells how a channel's calls were priced, also after it was deleted. */
export interface ChannelMapping {
  readonly id: number;
  readonly type: number;
  /** JSON object text, or empty. */
  readonly modelMapping: string;
}

/** All channels that ever were. */
export const listChannelMappings = async ({ read }: Pick<Database, 'read'>): Promise<ChannelMapping[]> => {
  const rows = await read.selectFrom('channels').select(['id', 'type', 'model_mapping']).execute();
  return rows.map(({ id, type, model_mapping: modelMapping }) => ({ id, type, modelMapping }));
};
