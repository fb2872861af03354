import { withFormatWords } from '../../conversation/format-words.ts';
import { isObject, type Json, objectAt, parseJson, textAt } from '../../conversation/json.ts';
import { awsEncoded } from './aws-signature.ts';
import { accountOf, authorization, contentType, hostOf } from './bedrock-account.ts';
import { bedrockList } from './bedrock-list.ts';
import { parseBaseUrl } from '../base-url.ts';
import { bedrockModel } from './bedrock-models.ts';
import { passedMessages } from '../anthropic/anthropic-native.ts';
import { acceptedBetas, bedrockBetas } from '../anthropic/cloud-betas.ts';
import { cloudClaude, isPassable } from '../anthropic/cloud-claude.ts';
import { ConverseEvents, converseAnswer } from './converse-answer.ts';
import { converseBody } from './converse-request.ts';
import { readFailure } from '../failure.ts';
import { jsonEvents } from '../json-events.ts';
import type {
  ChannelFault,
  Codec,
  EventReader,
  Provider,
  ProviderChannel,
  Refusal,
  ProviderCall,
  RelayFailure,
  StreamTranslator,
  Translation,
  UpstreamRequest,
} from '../provider.ts';
import { unlessUnsupported } from '../unsupported-part.ts';
import { usableChannel } from '../usable-channel.ts';

/** Claude's Messages API has more features than `Converse`, which all models share. */
const isClaude = (model: string): boolean => /anthropic\.claude|^claude-/.test(model);

/** The path carries the model and the stream flag; the vendor rejects unknown members. */
const claude = cloudClaude({
  version: 'bedrock-2023-05-31',
  unlisted: ['model', 'stream', 'metadata', 'service_tier'],
  betas: ({ headers }) => acceptedBetas(headers['anthropic-beta'], bedrockBetas),
});

const methods = {
  claude: { whole: 'invoke', stream: 'invoke-with-response-stream' },
  other: { whole: 'converse', stream: 'converse-stream' },
} as const;

/** The request with a body that is built for the model's id. */
const askModel = (
  call: ProviderCall,
  channel: ProviderChannel,
  bodyFor: (model: string) => Buffer,
): UpstreamRequest | ChannelFault | Refusal => {
  const account = accountOf(channel);
  if (account.kind === 'fault') return account;
  const { key, other } = channel;
  const usable = usableChannel({ base: channel.base ?? parseBaseUrl(hostOf(account, 'bedrock-runtime')), key, other });
  if (usable.kind === 'fault') return usable;
  const model = bedrockModel(call.model, account.region);
  if (/^\.{0,2}$/.test(model)) return { kind: 'fault', message: 'the model name is invalid' };
  const method = methods[isClaude(model) ? 'claude' : 'other'][call.stream ? 'stream' : 'whole'];
  const { origin } = usable.base;
  const path = `${usable.base.path}/model/${awsEncoded(model)}/${method}`;
  return unlessUnsupported(() => {
    const body = bodyFor(model);
    const { host } = new URL(origin);
    const credentials = authorization(account, { method: 'POST', host, path, body, now: call.now });
    return { origin, path, method: 'POST', headers: ['content-type', contentType, ...credentials], body };
  });
};

const request: Codec['request'] = (conversation, call, channel) =>
  askModel(call, channel, (model) =>
    Buffer.from(
      JSON.stringify(isClaude(model) ? claude.body(conversation, call) : converseBody(withFormatWords(conversation))),
    ),
  );

/** The HTTP status of failures inside a stream. Source: Bedrock runtime API reference, `ResponseStream`. */
const statusOf = new Map([
  ['validationException', 400],
  ['throttlingException', 429],
  ['modelTimeoutException', 504],
  ['modelStreamErrorException', 502],
  ['serviceUnavailableException', 503],
]);

const failureIn = (event: Json): RelayFailure | null => {
  const [name = ''] = Object.keys(event);
  if (name !== 'error' && !name.endsWith('Exception')) return null;
  return readFailure(statusOf.get(name) ?? 500, JSON.stringify(objectAt(event, name)));
};

/** Events of Claude are wrapped: each one contains the bytes of an event of the Messages API. */
const wrapped = (event: Json): string => Buffer.from(textAt(objectAt(event, 'chunk'), 'bytes'), 'base64').toString();

const claudeEvents = (call: ProviderCall): EventReader => {
  const inner = claude.events(call);
  return jsonEvents({
    failureIn,
    read: (event) => {
      const data = wrapped(event);
      return data === '' ? { events: [] } : inner.event(data, Buffer.alloc(0));
    },
    finished: () => inner.finished(),
  });
};

/** The same events for a client of the Messages API, framed as it reads them. */
const passedStream = (call: ProviderCall): StreamTranslator => {
  const inner = passedMessages.stream(call);
  return {
    ...inner,
    contentType: 'text/event-stream',
    event: (text) => {
      const event = parseJson(text ?? '');
      const failure = isObject(event) ? failureIn(event) : null;
      if (failure !== null) return { forward: 'none', output: '', failure };
      const data = isObject(event) ? wrapped(event) : '';
      if (data === '') return { forward: 'none', output: '', opening: true };
      const parsed = parseJson(data);
      const framed = Buffer.from(`event: ${isObject(parsed) ? textAt(parsed, 'type') : ''}\ndata: ${data}\n\n`);
      const step = inner.event(data, framed);
      return step.forward === 'same' ? { ...step, forward: framed } : step;
    },
  };
};

const httpStatus = new Map([
  [408, 504],
  [424, 502],
]);

const tooLong =
  /^(?:input is too long|prompt is too long|the model returned the following errors: (?:input|prompt) is too long)/i;

/** Some parts of AWS write `Message`. */
const failure: Codec['failure'] = (status, body) => {
  const text = body.toString('utf8', 0, 16_384);
  const parsed = parseJson(text);
  const message = isObject(parsed) ? textAt(parsed, 'Message') : '';
  const reported = message === '' && isObject(parsed) ? textAt(parsed, 'message') : message;
  const code = status === 400 && tooLong.test(reported) ? { code: 'context_length_exceeded' } : {};
  const error = reported === '' ? text : JSON.stringify({ error: { message: reported, ...code } });
  return readFailure(httpStatus.get(status) ?? status, error);
};

const codec: Codec = {
  framing: 'aws',
  prerequisites: { byValue: () => true },
  request,
  answer: (body, call) => (isClaude(call.model) ? claude.answer(body, call) : converseAnswer(body)),
  events: (call) => (isClaude(call.model) ? claudeEvents(call) : jsonEvents(new ConverseEvents(failureIn))),
  failure,
};

const messages: Translation = {
  ...passedMessages,
  only: (call) => isClaude(call.model) && isPassable(call),
  framing: 'aws',
  request: (call, channel) => askModel(call, channel, () => claude.passed(call)),
  stream: passedStream,
  failure,
};

/** Models on AWS. Source: Amazon Bedrock runtime API reference, `InvokeModel` for Claude and `Converse` for all others. */
export const bedrock: Provider = { native: { 'anthropic-messages': messages }, codec, models: bedrockList };
