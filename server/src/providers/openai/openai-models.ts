import { isObject, textAt } from '../../conversation/json.ts';
import { joinPath } from '../base-url.ts';
import { lastPage, listedAt, listRequest, namesIn } from '../model-list.ts';
import type { BaseUrl, ChannelFault, ListPage, ModelListing, ProviderChannel } from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

/** Where a vendor's list differs from OpenAI's. */
export interface OpenAiList {
  /** Path and query on the channel's host; absent: `/models` below OpenAI's version. */
  readonly path?: (channel: ProviderChannel & { readonly base: BaseUrl }) => string | ChannelFault;
  /** The base URL to use; absent: the channel's. */
  readonly address?: (base: BaseUrl | null) => BaseUrl | null;
  /** Absent: the key as a bearer token. */
  readonly headers?: (page: ListPage, channel: ProviderChannel) => readonly string[];
}

/** The list's path below a version of the vendor's own. */
export const modelsBelow =
  (version: string): NonNullable<OpenAiList['path']> =>
  ({ base }) =>
    joinPath(base, version, '/models');

/** The list of a base URL that ends with a path of its own. */
export const modelsAtAddress: NonNullable<OpenAiList['path']> = ({ base }) => `${base.path}/models`;

/** OpenAI's list, which is not paged; some servers send the bare array, some name models by `name`. */
const read: ModelListing['read'] = (body) => {
  const models = Array.isArray(body) ? body.filter(isObject) : listedAt(body, 'data');
  if (models !== null) return lastPage(models.map((model) => textAt(model, 'id') || textAt(model, 'name')));
  const named = listedAt(body, 'models');
  return named === null ? null : lastPage(namesIn(named, 'name'));
};

/** `GET /v1/models` of OpenAI and servers of its format. */
export const openAiModels = ({ path, address, headers }: OpenAiList): ModelListing => ({
  request: (channel, page) => {
    const usable = usableChannel(address === undefined ? channel : { ...channel, base: address(channel.base) });
    if (usable.kind === 'fault') return usable;
    const to = (path ?? modelsBelow('/v1'))(usable);
    if (typeof to !== 'string') return to;
    return listRequest(usable.base, to, headers?.(page, usable) ?? ['authorization', `Bearer ${usable.key}`]);
  },
  read,
});
