import { existsSync, readFileSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';

/** Another server of the contract: One API, with its recorded answers, which also serves this console's files. */
export interface ForeignServer {
  readonly url: string;
  /** Calls with an effect, in order. */
  readonly changes: readonly { readonly call: string; readonly body: unknown }[];
  /** Calls that it does not have, each once. */
  unknown(): readonly string[];
  close(): Promise<void>;
}

const dist = join(import.meta.dirname, '..', '..', 'console', 'dist');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

const status = {
  chat_link: '',
  display_in_currency: true,
  email_verification: false,
  footer_html: '',
  github_client_id: '',
  github_oauth: false,
  lark_client_id: '',
  logo: '',
  oidc: false,
  oidc_authorization_endpoint: '',
  oidc_client_id: '',
  oidc_token_endpoint: '',
  oidc_userinfo_endpoint: '',
  oidc_well_known: '',
  quota_per_unit: 500_000,
  server_address: 'http://localhost:3000',
  start_time: 1_740_000_000,
  system_name: 'One API',
  top_up_link: '',
  turnstile_check: false,
  turnstile_site_key: '',
  version: 'v0.0.0',
  wechat_login: false,
  wechat_qrcode: '',
};

const userOf = (username: string) => ({
  id: username === 'root' ? 1 : 2,
  username,
  password: '',
  display_name: username,
  role: username === 'root' ? 100 : 1,
  status: 1,
  email: '',
  github_id: '',
  wechat_id: '',
  lark_id: '',
  oidc_id: '',
  verification_code: '',
  access_token: '',
  quota: 500_000,
  used_quota: 250,
  request_count: 1,
  group: 'default',
  aff_code: 'X8Jy',
  inviter_id: 0,
});

const token = {
  id: 3,
  user_id: 1,
  key: 'VN3IIR1Plk5fNX5y39Fd39D6011f4b3e81C3777d08768cCc',
  status: 1,
  name: 'default',
  created_time: 1_740_000_000,
  accessed_time: 1_740_000_000,
  expired_time: -1,
  remain_quota: -1,
  unlimited_quota: true,
  used_quota: 0,
  models: null,
  subnet: '',
};

/** Of a type newer than this console, with null in the members that this server leaves null. */
const channel = {
  id: 7,
  type: 99,
  key: '',
  status: 1,
  name: 'From elsewhere',
  weight: null,
  created_time: 1_740_000_000,
  test_time: 0,
  response_time: 0,
  base_url: null,
  other: null,
  balance: 0,
  balance_updated_time: 0,
  models: 'gpt-4o',
  group: 'default',
  used_quota: 0,
  model_mapping: null,
  priority: null,
  config: '',
  system_prompt: null,
};

/** A full page, after which there may be another one. */
const codes = Array.from({ length: 10 }, (_, index) => ({
  id: 10 - index,
  user_id: 1,
  key: `0123456789abcdef0123456789abcde${index}`,
  status: 1,
  name: 'batch',
  quota: 500_000,
  created_time: 1_740_000_000,
  redeemed_time: 0,
  count: 0,
}));

/** Every own record has the id 0, also two records that are otherwise equal. */
const record = {
  id: 0,
  user_id: 2,
  created_at: Math.floor(Date.now() / 1000) - 60,
  type: 2,
  content: '倍率：2.50 × 1.00 × 4.00',
  username: 'bob',
  token_name: 'default',
  model_name: 'gpt-4o',
  quota: 125,
  prompt_tokens: 2,
  completion_tokens: 12,
  channel: 7,
  request_id: '2026112112163012345',
  elapsed_time: 20,
  is_stream: false,
  system_prompt_reset: false,
};

const today = {
  Day: new Date().toISOString().slice(0, 10),
  ModelName: 'gpt-4o',
  RequestCount: 3,
  Quota: 500_000,
  PromptTokens: 6,
  CompletionTokens: 36,
};

const options = {
  EmailDomainWhitelist: 'gmail.com',
  EmailDomainRestrictionEnabled: 'false',
  PasswordLoginEnabled: 'true',
  RegisterEnabled: 'true',
  SMTPPort: '587',
  SystemName: 'One API',
  Theme: 'default',
  ModelRatio: '{"gpt-4o":2.5}',
  CompletionRatio: '{}',
  GroupRatio: '{"default":1}',
  RetryTimes: '0',
};

type Answer = (query: URLSearchParams) => object;
const data =
  (value: unknown): Answer =>
  () => ({ success: true, message: '', data: value });
const page =
  (rows: readonly unknown[]): Answer =>
  (query) =>
    data(query.get('p') === '0' ? rows : [])(query);
const done: Answer = () => ({ success: true, message: '' });

const answers = (username: string): Readonly<Record<string, Answer>> => ({
  'GET /api/status': data(status),
  'GET /api/notice': data(''),
  'GET /api/home_page_content': data(''),
  'GET /api/user/self': data(userOf(username)),
  'GET /api/user/': page([userOf('bob')]),
  'GET /api/user/2': data(userOf('bob')),
  // A quota of 0 is left out, as every other empty member.
  'PUT /api/user/': done,
  'GET /api/group/': data(['default']),
  'GET /api/user/available_models': data(['gpt-4o']),
  'GET /api/user/logout': done,
  'DELETE /api/user/self': done,
  'GET /api/user/dashboard': data(username === 'root' ? null : [today]),
  'GET /api/token/': page([token]),
  'GET /api/token/3': data(token),
  'PUT /api/token/': data(token),
  'GET /api/channel/': page([channel]),
  'GET /api/redemption/': page(codes),
  'PUT /api/channel/': data({ ...channel, status: 2 }),
  'GET /api/channel/test/7': () => ({ success: false, message: 'status code: 401', time: 0, modelName: 'gpt-4o' }),
  'GET /api/log/self': page([record, record, { ...record, created_at: record.created_at - 60 }]),
  'GET /api/log/self/stat': data({ quota: 375 }),
  'GET /api/option/': data(Object.entries(options).map(([key, value]) => ({ key, value }))),
  'PUT /api/option/': done,
});

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text === '' ? undefined : JSON.parse(text);
};

/** Every user name and password is accepted. All calls are those of the last user who signed in. */
export const startForeignServer = async (): Promise<ForeignServer> => {
  const changes: { call: string; body: unknown }[] = [];
  const unknown = new Set<string>();
  let username = '';
  const answerTo = async (request: IncomingMessage): Promise<object | undefined> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://foreign');
    const call = `${request.method} ${pathname}`;
    const body = await bodyOf(request);
    if (request.method !== 'GET' || pathname === '/api/user/logout') changes.push({ call, body });
    if (call === 'POST /api/user/login') {
      username = typeof body === 'object' && body !== null && 'username' in body ? String(body.username) : '';
      return data(userOf(username))(searchParams);
    }
    const answer = answers(username)[call];
    if (answer === undefined) unknown.add(call);
    return answer?.(searchParams);
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://foreign').pathname;
    if (!path.startsWith('/api')) {
      const named = join(dist, path);
      const file = existsSync(named) && statSync(named).isFile() ? named : join(dist, 'index.html');
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
      response.end(readFileSync(file));
      return;
    }
    void answerTo(request).then((answer) => {
      const error = {
        message: `Invalid URL (${request.method} ${path})`,
        type: 'invalid_request_error',
        param: '',
        code: '',
      };
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(answer ?? { error }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    changes,
    unknown: () => [...unknown],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
