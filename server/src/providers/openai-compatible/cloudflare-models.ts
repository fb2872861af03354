import { objectAt, textAt } from '../../conversation/json.ts';
import { listedAt, listRequest } from '../model-list.ts';
import type { ModelListing } from '../provider.ts';
import { modelsBelow, type OpenAiList } from '../openai/openai-models.ts';
import { usableChannel } from '../usable-channel.ts';
import { gatewayOrigin } from './cloudflare.ts';

/** OpenAI's list, without its version on Cloudflare's AI gateway, whose base URLs begin with `/v1` and the account. */
export const cloudflareModels: NonNullable<OpenAiList['path']> = (channel) =>
  channel.base.origin === gatewayOrigin ? `${channel.base.path}/models` : modelsBelow('/v1')(channel);

/** What Workers AI's compatible API serves. */
const tasks: ReadonlySet<string> = new Set(['Text Generation', 'Text Embeddings']);
const pageSize = 100;

/** The search of models, which is numbered by pages. Source: Cloudflare API, "Model Search". */
export const workersAiModels: ModelListing = {
  request: (channel, { cursor }) => {
    const usable = usableChannel(channel);
    if (usable.kind === 'fault') return usable;
    const { base, key, other } = usable;
    if (/\/workers-ai(?:\/v1)?$/.test(base.path))
      return { kind: 'fault', message: 'the AI gateway has no list of models' };
    const own = /\/ai(?:\/v1)?$/.test(base.path);
    if (!own && !/^[\w-]+$/.test(other)) return { kind: 'fault', message: 'the channel has no Cloudflare account ID' };
    const root = own ? base.path.replace(/\/v1$/, '') : `${base.path}/client/v4/accounts/${other}/ai`;
    const page = `${root}/models/search?per_page=${pageSize}&page=${cursor === '' ? 1 : cursor}`;
    return listRequest(base, page, ['authorization', `Bearer ${key}`]);
  },
  read: (body, { cursor }) => {
    const models = listedAt(body, 'result');
    if (models === null) return null;
    const served = models.filter((model) => tasks.has(textAt(objectAt(model, 'task'), 'name')));
    const page = cursor === '' ? 1 : Number(cursor);
    return {
      names: served.map((model) => textAt(model, 'name')),
      next: models.length < pageSize ? '' : String(page + 1),
    };
  },
};
