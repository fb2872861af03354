import { isObject, type Json, parseJson, textAt } from '../../conversation/json.ts';
import { badBody, readFailure } from '../failure.ts';
import { lastPage, listedAt, listRequest } from '../model-list.ts';
import type {
  BaseUrl,
  ChannelFault,
  FollowUp,
  ModelListing,
  ProviderChannel,
  Refusal,
  ProviderCall,
  RelayFailure,
  UpstreamRequest,
} from '../provider.ts';
import { usableChannel } from '../usable-channel.ts';

/** The path below `/v1`, whatever part of it the channel's base URL already contains. */
const rootOf = ({ path }: BaseUrl): string => {
  const root = path.replace(/\/models$/, '');
  return /\/v\d+$/.test(root) ? root : `${root}/v1`;
};

const authorization = (key: string) => ['authorization', `Bearer ${key}`] as const;

/** A prediction request. Official models are called by name, others by the version id after a colon. */
export const createPrediction = (
  { model, stream }: Pick<ProviderCall, 'model' | 'stream'>,
  channel: ProviderChannel,
  input: Json,
): UpstreamRequest | ChannelFault => {
  const usable = usableChannel(channel);
  if (usable.kind === 'fault') return usable;
  const [, name = '', version] = /^([\w.-]+\/[\w.-]+)(?::(\w+))?$/.exec(model) ?? [];
  if (name === '') return { kind: 'fault', message: 'a model of this channel must be written as owner/name' };
  const { base, key } = usable;
  return {
    origin: base.origin,
    path: rootOf(base) + (version === undefined ? `/models/${name}/predictions` : '/predictions'),
    method: 'POST',
    // A prediction that is complete within this time is returned directly.
    headers: ['content-type', 'application/json', ...(stream ? [] : ['prefer', 'wait=60']), ...authorization(key)],
    body: Buffer.from(
      JSON.stringify({ ...(version !== undefined && { version }), input, ...(stream && { stream: true }) }),
    ),
  };
};

/** The failure that a prediction reports; null: none. */
export const predictionFailure = (prediction: Json): RelayFailure | null => {
  const status = textAt(prediction, 'status');
  if (status !== 'failed' && status !== 'canceled' && status !== 'aborted') return null;
  const reported = textAt(prediction, 'error');
  return readFailure(
    502,
    JSON.stringify({ error: { message: reported === '' ? `the prediction was ${status}` : reported } }),
  );
};

/** The URL of a prediction's events, if its host is the vendor's: the channel's key is sent to no other host. */
const streamUrl = (prediction: Json, base: BaseUrl): URL | null => {
  const { urls } = prediction;
  const url = isObject(urls) ? URL.parse(textAt(urls, 'stream')) : null;
  if (url === null) return null;
  const isVendor = url.protocol === 'https:' && url.hostname.endsWith('.replicate.com');
  return isVendor || url.origin === base.origin ? url : null;
};

/**
 * The collection of official models, which are called by name; the list of all has thousands of others. Source: replicate.com,
 * HTTP API reference, "Get a collection of models".
 */
export const replicateModels: ModelListing = {
  request: (channel) => {
    const usable = usableChannel(channel);
    if (usable.kind === 'fault') return usable;
    return listRequest(usable.base, `${rootOf(usable.base)}/collections/official`, authorization(usable.key));
  },
  read: (body) => {
    const listed = listedAt(body, 'models');
    return listed === null
      ? null
      : lastPage(listed.map((model) => `${textAt(model, 'owner')}/${textAt(model, 'name')}`));
  },
};

const pollMs = 1000;

/** Polls a whole prediction until it is complete; reads a stream at the URL in the prediction. */
export const followPrediction = (body: Buffer, call: ProviderCall, channel: ProviderChannel): FollowUp | null => {
  const prediction = parseJson(body.toString());
  const usable = usableChannel(channel);
  if (!isObject(prediction) || usable.kind === 'fault' || predictionFailure(prediction) !== null) return null;
  const { base, key } = usable;
  const url = call.stream ? streamUrl(prediction, base) : null;
  if (url !== null) {
    const headers = ['accept', 'text/event-stream', 'cache-control', 'no-store', ...authorization(key)];
    const path = url.pathname + url.search;
    return { afterMs: 0, request: { origin: url.origin, path, method: 'GET', headers, body: Buffer.alloc(0) } };
  }
  const id = textAt(prediction, 'id');
  if (textAt(prediction, 'status') === 'succeeded' || !/^\w+$/.test(id)) return null;
  const path = `${rootOf(base)}/predictions/${id}`;
  const headers = authorization(key);
  return { afterMs: pollMs, request: { origin: base.origin, path, method: 'GET', headers, body: Buffer.alloc(0) } };
};

/** Reads a whole body as a prediction that succeeded. */
export const readPrediction = (body: Buffer): { readonly kind: 'prediction'; readonly members: Json } | Refusal => {
  const parsed = parseJson(body.toString());
  const failure = !isObject(parsed) ? badBody('the upstream response is not a JSON object') : predictionFailure(parsed);
  if (failure !== null || !isObject(parsed))
    return { kind: 'refusal', failure: failure ?? badBody('the upstream response has no prediction') };
  if (textAt(parsed, 'status') !== 'succeeded')
    return { kind: 'refusal', failure: badBody('the upstream returned an incomplete prediction') };
  return { kind: 'prediction', members: parsed };
};

/** The output of a prediction: one text, or several. */
export const outputOf = ({ output }: Json): readonly string[] => {
  const listed: readonly unknown[] = Array.isArray(output) ? output : [output];
  return listed.filter((one) => typeof one === 'string');
};
