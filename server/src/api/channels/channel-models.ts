import { fetchChannelModels } from '@weir/contract/channels';
import { defaultGroup } from '@weir/contract/groups';
import { role } from '@weir/contract/roles';
import { createFactsReader } from '../../billing/price/book/model-facts.ts';
import type { Prices } from '../../billing/price/prices.ts';
import { AppError } from '../../errors.ts';
import { type Call, route, type Routes } from '../../http/route.ts';
import { openChannelConfig, storedChannelConfig } from '../../store/channels/channel-config.ts';
import { type ChannelRow, findChannel, openChannelKey } from '../../store/channels/channels.ts';
import { copyFacts } from '../model-facts.ts';
import { type ChannelFields, readChannel, readKeys } from './channel-input.ts';
import { compareModels } from './compare-models.ts';
import { movesKey } from './moves-key.ts';
import { needsAddress } from './needs-address.ts';
import { retiringModelRoutes, type RetiringModelsDeps } from './retiring-models.ts';

interface ChannelDescription {
  readonly type: number;
  readonly key: string;
  readonly baseUrl: string;
  readonly other: string;
  readonly config: string;
}

type ModelsListed =
  | { readonly kind: 'models'; readonly names: readonly string[]; readonly complete: boolean }
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'refused' | 'failed'; readonly reason: string };

export interface ChannelModelsDeps extends RetiringModelsDeps {
  /** What the provider of a channel lists. */
  listModels(channel: ChannelDescription): Promise<ModelsListed>;
  readonly prices: Pick<Prices, 'current' | 'known'>;
}

const failureOf = (listed: Exclude<ModelsListed, { readonly kind: 'models' }>): AppError => {
  if (listed.kind === 'unlisted') return new AppError('models_unlisted');
  return new AppError(listed.kind === 'refused' ? 'models_key_refused' : 'models_failed', { reason: listed.reason });
};

export const channelModelRoutes = (routes: Routes, deps: ChannelModelsDeps): void => {
  const { listModels, prices } = deps;
  const { db, secrets } = routes.deps;
  const facts = createFactsReader(prices);
  retiringModelRoutes(routes, deps);

  /** The entered key, else the stored one: administrators below root send that to no other server. */
  const keyOf = (
    { body, actor }: Call<typeof fetchChannelModels>,
    row: ChannelRow | undefined,
    fields: Required<Pick<ChannelFields, 'type' | 'base_url' | 'config'>>,
  ): string => {
    const [entered] = readKeys(body.key, '');
    if (entered !== undefined) return entered;
    if (row === undefined) throw new AppError('channel_incomplete');
    if (movesKey(secrets, row, fields) && actor.user.role < role.root) throw new AppError('channel_key_required');
    return openChannelKey(secrets, row);
  };

  route(routes, fetchChannelModels, async (call) => {
    const { id, type, ...entered } = call.body;
    const row = id === undefined ? undefined : await findChannel(db.read, id);
    const { base_url = '', other = '', models: offered = '', model_mapping = '', ...rest } = readChannel(entered);
    const config = storedChannelConfig(secrets, rest.config ?? '', row?.config ?? '');
    const key = keyOf(call, row, { type, base_url, config });
    const described = { type, key, baseUrl: base_url, other, config: openChannelConfig(secrets, config) };
    if (base_url === '' && needsAddress(type)) throw new AppError('channel_address_required');
    const listed = await listModels(described);
    if (listed.kind !== 'models') throw failureOf(listed);
    const table = prices.current();
    const question = { channelType: type, channelId: id ?? 0, group: defaultGroup };
    const models = compareModels({ listed: listed.names, offered, mapping: model_mapping }).map((model) => ({
      ...model,
      price: table.price({ ...question, model: model.sent }).origin.source,
      ...copyFacts(facts.of(type, model.sent)),
    }));
    return { data: { complete: listed.complete, models } };
  });
};
