import { type ErrorText, faultTexts, type Language } from './error-texts/fault-texts.ts';
import { budgetTexts } from './error-texts/budget-texts.ts';
import { rateLimitTexts } from './error-texts/rate-limit-texts.ts';
import { statementTexts } from './error-texts/statement-texts.ts';
import { teamTexts } from './error-texts/team-texts.ts';
import { tokenTexts } from './error-texts/token-texts.ts';

export type { Language };

export type FaultCode = keyof typeof faultTexts;

/** One wrong member: its path on the wire, and what is wrong with it. */
export interface Fault {
  readonly member: string;
  readonly code: FaultCode;
  readonly limit?: string | number;
}

/**
 * Every failure of the management API that a caller can meet, with its public text (wire contract §2;
 * ordinary failures answer with HTTP 200 there). `{name}` parts are filled from the error's `values`.
 */
export const errorTexts = {
  invalid_parameter: { en: 'Invalid parameter', zh: '无效的参数' },
  invalid_input: { en: 'Invalid input, please check your input: {faults}', zh: '输入不合法，请检查输入：{faults}' },
  not_signed_in: {
    en: 'Not permitted: not logged in and no access token provided',
    zh: '无权进行此操作，未登录且未提供 access token',
  },
  access_token_invalid: { en: 'Not permitted: access token invalid', zh: '无权进行此操作，access token 无效' },
  banned: { en: 'User has been banned', zh: '用户已被封禁' },
  no_permission: { en: 'Not permitted: insufficient permission', zh: '无权进行此操作，权限不足' },
  cross_site: {
    en: 'Refused: the request comes from another site. A script sends an access token (Authorization) instead of a cookie, or a User-Agent of its own and no Origin',
    zh: '已拒绝：请求来自其他站点。脚本请用访问令牌（Authorization）代替 Cookie，或使用自己的 User-Agent 且不发送 Origin',
  },
  not_found: { en: 'Record not found', zh: '记录不存在' },
  internal: {
    en: 'Internal error. Give request ID {requestId} to the administrator',
    zh: '内部错误，请将请求 ID {requestId} 告知管理员',
  },
  unavailable: { en: 'The database is unavailable. Try again shortly', zh: '数据库暂不可用，请稍后重试' },
  storage_full: {
    en: 'The database disk is full. Nothing was changed',
    zh: '数据库所在磁盘已满，未做任何更改',
  },
  too_large: { en: 'The request body is too large', zh: '请求体过大' },
  password_login_closed: { en: 'The administrator has closed password login', zh: '管理员关闭了密码登录' },
  wrong_credentials: {
    en: 'Username or password wrong, or user has been banned',
    zh: '用户名或密码错误，或用户已被封禁',
  },
  too_many_attempts: { en: 'Too many failed attempts. Try again later', zh: '失败次数过多，请稍后再试' },
  username_taken: { en: 'Username already taken', zh: '用户名已被占用' },
  username_invalid: {
    en: 'Username must have at most {max} characters, without @ and invisible characters',
    zh: '用户名最多 {max} 个字符，且不能包含 @ 或不可见字符',
  },
  username_empty: { en: 'Username must not be empty', zh: '用户名不能为空' },
  too_many_accounts: {
    en: 'Too many accounts were created in the last hour. Try again later',
    zh: '一小时内新开账户过多，请稍后再试',
  },
  gift_refused: {
    en: 'The account cannot be created: the reward for new users or inviters exceeds the maximum balance',
    zh: '无法创建账户：新用户或邀请奖励额度超出余额上限',
  },
  root_undeletable: { en: 'Cannot delete the super administrator account', zh: '不能删除超级管理员账户' },
  code_invalid: { en: 'Verification code wrong or expired', zh: '验证码错误或已过期' },
  register_closed: {
    en: 'The administrator has closed new user registration',
    zh: '管理员关闭了新用户注册',
  },
  password_register_closed: {
    en: 'The administrator has closed registration by password; please register through a third-party account',
    zh: '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
  },
  email_required: {
    en: 'The administrator has turned on e-mail verification; please enter e-mail address and verification code',
    zh: '管理员开启了邮箱验证，请输入邮箱地址和验证码',
  },
  email_domain_refused: {
    en: "The administrator has enabled an e-mail domain whitelist; your address's domain is not in it",
    zh: '管理员启用了邮箱域名白名单，您的邮箱地址的域名不在白名单中',
  },
  email_alias_refused: {
    en: 'The administrator does not accept e-mail addresses with a + alias',
    zh: '管理员不接受带有 + 别名的邮箱地址',
  },
  email_taken: { en: 'E-mail address already taken', zh: '邮箱地址已被占用' },
  reset_link_invalid: { en: 'Reset link invalid or expired', zh: '重置链接非法或已过期' },
  server_address_missing: {
    en: 'The link cannot be sent: the administrator has not set the server address',
    zh: '管理员尚未设置服务器地址，无法发送链接',
  },
  human_check_missing: { en: 'Turnstile token is empty', zh: 'Turnstile token 为空' },
  human_check_failed: {
    en: 'Turnstile check failed, please refresh and retry',
    zh: 'Turnstile 校验失败，请刷新重试',
  },
  human_check_unreachable: {
    en: 'The Turnstile server is not responding. Try again later',
    zh: 'Turnstile 服务器没有响应，请稍后重试',
  },
  mail_not_configured: {
    en: 'Failed to send email: the administrator has not set up a mail server',
    zh: '邮件发送失败：管理员尚未配置邮件服务器',
  },
  mail_without_receiver: { en: 'Failed to send email: receiver is empty', zh: '邮件发送失败：收件人为空' },
  mail_unreachable: {
    en: 'Failed to send email: the mail server is not responding',
    zh: '邮件发送失败：邮件服务器没有响应',
  },
  mail_insecure: {
    en: 'Failed to send email: no trusted encrypted connection to the mail server',
    zh: '邮件发送失败：无法与邮件服务器建立可信的加密连接',
  },
  mail_login_refused: {
    en: 'Failed to send email: the mail server rejected the account',
    zh: '邮件发送失败：邮件服务器拒绝了账户',
  },
  mail_refused: {
    en: 'Failed to send email: the mail server replied: {reply}',
    zh: '邮件发送失败：邮件服务器返回：{reply}',
  },
  password_too_short: { en: 'Password length must not be less than 8', zh: '密码长度不得小于 8 位' },
  password_too_long: { en: 'Password length must not be more than 128', zh: '密码长度不得大于 128 位' },
  password_too_common: { en: 'This password is too common', zh: '该密码过于常见' },
  ...tokenTexts,
  ...rateLimitTexts,
  ...statementTexts,
  ...budgetTexts,
  ...teamTexts,
  status_invalid: { en: 'The status can only be set to 1 or 2', zh: '状态只能设置为 1 或 2' },
  user_unknown: { en: 'User does not exist', zh: '用户不存在' },
  user_rank_read: {
    en: 'No permission to get information of users of the same or higher level',
    zh: '无权获取同级或更高等级用户的信息',
  },
  user_rank_create: {
    en: 'Cannot create a user with permission greater than or equal to your own',
    zh: '无法创建权限大于等于自己的用户',
  },
  user_rank_update: {
    en: 'No permission to update users of the same or higher level',
    zh: '无权更新同权限等级或更高权限等级的用户信息',
  },
  user_rank_raise: {
    en: 'No permission to raise another user to a level greater than or equal to your own',
    zh: '无权将其他用户权限等级提升到大于等于自己的权限等级',
  },
  user_rank_delete: {
    en: 'No permission to delete users of the same or higher level',
    zh: '无权删除同权限等级或更高权限等级的用户',
  },
  root_not_disabled: { en: 'Cannot disable the super administrator', zh: '无法禁用超级管理员用户' },
  root_not_deleted: { en: 'Cannot delete the super administrator', zh: '无法删除超级管理员用户' },
  root_not_demoted: { en: 'Cannot demote the super administrator', zh: '无法降级超级管理员用户' },
  promotion_forbidden: {
    en: 'Ordinary administrators cannot promote other users',
    zh: '普通管理员用户无法提升其他用户为管理员',
  },
  already_admin: { en: 'This user is already an administrator', zh: '该用户已经是管理员' },
  already_user: { en: 'This user is already an ordinary user', zh: '该用户已经是普通用户' },
  role_invalid: { en: 'The role can only be set to 1 or 10', zh: '角色只能设置为 1 或 10' },
  quota_negative: { en: 'Quota cannot be negative', zh: '额度不能为负数' },
  quota_changed: {
    en: 'The quota has changed to {quota}. Reload and try again',
    zh: '额度已被更改，现为 {quota}，请刷新后重试',
  },
  quota_unfit: { en: 'The quota exceeds the maximum balance of an account', zh: '账户额度超出上限' },
  idempotency_conflict: {
    en: 'This Idempotency-Key was used for another top-up',
    zh: '该 Idempotency-Key 已用于另一次充值',
  },
  redemption_name_length: {
    en: 'Redemption code name length must be between 1 and 20',
    zh: '兑换码名称长度必须在1-20之间',
  },
  redemption_count_small: { en: 'The number of codes must be greater than 0', zh: '兑换码个数必须大于0' },
  redemption_count_large: {
    en: 'No more than 100 codes can be generated at once',
    zh: '一次兑换码批量生成的个数不能大于 100',
  },
  redemption_used: {
    en: 'This redemption code has been used; its status and quota cannot be changed',
    zh: '该兑换码已被使用，无法更改其状态和额度',
  },
  redeem_key_missing: { en: 'No redemption code provided', zh: '未提供兑换码' },
  redeem_unknown: { en: 'Redemption failed, invalid redemption code', zh: '兑换失败，无效的兑换码' },
  redeem_disabled: {
    en: 'Redemption failed, this redemption code is disabled',
    zh: '兑换失败，该兑换码已被禁用',
  },
  redeem_used: {
    en: 'Redemption failed, this redemption code has already been used',
    zh: '兑换失败，该兑换码已被使用',
  },
  redeem_too_much: {
    en: 'Redemption failed, the quota exceeds the maximum balance of the account',
    zh: '兑换失败，账户额度超出上限',
  },
  channel_incomplete: { en: 'Please fill in channel name and channel key', zh: '请填写渠道名称和渠道密钥' },
  channel_without_model: { en: 'Please select at least one model', zh: '请至少选择一个模型' },
  channel_mapping_invalid: { en: 'Model mapping must be valid JSON format', zh: '模型映射必须是合法的 JSON 格式' },
  channel_config_invalid: { en: 'Channel config must be a JSON object', zh: '渠道配置必须是 JSON 对象' },
  channel_address_required: { en: 'Channels of this type need a base URL', zh: '此类型的渠道需要填写 Base URL' },
  channel_address_invalid: {
    en: 'The base URL is not a valid http or https address',
    zh: '代理地址不是有效的 http 或 https 地址',
  },
  channel_too_wide: {
    en: 'Too many keys, groups and models at once. Save them in smaller parts',
    zh: '一次提交的密钥、分组和模型过多，请分批保存',
  },
  channel_key_required: {
    en: 'Enter the key again when the type or base URL changes',
    zh: '修改类型或代理地址时需要重新填写密钥',
  },
  channel_test_running: { en: 'Test is already running', zh: '测试已在运行中' },
  balance_unsupported: { en: 'Not implemented yet', zh: '尚未实现' },
  balance_failed: { en: 'Could not read the balance: {reason}', zh: '余额查询失败：{reason}' },
  models_unlisted: {
    en: "This provider doesn't list its models. Enter their names",
    zh: '该服务商不提供模型列表，请直接填写模型名称',
  },
  report_invalid: { en: 'The report cannot be used: {faults}', zh: '无法使用该报表：{faults}' },
  report_unknown: {
    en: 'Not a known report: neither usage nor costs of OpenAI or Anthropic, nor a table with the columns date and model',
    zh: '无法识别该报表：既不是 OpenAI 或 Anthropic 的用量或费用报表，也不是含 date 和 model 列的表格',
  },
  report_empty: { en: 'The report states no usage and no costs', zh: '报表中没有用量或费用' },
  report_unfetchable: { en: 'Reports of this vendor cannot be fetched', zh: '无法从该服务商获取报表' },
  report_fetch_failed: { en: 'The report could not be fetched: {reason}', zh: '获取报表失败：{reason}' },
  bill_days: {
    en: 'The days must be in order, and at most {limit}',
    zh: '日期须先后有序，且不超过 {limit} 天',
  },
  bill_lines: { en: 'Each day and model may occur once', zh: '每个日期和模型只能出现一次' },
  models_key_refused: { en: 'The provider refuses the key: {reason}', zh: '服务商拒绝了该密钥：{reason}' },
  models_failed: { en: 'Could not read the list of models: {reason}', zh: '模型列表查询失败：{reason}' },
  option_unknown: { en: 'Unknown option {key}', zh: '未知的设置项 {key}' },
  option_invalid: { en: 'Invalid option: {faults}', zh: '设置项无效：{faults}' },
  theme_invalid: { en: 'Invalid theme', zh: '无效的主题' },
  model_ratio_invalid: { en: 'Model ratio is not a valid JSON string', zh: '模型倍率不是合法的 JSON 字符串' },
  completion_ratio_invalid: { en: 'Completion ratio is not a valid JSON string', zh: '补全倍率不是合法的 JSON 字符串' },
  group_unknown: {
    en: 'There is no such group, add it to the group ratios first',
    zh: '该分组不存在，请先在分组倍率中添加',
  },
  group_ratio_invalid: { en: 'Group ratio is not a valid JSON string', zh: '分组倍率不是合法的 JSON 字符串' },
  part_ratio_invalid: {
    en: 'Part ratio is not a valid JSON string of NAME:PART entries',
    zh: '分项倍率不是合法的 JSON 字符串，键须为 名称:分项',
  },
  github_incomplete: {
    en: 'Cannot enable GitHub OAuth, please fill in GitHub client id and client secret first',
    zh: '无法启用 GitHub OAuth，请先填入 GitHub Client ID 以及 GitHub Client Secret',
  },
  oidc_incomplete: {
    en: 'Cannot enable OIDC, please fill in its client ID, client secret and endpoints first',
    zh: '无法启用 OIDC，请先填入 OIDC 的 Client ID、Client Secret 以及各端点地址',
  },
  oauth_state_mismatch: { en: 'State is empty or not same', zh: 'state 为空或不一致' },
  oauth_unfinished: {
    en: 'The sign-in did not finish. Start it again',
    zh: '登录未能完成，请重新发起',
  },
  oauth_closed: {
    en: 'The administrator has not enabled login and registration via {provider}',
    zh: '管理员未开启通过 {provider} 登录以及注册',
  },
  oauth_bound: { en: 'This {provider} account is already bound', zh: '该 {provider} 账户已被绑定' },
  oauth_unreachable: {
    en: 'Cannot reach the {provider} server, please retry later',
    zh: '无法连接至 {provider} 服务器，请稍后重试',
  },
  oauth_code_refused: {
    en: '{provider} rejected the sign-in code ({reason}). Sign in again',
    zh: '{provider} 拒绝了登录授权码（{reason}），请重新登录',
  },
  oauth_answer_illegal: {
    en: 'The returned value is illegal, the user field is empty, please retry later',
    zh: '返回值非法，用户字段为空，请稍后重试',
  },
  wechat_closed: {
    en: 'The administrator has not enabled login and registration via the chat app',
    zh: '管理员未开启通过微信登录以及注册',
  },
  wechat_bound: { en: 'This chat-app account is already bound', zh: '该微信账号已被绑定' },
  wechat_unreachable: {
    en: 'Cannot reach the chat-app login server, please retry later',
    zh: '无法连接至微信登录服务器，请稍后重试',
  },
  wechat_refused: { en: '{message}', zh: '{message}' },
  email_whitelist_empty: {
    en: 'Cannot enable e-mail domain restriction, please fill in the restricted domains first',
    zh: '无法启用邮箱域名限制，请先填入限制的邮箱域名',
  },
  wechat_incomplete: {
    en: 'Cannot enable chat-app login, please fill in its configuration first',
    zh: '无法启用微信登录，请先填入微信登录相关配置信息',
  },
  turnstile_incomplete: {
    en: 'Cannot enable Turnstile check, please fill in its configuration first',
    zh: '无法启用 Turnstile 校验，请先填入 Turnstile 校验相关配置信息',
  },
  releases_unset: {
    en: 'No release address is set. Set RELEASES_URL',
    zh: '未配置发布信息的地址，请设置 RELEASES_URL',
  },
  releases_unreachable: {
    en: 'Could not read the latest release. Try again later',
    zh: '无法读取最新发布信息，请稍后再试',
  },
  price_book_invalid: { en: 'Not a price book, line {line}: {faults}', zh: '价格表无效，第 {line} 行：{faults}' },
  price_book_too_long: { en: 'A price book has at most {limit} MB', zh: '价格表不得超过 {limit} MB' },
  price_book_unreachable: { en: 'The price book could not be fetched: {reason}', zh: '获取价格表失败：{reason}' },
  price_book_no_url: { en: 'Enter an address, or set PriceBookUrl', zh: '请填写地址，或设置 PriceBookUrl' },
  price_book_changed: {
    en: 'Meanwhile another price book was proposed or approved. Nothing was changed: look at the differences again',
    zh: '期间已有其他价格表被提交或批准。未作任何更改，请重新查看差异',
  },
  alerts_full: { en: 'There are already {limit} of them', zh: '数量已达上限 {limit}' },
  alert_destination_unknown: {
    en: 'A destination of the rule does not exist (any more)',
    zh: '规则的通知目标不存在或已被删除',
  },
  alert_secret_required: {
    en: 'Enter the secret again when the URL or server changes',
    zh: '修改 URL 或服务器时需要重新填写密钥',
  },
  alert_test_failed: { en: 'The test message was not delivered: {reason}', zh: '测试消息未能送达：{reason}' },
  alert_not_open: {
    en: 'The alert is resolved or already acknowledged',
    zh: '该告警已恢复或已被确认',
  },
  log_target_missing: { en: 'Target timestamp is required', zh: '必须指定目标时间戳' },
  log_clearing_runs: { en: 'Logs are already being cleared', zh: '正在清理历史日志，请稍候' },
  quota_insufficient: {
    en: 'Insufficient quota: {needed} needed, {available} available',
    zh: '额度不足：需要 {needed}，可用 {available}',
  },
} as const satisfies Record<string, ErrorText>;

export type ErrorCode = keyof typeof errorTexts;

/** Failures that a browser must see as HTTP statuses; every other one answers 200 with `success: false`. */
const httpStatus: Partial<Record<ErrorCode, number>> = {
  not_signed_in: 401,
  too_large: 413,
  too_many_attempts: 429,
  cross_site: 403,
  oauth_state_mismatch: 403,
  unavailable: 503,
  storage_full: 503,
  internal: 500,
};

/** The HTTP status of a failure in the management API. */
export const statusOf = (code: ErrorCode): number => httpStatus[code] ?? 200;

type Value = string | number | readonly Fault[];

/** A failure with a public text. `cause` is logged and never sent. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly values: Readonly<Record<string, Value>>;

  constructor(code: ErrorCode, values: Readonly<Record<string, Value>> = {}, cause?: unknown) {
    super(code, { cause });
    this.name = 'AppError';
    this.code = code;
    this.values = values;
  }
}

const valueText = (value: Value, language: Language): string =>
  typeof value === 'object'
    ? value
        .map(
          ({ member, code, limit = '' }) => `${member} ${faultTexts[code][language].replace('{limit}', String(limit))}`,
        )
        .join(language === 'zh' ? '；' : '; ')
    : String(value);

/** The text of a failure for people. */
export const publicText = (error: AppError, language: Language): string =>
  errorTexts[error.code][language].replace(/\{(\w+)\}/g, (_, name: string) =>
    valueText(error.values[name] ?? '', language),
  );

/** Why the process cannot start, in one line for the operator; shown without a stack. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartError';
  }
}
