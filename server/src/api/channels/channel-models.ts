import { fetchChannelModels } from '@weir/contract/channels';
import { role } from '@weir/contract/roles';
import { AppError } from '../../errors.ts';
import { type Call, route, type Routes } from '../../http/route.ts';
import { createModelsQuery } from '../../integrations/channel-models.ts';
import type { Outbound } from '../../integrations/outbound.ts';
import { findChannel, openChannelKey } from '../../store/channels/channels.ts';

export const channelModelRoutes = (routes: Routes, { outbound }: { readonly outbound: Outbound }): void => {
  const { db, secrets } = routes.deps;
  const listModels = createModelsQuery(outbound);

  /** The entered key, else the stored one: administrators below root send that to no other server. */
  const keyOf = async ({ body, actor }: Call<typeof fetchChannelModels>): Promise<string> => {
    const [entered = ''] = body.key.trim().split('\n');
    if (entered !== '') return entered.trim();
    const row = body.id === undefined ? undefined : await findChannel(db.read, body.id);
    if (row === undefined) throw new AppError('channel_incomplete');
    const moves = row.type !== body.type || row.base_url !== body.base_url;
    if (moves && actor.user.role < role.root) throw new AppError('channel_key_required');
    return openChannelKey(secrets, row);
  };

  route(routes, fetchChannelModels, async (call) => {
    const { type, base_url: baseUrl } = call.body;
    return { data: await listModels({ type, baseUrl, key: await keyOf(call) }) };
  });
};
