import { everydayChatClient } from '../../../test/clients/chat-client.ts';
import { chatRequestChecks } from '../../../test/provider-suite/chat-vendor-requests.ts';
import {
  chatEvent,
  chatWhole,
  chatAnswers,
  type ChatAnswerForm,
} from '../../../test/provider-suite/chat-vendor-answers.ts';
import {
  aliCompatibleForm,
  deepSeekForm,
  groqForm,
  miniMaxForm,
  mistralForm,
  modestForm,
  moonshotForm,
  openRouterForm,
  qianfanForm,
  sparkHttpForm,
  tencentCompatibleForm,
  zhipuForm,
} from '../../../test/fakes/vendors/fake-chat-vendors.ts';
import type { UpstreamForm } from '../../../test/fakes/fake-upstream.ts';
import { messagesClient } from '../../../test/clients/messages-client.ts';
import { type FailureFixture, type ProviderCase, testProviders } from '../../../test/provider-suite/provider-suite.ts';
import { responsesClient } from '../../../test/clients/responses-client.ts';
import { type ExpectedFailure, vendorFailure, vendorFixtures } from '../../../test/provider-suite/vendor-fixtures.ts';

const failed = (status: number, body: object, expected: ExpectedFailure): FailureFixture =>
  vendorFailure({ status, body: JSON.stringify(body) }, expected);

/** `{error: {code, message}}`. */
const coded = (status: number, code: string | number, expected: ExpectedFailure, type?: string): FailureFixture =>
  failed(status, { error: { code, message: `as expected by ${code}`, ...(type !== undefined && { type }) } }, expected);

interface Vendor {
  readonly type: number;
  readonly name: string;
  readonly model: string;
  readonly form: UpstreamForm;
  readonly path?: RegExp;
  readonly source: string;
  readonly words: ChatAnswerForm;
  /** How far it takes the form of an answer, and whether it takes images. */
  readonly takes: Readonly<Parameters<typeof chatRequestChecks>>;
  readonly more: Partial<ProviderCase> & Pick<ProviderCase, 'failures'>;
}

/** The vendor's variant of chat completions, for a client of that dialect and for one of another. */
const vendorCase = ({ type, name, model, form, path, source, words, takes, more }: Vendor): ProviderCase => ({
  type,
  name,
  model,
  upstream: { form, key: 'id.secret', path: path ?? /^\/v1\/chat\/completions$/ },
  clients: [everydayChatClient, messagesClient, responsesClient],
  fixtures: vendorFixtures({ source, ...chatAnswers(words), checkRequest: chatRequestChecks(...takes) }),
  optionalEnd: words.usage === undefined ? 2 : 1,
  failureEvents: [chatEvent({ error: { code: 'odd', message: 'it fell over' } })],
  ...more,
});

/** With a success status, as a whole body or as an event. */
const silently = (body: object, expected: ExpectedFailure): FailureFixture =>
  vendorFailure({ status: 200, body: JSON.stringify(body), event: chatEvent(body) }, expected);

/** OpenAI's own ways to fail. */
const common = [
  coded(400, 'context_length_exceeded', [400, 'context_length_exceeded'], 'invalid_request_error'),
  coded(401, 'invalid_api_key', [401, 'invalid_api_key']),
  coded(404, 'model_not_found', [404, 'model_not_found'], 'invalid_request_error'),
  coded(429, 'rate_limit_exceeded', [429, 'rate_limit_exceeded']),
  coded(429, 'insufficient_quota', [429, 'insufficient_quota']),
  coded(500, 'server_error', [502, 'server_error']),
];

const zhipuFailures = [
  coded(500, '500', [502, '500']),
  ...['1000', '1001', '1002', '1003', '1004'].map((code) => coded(401, code, [401, 'invalid_api_key'])),
  ...['1110', '1111', '1120', '1220', '1311'].map((code) => coded(403, code, [403, 'permission_denied'])),
  ...['1112', '1121'].map((code) => coded(401, code, [401, 'account_deactivated'])),
  ...['1113', '1309'].map((code) => coded(429, code, [429, 'insufficient_quota'])),
  ...['1200', '1210', '1212', '1213', '1214', '1215', '1231'].map((code) => coded(400, code, [400, code])),
  ...['1211', '1222'].map((code) => coded(400, code, [404, 'model_not_found'])),
  coded(404, '1221', [404, 'upstream_retired']),
  ...['1230', '1234'].map((code) => coded(500, code, [502, code])),
  coded(400, '1261', [400, 'context_length_exceeded']),
  ...['1300', '1301'].map((code) => coded(400, code, [400, 'content_filter'])),
  ...['1302', '1303', '1304', '1305', '1308', '1310', '1312', '1313'].map((code) =>
    coded(429, code, [429, 'rate_limit_exceeded']),
  ),
];

const zhipu = {
  type: 16,
  source: 'docs.bigmodel.cn, chat completions (provider notes 8.9 and 21.1)',
  path: /^\/api\/paas\/v4\/chat\/completions$/,
  words: {
    reasoning: 'reasoning_content',
    usage: 'last chunk',
    calls: 'whole',
    members: { request_id: 'r-1' },
  },
  takes: ['object', 'images'],
} as const;

const sparkHttp = (code: number, expected: ExpectedFailure) =>
  silently({ code, message: `as expected by ${code}`, sid: 'cht0' }, expected);
const miniMax = (code: number, expected: ExpectedFailure) =>
  silently({ id: '1', base_resp: { status_code: code, status_msg: `as expected by ${code}` } }, expected);

const chinese: readonly ProviderCase[] = [
  vendorCase({
    type: 15,
    name: 'Baidu Qianfan',
    model: 'ernie-4.5-turbo-128k',
    form: qianfanForm,
    path: /^\/v2\/chat\/completions$/,
    source: 'Qianfan V2 API reference (provider notes 10.2)',
    words: { reasoning: 'reasoning_content', stop: 'normal', members: { flag: 0 } },
    takes: ['schema', 'images'],
    more: {
      basePath: '/v2',
      failures: [
        coded(400, 'invalid_argument', [400, 'invalid_argument'], 'invalid_request_error'),
        ...['tokens_too_long', 'characters_too_long'].map((code) =>
          coded(400, code, [400, 'context_length_exceeded'], 'invalid_request_error'),
        ),
        coded(400, 'sensitive', [400, 'content_filter'], 'unsafe_request'),
        coded(401, 'invalid_iam_token', [401, 'invalid_api_key'], 'access_denied'),
        coded(401, 'no_parameter_permission', [403, 'permission_denied'], 'access_denied'),
        coded(403, 'access_denied', [403, 'permission_denied'], 'access_denied'),
        coded(429, 'rpm_rate_limit_exceeded', [429, 'rate_limit_exceeded'], 'rate_limit_error'),
        coded(429, 'tpm_rate_limit_exceeded', [429, 'rate_limit_exceeded'], 'rate_limit_error'),
        coded(500, 'internal_error', [502, 'internal_error'], 'server_error'),
      ],
    },
  }),
  vendorCase({
    ...zhipu,
    name: 'Zhipu ChatGLM, by its key',
    model: 'glm-4-plus',
    form: zhipuForm(false),
    more: { failures: zhipuFailures },
  }),
  vendorCase({
    ...zhipu,
    name: 'Zhipu ChatGLM, by signed tokens',
    model: 'glm-4-air',
    form: zhipuForm(true),
    more: { channel: { other: 'jwt' }, failures: [] },
  }),
  vendorCase({
    type: 17,
    name: 'Alibaba Tongyi, compatible mode',
    model: 'qwen-plus-latest',
    form: aliCompatibleForm,
    path: /^\/compatible-mode\/v1\/chat\/completions$/,
    source: 'Model Studio, compatible mode (provider notes 11.2)',
    words: { reasoning: 'reasoning_content', laterId: '' },
    takes: ['schema', 'images'],
    more: {
      basePath: '/compatible-mode/v1',
      failures: [
        coded(400, 'invalid_parameter_error', [400, 'invalid_parameter_error'], 'invalid_request_error'),
        coded(400, 'data_inspection_failed', [400, 'content_filter'], 'invalid_request_error'),
        coded(400, 'Arrearage', [429, 'insufficient_quota'], 'Arrearage'),
        coded(401, 'invalid_api_key', [401, 'invalid_api_key'], 'invalid_request_error'),
        coded(403, 'AccessDenied.Unpurchased', [403, 'permission_denied'], 'AccessDenied.Unpurchased'),
        coded(404, 'model_not_found', [404, 'model_not_found'], 'invalid_request_error'),
        coded(429, 'limit_requests', [429, 'limit_requests'], 'rate_limit_error'),
        coded(500, 'InternalError', [502, 'InternalError'], 'server_error'),
        coded(503, 'ModelServingError', [503, 'ModelServingError'], 'server_error'),
      ],
    },
  }),
  vendorCase({
    type: 18,
    name: 'iFlytek Spark over HTTP',
    model: 'Spark-Max',
    form: sparkHttpForm,
    source: 'xfyun.cn, Spark HTTP API (provider notes 12.2)',
    words: { usage: 'last chunk', calls: 'whole', members: { code: 0, message: 'Success', sid: 'cht1' } },
    takes: ['object', 'texts'],
    more: {
      failures: [
        sparkHttp(10_005, [400, '10005']),
        sparkHttp(10_013, [400, 'content_filter']),
        sparkHttp(10_907, [400, 'context_length_exceeded']),
        sparkHttp(11_200, [429, 'insufficient_quota']),
        sparkHttp(11_202, [429, 'rate_limit_exceeded']),
        sparkHttp(10_012, [503, '10012']),
        failed(401, { message: 'HMAC signature cannot be verified' }, [401, 'invalid_api_key']),
      ],
    },
  }),
  vendorCase({
    type: 23,
    name: 'Tencent TokenHub',
    model: 'hy3-preview',
    form: tencentCompatibleForm,
    source: 'TokenHub (provider notes 13.2)',
    words: { reasoning: 'reasoning_content' },
    takes: ['words', 'images'],
    more: { failures: common },
  }),
  vendorCase({
    type: 27,
    name: 'MiniMax',
    model: 'MiniMax-M2.5',
    form: miniMaxForm,
    source: 'platform.minimaxi.com, chat completions (provider notes 8.7 and 21.1)',
    words: {
      reasoning: 'reasoning_content',
      usage: 'last chunk',
      calls: 'whole',
      end: (scene) => [chatEvent(chatWhole(scene, { members: { base_resp: { status_code: 0 } } }))],
    },
    takes: ['words', 'images'],
    more: {
      failures: [
        miniMax(1000, [502, '1000']),
        miniMax(1001, [504, 'upstream_timeout']),
        ...[1002, 1039, 1041, 2056].map((code) => miniMax(code, [429, 'rate_limit_exceeded'])),
        ...[1004, 2049].map((code) => miniMax(code, [401, 'invalid_api_key'])),
        miniMax(1008, [429, 'insufficient_quota']),
        ...[1026, 1027].map((code) => miniMax(code, [400, 'content_filter'])),
        ...[1042, 2013, 20_132].map((code) => miniMax(code, [400, String(code)])),
      ],
    },
  }),
  vendorCase({
    type: 25,
    name: 'Moonshot AI',
    model: 'moonshot-v1-32k',
    form: moonshotForm,
    source: 'platform.moonshot.cn, chat (provider notes 8.3)',
    words: { reasoning: 'reasoning_content', usage: 'first choice' },
    takes: ['schema', 'images'],
    more: {
      failures: [
        failed(400, { error: { type: 'content_filter', message: 'no' } }, [400, 'content_filter']),
        failed(401, { error: { type: 'invalid_authentication_error', message: 'no' } }, [401, 'invalid_api_key']),
        failed(403, { error: { type: 'permission_denied_error', message: 'no' } }, [403, 'permission_denied']),
        failed(404, { error: { type: 'resource_not_found_error', message: 'no' } }, [404, 'model_not_found']),
        failed(429, { error: { type: 'rate_limit_reached_error', message: 'no' } }, [429, 'rate_limit_exceeded']),
        failed(429, { error: { type: 'engine_overloaded_error', message: 'no' } }, [429, 'rate_limit_exceeded']),
        failed(429, { error: { type: 'exceeded_current_quota_error', message: 'no' } }, [429, 'insufficient_quota']),
        failed(500, { error: { type: 'server_error', message: 'no' } }, [502, 'upstream_error']),
      ],
    },
  }),
  ...[
    { type: 19, name: '360 Zhinao', model: '360gpt-pro', takes: ['words', 'images'] as const },
    { type: 26, name: 'Baichuan', model: 'Baichuan4', takes: ['object', 'images'] as const },
  ].map((vendor) =>
    vendorCase({
      ...vendor,
      form: modestForm,
      source: 'provider notes 8.5 and 8.6',
      words: { usage: 'last chunk' },
      more: { failures: common },
    }),
  ),
];

const others: readonly ProviderCase[] = [
  vendorCase({
    type: 28,
    name: 'Mistral AI',
    model: 'mistral-medium-2604',
    form: mistralForm,
    source: 'docs.mistral.ai, chat completions (provider notes 8.1 and 21.2)',
    words: { reasoning: 'content', usage: 'last chunk', calls: 'bare' },
    takes: ['schema', 'images'],
    more: {
      failures: [
        failed(401, { detail: 'Unauthorized' }, [401, 'invalid_api_key']),
        failed(
          400,
          { object: 'error', message: 'Expected last role', type: 'invalid_request_message_order', code: '3230' },
          [400, '3230', 'invalid_request_message_order'],
        ),
        failed(429, { object: 'error', message: 'slow', type: 'rate_limited', code: '1300' }, [
          429,
          '1300',
          'rate_limited',
        ]),
        failed(503, { object: 'error', message: 'gone', type: 'unreachable_backend', code: '1100' }, [
          503,
          '1100',
          'unreachable_backend',
        ]),
      ],
    },
  }),
  vendorCase({
    type: 36,
    name: 'DeepSeek',
    model: 'deepseek-chat',
    form: deepSeekForm,
    source: 'api-docs.deepseek.com, chat completions',
    words: { reasoning: 'reasoning_content' },
    takes: ['object', 'images'],
    more: { failures: common },
  }),
  vendorCase({
    type: 29,
    name: 'Groq',
    model: 'openai/gpt-oss-120b',
    form: groqForm,
    source: 'console.groq.com, API reference (provider notes 8.2)',
    words: { reasoning: 'reasoning', members: { x_groq: { id: 'req_1' } } },
    takes: ['schema', 'images'],
    more: {
      failures: [
        ...common,
        coded(400, 'tool_use_failed', [400, 'tool_use_failed'], 'invalid_request_error'),
        coded(413, 'request_too_large', [413, 'request_too_large'], 'invalid_request_error'),
        coded(498, 'capacity_exceeded', [503, 'capacity_exceeded'], 'server_error'),
      ],
    },
  }),
  vendorCase({
    type: 20,
    name: 'OpenRouter',
    model: 'vendor/model',
    form: openRouterForm,
    source: 'openrouter.ai, API reference (provider notes 8.8)',
    words: { reasoning: 'reasoning', members: { provider: 'p' } },
    takes: ['schema', 'images'],
    more: {
      failures: [
        failed(402, { error: { code: 402, message: 'Insufficient credits' } }, [429, 'insufficient_quota']),
        ...[429, 502, 503].map((code) => silently({ error: { code, message: 'no' } }, [code, code])),
      ],
    },
  }),
  vendorCase({
    type: 31,
    name: '01.AI',
    model: 'yi-lightning',
    form: openRouterForm,
    source: 'provider notes 8.4',
    words: { usage: 'last chunk' },
    takes: ['schema', 'images'],
    more: { failures: common },
  }),
];

testProviders([...chinese, ...others]);
