import { isObject, objectsAt, parseJson, textAt } from '../../conversation/json.ts';
import { anthropicFailure } from '../anthropic/anthropic-failure.ts';
import { parseBaseUrl } from '../base-url.ts';
import { passedMessages } from '../anthropic/anthropic-native.ts';
import { acceptedBetas, vertexBetas } from '../anthropic/cloud-betas.ts';
import { cloudClaude, isPassable } from '../anthropic/cloud-claude.ts';
import type { GeminiMethod } from './gemini-embedder.ts';
import { geminiFailure } from './gemini-failure.ts';
import { geminiNative } from './gemini-native.ts';
import { geminiRequest, geminiCodecOf } from './gemini.ts';
import { listRequest, withCursor } from '../model-list.ts';
import type {
  ChannelFault,
  Codec,
  ListPage,
  ModelListing,
  Prerequisites,
  Provider,
  ProviderChannel,
  ProviderCall,
  Translation,
} from '../provider.ts';
import { exchangeOf, readServiceAccount, type ServiceAccount } from './service-account.ts';
import { unlessUnsupported } from '../unsupported-part.ts';
import { usableChannel } from '../usable-channel.ts';

interface VertexLocation {
  readonly kind: 'location';
  readonly account: ServiceAccount;
  readonly region: string;
  readonly project: string;
}

/**
 * `Region|ProjectId|JSON`, or the JSON alone: the region is then the channel's `other` text. A key without JSON leaves the
 * account to the channel's config, where One API has it.
 */
const locationOf = (channel: ProviderChannel): VertexLocation | ChannelFault => {
  const { key: own, other, setting = () => '' } = channel;
  const key = own.includes('{') ? own : `|${setting('vertex_ai_project_id')}|${setting('vertex_ai_adc')}`;
  const start = key.indexOf('{');
  const account = readServiceAccount(start < 0 ? '' : key.slice(start));
  if (account.kind === 'fault') return account;
  const [first = '', second = ''] = key
    .slice(0, start)
    .split('|')
    .map((part) => part.trim());
  const region = other.trim() || first || setting('region').trim();
  const project = second === '' ? account.projectId : second;
  if (!/^[a-z0-9-]+$/.test(region) || !/^[\w.:-]+$/.test(project))
    return { kind: 'fault', message: 'the key of this channel must be Region|ProjectId|JSON' };
  return { kind: 'location', account, region, project };
};

const hostOf = (region: string): string =>
  `https://${region === 'global' ? '' : `${region}-`}aiplatform.googleapis.com`;

const betaHeader = (call: ProviderCall): readonly string[] => {
  const betas = acceptedBetas(call.headers['anthropic-beta'], vertexBetas);
  return betas.length === 0 ? [] : ['anthropic-beta', betas.join(',')];
};

/** A request of a method of a model, with the access token of the service account. */
const askModel =
  (publisher: 'google' | 'anthropic'): GeminiMethod =>
  (call, channel, method, body) => {
    const location = locationOf(channel);
    if (location.kind === 'fault') return location;
    const { region, project } = location;
    const { other } = channel;
    const usable = usableChannel({ base: channel.base ?? parseBaseUrl(hostOf(region)), key: call.credential, other });
    if (usable.kind === 'fault') return usable;
    const { origin, path, versioned } = usable.base;
    // Model versions follow an `@`, which a path may contain unescaped.
    const model = encodeURIComponent(call.model).replaceAll('%40', '@');
    const resource = `projects/${project}/locations/${region}/publishers/${publisher}/models/${model}`;
    return {
      origin,
      path: `${path}${versioned ? '' : '/v1'}/${resource}:${method}`,
      method: 'POST',
      headers: ['content-type', 'application/json', 'authorization', `Bearer ${usable.key}`, ...betaHeader(call)],
      body,
    };
  };

const isClaude = ({ model }: ProviderCall): boolean => model.startsWith('claude');

const claudeMethod = askModel('anthropic');
const askClaude = (call: ProviderCall, channel: ProviderChannel, body: Buffer) =>
  claudeMethod(call, channel, call.stream ? 'streamRawPredict' : 'rawPredict', body);
const askGemini = geminiRequest(askModel('google'));
const gemini = geminiCodecOf(askGemini);

/** The path carries the model. */
const claude = cloudClaude({ version: 'vertex-2023-10-16', unlisted: ['model'] });

const credential: Prerequisites['credential'] = (channel) => {
  const location = locationOf(channel);
  return location.kind === 'fault' ? location : exchangeOf(location.account);
};

/** Each model family has its own error format; a rejected token may have expired. */
const failure: Codec['failure'] = (status, body) => {
  const parsed = parseJson(body.toString('utf8', 0, 16_384));
  const read = isObject(parsed) && parsed['type'] === 'error' ? anthropicFailure : geminiFailure;
  const judged = read(status, body);
  return status === 401 ? { ...judged, staleCredential: true } : judged;
};

const codec: Codec = {
  prerequisites: { ...gemini.prerequisites, credential },
  request: (conversation, call, channel) => {
    if (!isClaude(call)) return gemini.request(conversation, call, channel);
    return unlessUnsupported(() =>
      askClaude(call, channel, Buffer.from(JSON.stringify(claude.body(conversation, call)))),
    );
  },
  answer: (body, call) => (isClaude(call) ? claude.answer(body, call) : gemini.answer(body, call)),
  events: (call) => (isClaude(call) ? claude.events(call) : gemini.events(call)),
  failure,
};

const native = geminiNative(askGemini);
const ofGemini = (translation: Translation): Translation => ({
  ...translation,
  only: (call) => !isClaude(call),
  prerequisites: { credential },
  failure,
});

const messages: Translation = {
  ...passedMessages,
  only: (call) => isClaude(call) && isPassable(call),
  prerequisites: { credential },
  request: (call, channel) => askClaude(call, channel, claude.passed(call)),
  failure,
};

const listedMax = 200;
/** The lists that one is made of, one after the other, with the models of each that the relay can call. */
const publishers = [
  ['google', /^gemini-/],
  ['anthropic', /^claude-/],
] as const;

/** A cursor is the place of a publisher and a page's token. */
const placeOf = ({ cursor }: ListPage): { readonly index: number; readonly token: string } => {
  const [index = '0', ...token] = cursor.split(':');
  return { index: Number(index), token: token.join(':') };
};

/** `publishers.models.list` of the Model Garden. Source: Vertex AI REST reference. */
const models: ModelListing = {
  credential,
  request: (channel, page) => {
    const location = locationOf(channel);
    if (location.kind === 'fault') return location;
    const { index, token } = placeOf(page);
    const base = channel.base ?? parseBaseUrl(hostOf(location.region));
    const usable = usableChannel({ base, key: page.credential, other: channel.other });
    if (usable.kind === 'fault') return usable;
    const root = usable.base.path.replace(/\/v\d+(?:beta\d+)?$/, '');
    const path = `${root}/v1beta1/publishers/${publishers[index]?.[0] ?? ''}/models?pageSize=${listedMax}`;
    return listRequest(usable.base, withCursor(path, 'pageToken', { cursor: token }), [
      'authorization',
      `Bearer ${usable.key}`,
      'x-goog-user-project',
      location.project,
    ]);
  },
  read: (body, page) => {
    const { index } = placeOf(page);
    if (!isObject(body)) return null;
    // A publisher without models has no list at all.
    const names = objectsAt(body, 'publisherModels').map((model) => textAt(model, 'name').replace(/^.*\//, ''));
    const token = textAt(body, 'nextPageToken');
    const after = index + 1 < publishers.length ? `${index + 1}:` : '';
    return {
      names: names.filter((name) => publishers[index]?.[1].test(name) === true),
      next: token === '' ? after : `${index}:${token}`,
    };
  },
};

/** Gemini and Claude on Google Cloud. Source: Vertex AI REST reference, and its guide to partner models. */
export const vertex: Provider = {
  native: {
    gemini: ofGemini(native.gemini),
    'gemini-list': ofGemini(native['gemini-list']),
    'anthropic-messages': messages,
  },
  codec,
  models,
};
