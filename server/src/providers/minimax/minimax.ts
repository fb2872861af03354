import { vectorsOf } from '../../conversation/embeddings.ts';
import { codeAt, type Json, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { joinPath } from '../base-url.ts';
import { embedded, promptOnly } from '../embedded.ts';
import { codesThatMean, failureByCode, type FailureCodes } from '../failure-by-code.ts';
import { jsonBody } from '../json-events.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import { openAiFailure, openAiRequest, type OpenAiTraits } from '../openai/openai-request.ts';
import type { ChannelFault, Embedder, Provider, ProviderChannel, ProviderCall, RelayFailure } from '../provider.ts';

const legacyModel = /^(?:abab|MiniMax-Text-01)/;

/** Old models on the old host have their own path. */
const path = (call: ProviderCall, { base }: ProviderChannel): string | ChannelFault => {
  if (base === null) return { kind: 'fault', message: 'the channel has an invalid base URL' };
  const legacy = base.origin.endsWith('.minimax.chat') && legacyModel.test(call.model);
  const task = legacy ? '/text/chatcompletion_v2' : call.path.slice('/v1'.length);
  return joinPath(base, '/v1', task) + call.query;
};

const codes: FailureCodes = new Map([
  ...codesThatMean([1001], 504, 'upstream_timeout'),
  ...codesThatMean([1002, 1039, 1041, 2056], 429, 'rate_limit_exceeded'),
  ...codesThatMean([1004, 2049], 401, 'invalid_api_key'),
  ...codesThatMean([1008], 402),
  ...codesThatMean([1026, 1027], 400, 'content_filter'),
  ...codesThatMean([1042, 2013, 20_132], 400),
]);

/** `base_resp.status_code` other than 0 with a success status and no choices. */
export const miniMaxFailure = (body: Json): RelayFailure | null => {
  const response = objectAt(body, 'base_resp');
  const code = codeAt(response, 'status_code');
  if (code === '' || code === '0' || objectsAt(body, 'choices').length > 0) return null;
  return failureByCode(codes, { code, message: textAt(response, 'status_msg'), status: 502 });
};

/** The oldest models take tool schemas as strings; later ones separate their thinking only when `reasoning_split` is set. */
const rewrite = (body: Json, model: string): Json => {
  if (!model.startsWith('abab')) return model.startsWith('MiniMax-M') ? { ...body, reasoning_split: true } : body;
  const tools = objectsAt(body, 'tools').map((tool) => {
    const called = objectAt(tool, 'function');
    return { ...tool, function: { ...called, parameters: JSON.stringify(called['parameters']) } };
  });
  return tools.length === 0 ? body : { ...body, tools };
};

const traits: OpenAiTraits = {
  chatOnly: true,
  path,
  failureIn: miniMaxFailure,
  limitMember: 'max_completion_tokens',
  bounds: (model) => ({
    temperature: [0.01, 1],
    topP: [0.01, 1],
    seed: null,
    user: null,
    toolChoices: ['none'],
    ...(model !== 'MiniMax-Text-01' && { format: 'text' }),
  }),
  rewrite,
  native: (body, { model }) => (model.startsWith('abab') ? rewrite(body, model) : body),
};

const textsMax = 512;

/** Embeddings in the vendor's own format at OpenAI's path. Source: MiniMax, embeddings API reference. */
const embedder: Embedder = {
  textsMax: () => textsMax,
  request: ({ texts }, call, channel) => {
    const embeddings = { ...call, path: '/v1/embeddings', query: '', contentType: '', accept: '' };
    const body = { model: call.model, texts, type: 'db' };
    return openAiRequest(embeddings, channel, traits, () => Buffer.from(JSON.stringify(body)));
  },
  answer: (body) => {
    const read = jsonBody(body, miniMaxFailure);
    if (read.kind === 'refusal') return read;
    return embedded(vectorsOf(read.members['vectors']), promptOnly(read.members['total_tokens']));
  },
  failure: (status, body) => openAiFailure(status, body, traits),
};

/** MiniMax. Source: platform.minimaxi.com, chat completions. */
export const miniMax: Provider = { ...openAiCompatible(traits), embedder };
