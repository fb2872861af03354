import type { WholeAnswer } from './check-answer.ts';
import { isJson, type Json, parseObject } from '../parsing/json.ts';

/** The gateway that the scenario calls, and its upstream. */
export interface WireScenario {
  readonly url: string;
  readonly rootPassword: string;
  /** Speaks OpenAI's chat completions. */
  readonly upstream: { readonly url: string; readonly key: string };
  /** Answers `credit_grants` with what is left. */
  readonly billing: { readonly url: string; readonly key: string };
  /** Called with each answer; throws if it is wrong. */
  readonly check: (method: string, path: string, answer: WholeAnswer) => void;
}

/** What one call was answered with. */
export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface CallOptions {
  readonly body?: unknown;
  readonly authorization?: string;
}

type Take = (name: string, method: string, path: string, options?: CallOptions) => Promise<Json>;

const model = 'wire-model';

/** Calls with one session, and keeps each answer under a name. */
const createTaker = ({ url, check }: WireScenario) => {
  const answers = new Map<string, WireAnswer>();
  let cookie = '';
  const take: Take = async (name, method, path, { body, authorization } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(authorization === undefined ? { cookie, origin: url } : { authorization }),
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const set = response.headers.getSetCookie().find((one) => one.startsWith('session='));
    if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
    const { status } = response;
    const text = await response.text();
    check(method, path, { status, headers: response.headers, text });
    const answer = text === '' ? {} : parseObject(text);
    answers.set(name, { status, body: answer });
    return answer;
  };
  return { answers, take };
};

const firstOf = ({ data }: Json): Json => {
  const first: unknown = Array.isArray(data) ? data[0] : undefined;
  if (!isJson(first)) throw new Error('an empty list');
  return first;
};

const optionCalls = async (take: Take): Promise<void> => {
  const put = (name: string, key: string, value: string) => take(name, 'PUT', '/api/option/', { body: { key, value } });
  await put('a ratio', 'ModelRatio', JSON.stringify({ [model]: 1 }));
  await put('a completion ratio', 'CompletionRatio', JSON.stringify({ [model]: 2 }));
  await put('an unknown theme', 'Theme', 'unheard-of');
  for (const key of [
    'GitHubOAuthEnabled',
    'WeChatAuthEnabled',
    'TurnstileCheckEnabled',
    'EmailDomainRestrictionEnabled',
  ])
    await put(`${key} without what it needs`, key, 'true');
  await take('an option that is no JSON', 'PUT', '/api/option/', { body: '{' });
  await put('an option', 'TopUpLink', 'https://weir.example/pay');
  await take('the options', 'GET', '/api/option/');
  await take('the status', 'GET', '/api/status');
  for (const page of ['notice', 'about', 'home_page_content']) await take(page, 'GET', `/api/${page}`);
};

const channelCalls = async (take: Take, { upstream, billing }: WireScenario): Promise<void> => {
  const form = { name: 'wire', models: model, group: 'default', model_mapping: '', other: '', config: '{}' };
  const add = (name: string, of: object) => take(name, 'POST', '/api/channel/', { body: { ...form, ...of } });
  await add('a channel', { type: 8, key: upstream.key, base_url: upstream.url });
  const listed = await take('the channels', 'GET', '/api/channel/?p=0');
  const id = Number(firstOf(listed)['id']);
  await take('one channel', 'GET', `/api/channel/${id}`);
  await take('a channel is found', 'GET', '/api/channel/search?keyword=wire');
  await take('a channel is changed', 'PUT', '/api/channel/', { body: { id, priority: 3 } });
  await take('a channel is tested', 'GET', `/api/channel/test/${id}?model=${model}`);
  await take('the balance of all', 'GET', '/api/channel/update_balance');
  await add('a channel with a balance', { type: 4, models: 'other', key: billing.key, base_url: billing.url });
  await take('a balance', 'GET', `/api/channel/update_balance/${id + 1}`);
  await add('a channel without a balance', { type: 14, models: 'another', key: 'sk-none', base_url: billing.url });
  await take('no balance', 'GET', `/api/channel/update_balance/${id + 2}`);
  await take('a channel is deleted', 'DELETE', `/api/channel/${id + 2}`);
  await take('models of channels', 'GET', '/api/channel/models');
  await take('models of types', 'GET', '/api/models');
  await take('available models', 'GET', '/api/user/available_models');
  await take('the groups', 'GET', '/api/group/');
};

const accountCalls = async (take: Take): Promise<void> => {
  await take('root', 'GET', '/api/user/self');
  await take('an invite code', 'GET', '/api/user/aff');
  const { data } = await take('a system token', 'GET', '/api/user/token');
  const token = String(data);
  await take('by system token', 'GET', '/api/user/self', { authorization: token });
  await take('by system token as bearer', 'GET', '/api/user/self', { authorization: `Bearer ${token}` });
  await take('by a wrong system token', 'GET', '/api/user/self', { authorization: 'f'.repeat(32) });
  await take('without a sign-in', 'GET', '/api/user/self', { authorization: '' });
  await take('an OAuth state', 'GET', '/api/oauth/state');
  await take('back with a wrong state', 'GET', '/api/oauth/github?code=x&state=wrong');
  await take('a login that is closed', 'GET', '/api/oauth/wechat?code=x');
  await take('a wrong password', 'POST', '/api/user/login', { body: { username: 'root', password: 'wrong' } });
  await take('a user', 'POST', '/api/user/', {
    body: { username: 'wire', password: 'a long password', display_name: 'Wire' },
  });
  await take('the users', 'GET', '/api/user/?p=0');
  await take('a user is managed', 'POST', '/api/user/manage', { body: { username: 'wire', action: 'disable' } });
};

const moneyCalls = async (take: Take): Promise<void> => {
  await take('a code', 'POST', '/api/redemption/', { body: { name: 'wire', quota: 1000, count: 1 } });
  await take('the codes', 'GET', '/api/redemption/?p=0');
  await take('a wrong code', 'POST', '/api/user/topup', { body: { key: 'f'.repeat(32) } });
  await take('an unknown path', 'GET', '/api/unheard-of');
};

const relayCalls = async (take: Take): Promise<void> => {
  await take('a key', 'POST', '/api/token/', { body: { name: 'wire', remain_quota: 500_000, expired_time: -1 } });
  const key = `Bearer sk-${String(firstOf(await take('the keys', 'GET', '/api/token/?p=0'))['key'])}`;
  const body = { model, messages: [{ role: 'user', content: 'wire' }], user: 'wire' };
  await take('a call', 'POST', '/v1/chat/completions', { body, authorization: key });
  await take('models', 'GET', '/v1/models', { authorization: key });
  await take('a call for an unknown model', 'POST', '/v1/chat/completions', {
    body: { ...body, model: 'unheard-of' },
    authorization: key,
  });
};

/** The log of the call after it is settled. */
const figureCalls = async (take: Take): Promise<void> => {
  const key = `Bearer sk-${String(firstOf(await take('the keys', 'GET', '/api/token/?p=0'))['key'])}`;
  for (const [name, path] of [
    ['subscription', '/v1/dashboard/billing/subscription'],
    ['usage', '/v1/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-01-02'],
    ['subscription, short', '/dashboard/billing/subscription'],
    ['usage, short', '/dashboard/billing/usage'],
  ] as const)
    await take(name, 'GET', path, { authorization: key });
  await take('billing by a wrong key', 'GET', '/v1/dashboard/billing/usage', { authorization: 'Bearer sk-unknown' });
  await take('the dashboard', 'GET', '/api/user/dashboard');
  await take('the log', 'GET', '/api/log/?p=0&type=2');
  await take('the own log', 'GET', '/api/log/self/?p=0&type=2');
  await take('what was spent', 'GET', '/api/log/stat?type=2');
};

/**
 * One walk through what consoles and scripts call, on any gateway of this contract that was just started. `settled`
 * waits until the charges of relayed calls are in the ledger.
 */
export const walkTheWire = async (
  scenario: WireScenario,
  settled: () => Promise<void>,
): Promise<ReadonlyMap<string, WireAnswer>> => {
  const { answers, take } = createTaker(scenario);
  const body = { username: 'root', password: scenario.rootPassword };
  await take('signing in', 'POST', '/api/user/login', { body });
  await optionCalls(take);
  await channelCalls(take, scenario);
  await accountCalls(take);
  await moneyCalls(take);
  await relayCalls(take);
  await settled();
  await figureCalls(take);
  return answers;
};

/** The form of a value: the kinds of its members, and of the first element of a list. */
export const formOf = (value: unknown): unknown => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.slice(0, 1).map(formOf);
  if (!isJson(value)) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, formOf(member)]));
};
