import type { Cell, Row, Tables } from './gateway-tables.ts';

/** `password 水` by bcrypt of cost 10, as One API stores it. */
export const bcryptHash = '$2a$10$WNKAlOWkDNSRQP91bKuQQuDH4MLkRPnM2mM0yZrc33f513HbxbqpC';
export const password = 'password 水';

const user = (id: number, username: string, more: Row = {}): Row => ({
  id,
  username,
  password: bcryptHash,
  display_name: username,
  role: 1,
  status: 1,
  email: '',
  github_id: '',
  wechat_id: '',
  lark_id: '',
  oidc_id: '',
  access_token: `access-token-of-user-${String(id).padStart(4, '0')}xxxxxxx`,
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: 'default',
  aff_code: `af${id}`,
  inviter_id: 0,
  ...more,
});

/** The key of a token, of the length that One API makes. */
export const keyOf = (id: number): string => `key${id}`.padEnd(48, 'Z');

const token = (id: number, userId: number, more: Row = {}): Row => ({
  id,
  user_id: userId,
  key: keyOf(id),
  status: 1,
  name: `token ${id}`,
  created_time: 1_700_000_000,
  accessed_time: 1_700_000_001,
  expired_time: -1,
  remain_quota: 500_000,
  unlimited_quota: false,
  used_quota: 0,
  models: null,
  subnet: '',
  ...more,
});

const channel = (id: number, more: Row = {}): Row => ({
  id,
  type: 1,
  key: `sk-upstream-${id}`,
  status: 1,
  name: `channel ${id}`,
  weight: 0,
  created_time: 1_700_000_000,
  test_time: 0,
  response_time: 0,
  base_url: '',
  other: null,
  balance: 1.5,
  balance_updated_time: 0,
  models: 'weir-test,gpt-4o',
  group: 'default',
  used_quota: 0,
  model_mapping: '',
  priority: 0,
  config: '',
  system_prompt: null,
  ...more,
});

const code = (id: number, status: number, more: Row = {}): Row => ({
  id,
  user_id: 1,
  key: `code${id}`.padEnd(32, 'a'),
  status,
  name: 'gift',
  quota: 1000,
  created_time: 1_700_000_000,
  redeemed_time: status === 3 ? 1_700_000_100 : 0,
  ...more,
});

const log = (id: number, more: Row = {}): Row => ({
  id,
  user_id: 2,
  created_at: 1_700_000_000 + id * 60,
  type: 2,
  content: 'model ratio 1, "quoted" \\ and \n new line',
  username: 'alice',
  token_name: 'token 2',
  model_name: 'weir-test',
  quota: 7,
  prompt_tokens: 3,
  completion_tokens: 4,
  channel_id: 1,
  request_id: `request ${id}`,
  elapsed_time: 12,
  is_stream: id % 2 === 0,
  system_prompt_reset: false,
  ...more,
});

const users = [
  user(1, 'root', { role: 100, quota: 500_000_000_000_000, group: null }),
  user(2, 'alice', { quota: 1_000_000, used_quota: 4321, request_count: 12, group: 'vip', wechat_id: 'shared' }),
  user(3, 'Alice', { quota: 5, wechat_id: 'shared', inviter_id: 2 }),
  user(4, `o'brien "q" \\`, { quota: -325, used_quota: 825, request_count: 3 }),
  user(5, '张三', { quota: 77, group: 'free', email: 'Zhang@Example.com' }),
  user(6, 'deleted_2233a8954eea4ed892f43bbadfde080d', { status: 3, quota: 900 }),
  user(7, 'off', { status: 2 }),
  user(8, 'two words', { quota: -10, used_quota: 3, password: '' }),
  user(9, 'a@example.com', { access_token: null, aff_code: null, password: 'plain text' }),
];

const tokens = [
  token(1, 1, { key: 'short-root-token', unlimited_quota: true, remain_quota: -1 }),
  token(2, 2, { remain_quota: 400_000, used_quota: 3210 }),
  token(3, 2, { subnet: '10.0.0.0/8' }),
  token(4, 4, { remain_quota: -75, used_quota: 225, models: 'weir-test' }),
  token(5, 6, {}),
  token(6, 7, { subnet: null }),
  token(7, 999, {}),
  token(8, 5, { key: 'unusual', remain_quota: 0 }),
  token(9, 2, { status: 4, remain_quota: 0, used_quota: 50, expired_time: 1_700_000_000 }),
  token(10, 3, { status: 7 }),
];

const channels = [
  channel(1, { used_quota: 4000, config: '{"region":"us-east-1","sk":"vendor secret"}' }),
  channel(2, { type: 43, models: null, base_url: null, weight: null, priority: null }),
  channel(3, { type: 99, models: 'strange' }),
  channel(4, { status: 2, key: 'sk-a\nsk-b', group: 'vip,free', priority: -3, weight: 5, used_quota: 17 }),
  channel(5, { status: 3, name: `it's "off"`, config: 'no json' }),
];

const options: Readonly<Record<string, Cell>> = {
  GroupRatio: '{"default": 1, "vip": 0.75, "free": 0}',
  ModelRatio: '{"gpt-4o": 1.2345678901, "weir-test": 1, "free-model": 0}',
  CompletionRatio: '{"weir-test": 2}',
  Notice: '# Hallo "Welt"',
  RetryTimes: '3',
  SMTPToken: 'smtp secret',
  GitHubClientId: 'id',
  GitHubClientSecret: 'github secret',
  GitHubOAuthEnabled: 'true',
  OidcEnabled: 'true',
  ServerAddress: 'https://gate.example.com/',
  SomethingUnknown: 'x',
};

const logs = [
  ...Array.from({ length: 40 }, (_, index) => log(index + 1)),
  log(41, { user_id: 0, username: '', type: 3, quota: 0, token_name: '', model_name: '' }),
  log(42, { type: 1, quota: 0, content: '通过兑换码充值 $0.002' }),
  log(43, { type: 9 }),
  log(50, { channel_id: 77, user_id: 88, created_at: 1_700_300_000 }),
];

/** A database of One API with everything that an importer trips over. */
export const trappedTables = (more: Tables = {}): Tables => ({
  users,
  tokens,
  channels,
  redemptions: [code(1, 1), code(2, 2), code(3, 3)],
  options: Object.entries(options).map(([key, value]) => ({ key, value })),
  logs,
  ...more,
});

export { channel as oneApiChannel, log as oneApiLog, user as oneApiUser };
