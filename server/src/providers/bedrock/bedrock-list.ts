import { isObject, type Json, textAt } from '../../conversation/json.ts';
import { parseBaseUrl } from '../base-url.ts';
import { listedAt } from '../model-list.ts';
import type { ListPage, ModelListing, ModelPage } from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';
import { awsEncoded } from './aws-signature.ts';
import { accountOf, authorization, contentType, hostOf } from './bedrock-account.ts';
import { bedrockModel } from './bedrock-models.ts';

/** Beside a channel's base URL on AWS the lists have a host of their own; any other server has both. */
const listOrigin = (origin: string): string =>
  origin.replace(/^(https:\/\/)bedrock-runtime(?=[.-].*\.amazonaws\.com(?:\.cn)?$)/, '$1bedrock');

/** The plain name of a Claude where the channel's region makes this id of it. */
const nameOf = (id: string, region: string): string => {
  const plain = /^(?:[a-z-]+\.)?anthropic\.(claude-[\w-]*?)(?:-v\d+(?::\d+)?)?$/.exec(id)?.[1] ?? '';
  return plain !== '' && bedrockModel(plain, region) === id ? plain : id;
};

/** Models that write text and are called by their id. */
const isCallable = ({ inferenceTypesSupported: types, outputModalities: outputs }: Json): boolean =>
  Array.isArray(types) && types.includes('ON_DEMAND') && Array.isArray(outputs) && outputs.includes('TEXT');

/** Profiles do not state what their models write. */
const writesNoText = /stability\.|embed|rerank|marengo|canvas|reel|sonic/;

const profileCursor = 'profiles:';

const readModels = (body: unknown): ModelPage | null => {
  const models = listedAt(body, 'modelSummaries');
  return models === null
    ? null
    : { names: models.filter(isCallable).map((model) => textAt(model, 'modelId')), next: profileCursor };
};

const readProfiles = (body: unknown): ModelPage | null => {
  const profiles = listedAt(body, 'inferenceProfileSummaries');
  if (profiles === null || !isObject(body)) return null;
  const token = textAt(body, 'nextToken');
  const active = profiles.filter(({ status }) => status === 'ACTIVE').map((one) => textAt(one, 'inferenceProfileId'));
  return { names: active.filter((id) => !writesNoText.test(id)), next: token === '' ? '' : profileCursor + token };
};

const listAt = ({ cursor }: ListPage): { readonly path: string; readonly query: string } => {
  if (cursor === '') return { path: '/foundation-models', query: '' };
  const token = cursor.slice(profileCursor.length);
  const next = token === '' ? '' : `&nextToken=${awsEncoded(token)}`;
  return { path: '/inference-profiles', query: `maxResults=1000${next}&type=SYSTEM_DEFINED` };
};

/** Foundation models, then inference profiles. Source: Bedrock API reference, `ListFoundationModels`, `ListInferenceProfiles`. */
export const bedrockList: ModelListing = {
  request: (channel, page) => {
    const account = accountOf(channel);
    if (account.kind === 'fault') return account;
    const { key, other } = channel;
    const usable = usableChannel({ base: channel.base ?? parseBaseUrl(hostOf(account, 'bedrock')), key, other });
    if (usable.kind === 'fault') return usable;
    const origin = listOrigin(usable.base.origin);
    const { path: list, query } = listAt(page);
    const path = usable.base.path + list;
    const body = Buffer.alloc(0);
    const { host } = new URL(origin);
    const credentials = authorization(account, { method: 'GET', host, path, query, body, now: page.now });
    return {
      origin,
      path: query === '' ? path : `${path}?${query}`,
      method: 'GET',
      headers: ['content-type', contentType, ...credentials],
      body,
    };
  },
  read: (body, { cursor }, channel) => {
    const account = accountOf(channel);
    const page = cursor === '' ? readModels(body) : readProfiles(body);
    if (page === null || account.kind === 'fault') return page;
    return { ...page, names: page.names.map((id) => nameOf(id, account.region)) };
  },
};
