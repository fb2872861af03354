import type { ClientError } from '../../dialects/dialect.ts';
import type { Language } from '../../errors.ts';
import type { RelayFailure } from '../../providers/provider.ts';

interface RelayText {
  readonly status: number;
  /** `short`: token and channel checks answer with message and type alone (wire contract 3.3). */
  readonly form: 'short' | 'full';
  readonly en: string;
  readonly zh: string;
}

/** Every refusal of the relay itself: its status, form and text. `{name}` parts are filled from the error's values. */
const relayTexts = {
  token_missing: { status: 401, form: 'short', en: 'no token provided', zh: '未提供令牌' },
  token_invalid: { status: 401, form: 'short', en: 'invalid token', zh: '无效的令牌' },
  token_used_up: {
    status: 401,
    form: 'short',
    en: 'token {name} (#{id}) quota is used up',
    zh: '令牌 {name}（#{id}）额度已用尽',
  },
  token_expired: { status: 401, form: 'short', en: 'this token has expired', zh: '该令牌已过期' },
  token_rolled: {
    status: 401,
    form: 'short',
    en: 'this key was replaced and works no longer, use the new key of token {name} (#{id})',
    zh: '该密钥已被更换，不再有效，请使用令牌 {name}（#{id}）的新密钥',
  },
  token_unavailable: { status: 401, form: 'short', en: "this token's status is unavailable", zh: '该令牌状态不可用' },
  token_empty: { status: 401, form: 'short', en: "this token's quota is used up", zh: '该令牌额度已用尽' },
  token_subnet: {
    status: 403,
    form: 'short',
    en: 'this token can only be used in the given network segment: {subnet}, current ip: {address}',
    zh: '该令牌只能在指定网段使用：{subnet}，当前 ip：{address}',
  },
  user_banned: { status: 403, form: 'short', en: 'user has been banned', zh: '用户已被封禁' },
  model_forbidden: {
    status: 403,
    form: 'short',
    en: 'this token has no permission to use model: {model}',
    zh: '该令牌无权使用模型：{model}',
  },
  channel_forbidden: {
    status: 403,
    form: 'short',
    en: 'ordinary users cannot specify a channel',
    zh: '普通用户不支持指定渠道',
  },
  channel_invalid: { status: 400, form: 'short', en: 'invalid channel id', zh: '无效的渠道 Id' },
  channel_disabled: { status: 403, form: 'short', en: 'this channel has been disabled', zh: '该渠道已被禁用' },
  no_channel: {
    status: 503,
    form: 'short',
    en: 'no available channel for model {model} under the current group {group}',
    zh: '当前分组 {group} 下对于模型 {model} 无可用渠道',
  },
  invalid_api_type: {
    status: 400,
    form: 'full',
    en: 'chat completions are not supported by this channel type yet: {type}',
    zh: '暂不支持该渠道类型：{type}',
  },
  unsupported_endpoint: {
    status: 404,
    form: 'full',
    en: 'this endpoint is not supported by this channel type: {type}',
    zh: '该渠道类型不支持此接口：{type}',
  },
  path_outside: {
    status: 400,
    form: 'full',
    en: 'the path must not contain ".." segments',
    zh: '路径不能包含 ".." 段',
  },
  unknown_path: { status: 404, form: 'full', en: '{detail}', zh: '{detail}' },
  model_unknown: {
    status: 404,
    form: 'full',
    en: 'the model {model} does not exist',
    zh: '模型 {model} 不存在',
  },
  invalid_json: { status: 400, form: 'full', en: '{detail}', zh: '{detail}' },
  invalid_text_request: { status: 400, form: 'full', en: '{detail}', zh: '{detail}' },
  prompt_missing: { status: 400, form: 'full', en: '{detail}', zh: '{detail}' },
  size_not_supported: { status: 400, form: 'full', en: '{detail}', zh: '{detail}' },
  prompt_too_long: { status: 400, form: 'full', en: '{detail}', zh: '{detail}' },
  n_not_within_range: { status: 400, form: 'full', en: '{detail}', zh: '{detail}' },
  text_too_long: { status: 400, form: 'full', en: '{detail}', zh: '{detail}' },
  body_too_large: {
    status: 413,
    form: 'full',
    en: 'the request body is larger than {max} bytes',
    zh: '请求体超过 {max} 字节',
  },
  form_too_large: {
    status: 413,
    form: 'full',
    en: 'the form is larger than {max} bytes: send the model field before a larger file',
    zh: '表单超过 {max} 字节：更大的录音须放在 model 字段之后',
  },
  browser_navigation: {
    status: 403,
    form: 'full',
    en: 'a page or form of a browser cannot send this request: use a client or a script',
    zh: '浏览器页面或表单不能发送此请求：请使用客户端或脚本',
  },
  content_type: {
    status: 415,
    form: 'full',
    en: 'the content type {type} is not supported: send application/json',
    zh: '不支持的内容类型：{type}，请使用 application/json',
  },
  body_encoding: {
    status: 415,
    form: 'full',
    en: 'the content encoding {encoding} is not supported',
    zh: '不支持的内容编码：{encoding}',
  },
  insufficient_user_quota: {
    status: 403,
    form: 'full',
    en: 'user quota is not enough: {needed} needed, {available} available',
    zh: '用户额度不足：需要 {needed}，可用 {available}',
  },
  model_unpriced: {
    status: 403,
    form: 'full',
    en: 'the model {model} has no price: an administrator sets one under Models and prices',
    zh: '模型 {model} 没有价格：请管理员在“模型与价格”页面设置',
  },
  pre_consume_token_quota_failed: {
    status: 403,
    form: 'full',
    en: 'token quota insufficient: {needed} needed, {available} available',
    zh: '令牌额度不足：需要 {needed}，可用 {available}',
  },
  budget_used_up: {
    status: 403,
    form: 'full',
    en: 'budget {budget} is used up until {renews}: {needed} needed, {available} available',
    zh: '预算 {budget} 在 {renews} 之前已用完：需要 {needed}，可用 {available}',
  },
  run_invalid: {
    status: 400,
    form: 'full',
    en: 'the header {header} cannot be read: see the documentation of runs',
    zh: '无法读取请求头 {header}：请参阅关于运行的文档',
  },
  run_ended_stopped: {
    status: 403,
    form: 'full',
    en: 'run {run} was ended: begin another one',
    zh: '运行 {run} 已被结束：请开始新的运行',
  },
  run_ended_time: {
    status: 403,
    form: 'full',
    en: 'run {run} has ended: its time is over',
    zh: '运行 {run} 已结束：时间已到',
  },
  run_ended_calls: {
    status: 403,
    form: 'full',
    en: 'run {run} has ended: it has made its {calls} calls',
    zh: '运行 {run} 已结束：已完成其 {calls} 次调用',
  },
  run_budget_used_up: {
    status: 403,
    form: 'full',
    en: 'the budget of run {run} is used up: {needed} needed, {available} available',
    zh: '运行 {run} 的预算已用完：需要 {needed}，可用 {available}',
  },
  run_many: {
    status: 429,
    form: 'full',
    en: 'more than {max} runs were begun in a minute, try again in {wait} s',
    zh: '一分钟内开始的运行超过 {max} 个，请在 {wait} 秒后重试',
  },
  memory_call: {
    status: 413,
    form: 'full',
    en: 'the request and its answer are larger than this gateway holds of one call',
    zh: '请求及其响应超过本网关单次调用可占用的内存',
  },
  memory_user: {
    status: 429,
    form: 'full',
    en: 'your running calls hold too many bytes, try again when one of them has ended',
    zh: '您正在进行的调用占用的内存过多，请在其中一个结束后重试',
  },
  memory_process: {
    status: 503,
    form: 'full',
    en: 'the running calls hold too many bytes, try again later',
    zh: '当前调用占用的内存过多，请稍后再试',
  },
  rate_limit_requests: {
    status: 429,
    form: 'full',
    en: 'rate limit {rule} is reached: {amount} requests in {seconds} s, try again in {wait} s',
    zh: '已达到速率限制 {rule}：{seconds} 秒内 {amount} 个请求，请在 {wait} 秒后重试',
  },
  rate_limit_tokens: {
    status: 429,
    form: 'full',
    en: 'rate limit {rule} is reached: {amount} tokens in {seconds} s, try again in {wait} s',
    zh: '已达到速率限制 {rule}：{seconds} 秒内 {amount} 个 token，请在 {wait} 秒后重试',
  },
  rate_limit_concurrent: {
    status: 429,
    form: 'full',
    en: 'rate limit {rule} is reached: {amount} calls at the same time, try again when one has ended',
    zh: '已达到速率限制 {rule}：同时进行 {amount} 个调用，请在其中一个结束后重试',
  },
  rate_limit_channels: {
    status: 429,
    form: 'full',
    en: 'every channel of model {model} is at its rate limit, try again in {wait} s',
    zh: '模型 {model} 的所有渠道均已达到速率限制，请在 {wait} 秒后重试',
  },
  queue_full: {
    status: 429,
    form: 'full',
    en: 'every channel of model {model} is at its limit, and {max} calls wait already, try again later',
    zh: '模型 {model} 的所有渠道均已达到限制，且已有 {max} 个调用在排队，请稍后重试',
  },
  queue_timeout: {
    status: 429,
    form: 'full',
    en: 'no channel of model {model} had room within {seconds} s, try again',
    zh: '模型 {model} 的所有渠道在 {seconds} 秒内均无空位，请重试',
  },
  unknown_state: {
    status: 429,
    form: 'full',
    en: 'another of your requests names stored content of unknown size: send them one at a time',
    zh: '您的另一个请求引用了大小未知的已存储内容：请逐个发送',
  },
  overloaded: {
    status: 503,
    form: 'full',
    en: 'too many requests are running, try again later',
    zh: '当前请求过多，请稍后再试',
  },
  stopping: {
    status: 503,
    form: 'full',
    en: 'the gateway is restarting, try again',
    zh: '网关正在重启，请重试',
  },
  database_unavailable: {
    status: 503,
    form: 'full',
    en: 'the database is unavailable, try again shortly',
    zh: '数据库暂不可用，请稍后重试',
  },
  internal: { status: 500, form: 'full', en: 'internal error', zh: '内部错误' },
} as const satisfies Record<string, RelayText>;

export type RelayErrorCode = keyof typeof relayTexts;
type Values = Readonly<Record<string, string | number>>;

/** A refusal by the relay itself. `cause` is logged and never sent. */
export class RelayError extends Error {
  readonly code: RelayErrorCode;
  readonly values: Values;

  constructor(code: RelayErrorCode, values: Values = {}, cause?: unknown) {
    super(code, { cause });
    this.name = 'RelayError';
    this.code = code;
    this.values = values;
  }
}

/** An upstream's failure that reaches the client because no other channel is left to try. */
export class FailedUpstream extends Error {
  readonly failure: RelayFailure;
  /** Seconds or date, as the upstream sent it; empty: it named no time. */
  readonly retryAfter: string;

  constructor(failure: RelayFailure, retryAfter: string) {
    super(failure.error.message);
    this.name = 'FailedUpstream';
    this.failure = failure;
    this.retryAfter = retryAfter;
  }
}

export interface RenderedError {
  readonly error: ClientError;
  /** Of the header; empty: none. */
  readonly retryAfter: string;
}

const own = 'one_api_error';

/** Replaces an upstream's text about its own limits (wire contract 3.3). */
const saturated = {
  en: 'the upstream load of the current group is saturated, please try again later',
  zh: '当前分组上游负载已饱和，请稍后再试',
} as const;

const renderOwn = (error: RelayError, language: Language): RenderedError => {
  const { status, form, ...texts } = relayTexts[error.code];
  const message = texts[language].replace(/\{(\w+)\}/g, (_, name: string) => String(error.values[name] ?? ''));
  const rendered = { status, message, type: own, param: null, code: error.code, short: form === 'short' };
  const wait = String(error.values['wait'] ?? '1');
  return { error: rendered, retryAfter: status === 503 || status === 429 ? wait : '' };
};

/** The header has no fractions. */
const inWholeSeconds = (text: string): string => (/^\d+\.\d+$/.test(text) ? String(Math.ceil(Number(text))) : text);

const renderUpstream = ({ failure, retryAfter }: FailedUpstream, language: Language): RenderedError => {
  const { status, error } = failure;
  const message = status === 429 && error.type !== 'insufficient_quota' ? saturated[language] : error.message;
  return {
    error: { ...error, status, message, short: false },
    retryAfter: status === 429 || status === 503 ? inWholeSeconds(retryAfter) : '',
  };
};

/** The error of a failed call for its client. What is neither refusal nor upstream failure is an internal error. */
export const renderRelayError = (error: unknown, language: Language): RenderedError => {
  if (error instanceof FailedUpstream) return renderUpstream(error, language);
  return renderOwn(error instanceof RelayError ? error : new RelayError('internal', {}, error), language);
};
