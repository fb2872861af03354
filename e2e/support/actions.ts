import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator, Page } from '@playwright/test';
import { expect, type Gateway } from './gateway.ts';

interface Account {
  readonly username: string;
  readonly password: string;
}

/**
 * Opens a page as a signed-in user, by default root. The session is created over the API; `sign-in.spec.ts` tests the
 * sign-in screen.
 */
export const signIn = async (
  page: Page,
  { url, rootPassword }: Gateway,
  path = '/token',
  account: Account = { username: 'root', password: rootPassword },
): Promise<void> => {
  // A page of the same origin that runs no script. It comes first: an open console page could answer the change of
  // session with a navigation of its own.
  await page.goto('/logo.svg');
  const answer = await page.request.post(`${url}/api/user/login`, { data: account, headers: { origin: url } });
  const body: unknown = await answer.json();
  expect(body, `signing in as ${account.username}`).toMatchObject({ success: true });
  await page.evaluate((given) => {
    if (typeof given === 'object' && given !== null && 'data' in given)
      localStorage.setItem('user', JSON.stringify(given.data));
  }, body);
  await page.goto(path);
};

/** The row or card of a list that names something. */
export const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

/** The toast with this text, ignoring case. */
export const toast = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text);

interface ChatAnswer {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
}

/** A relayed call of a client with this key. */
export const chat = async (
  { url }: Gateway,
  key: string,
  model: string,
  {
    stream = false,
    headers = {},
  }: { readonly stream?: boolean; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<ChatAnswer> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Name three rivers.' }] }),
  });
  const requestId = response.headers.get('x-oneapi-request-id') ?? '';
  return { status: response.status, text: await response.text(), requestId };
};

/** Creates a channel to the test's upstream and a token over the API. Resolves to the key with `sk-`. */
export const prepareRelay = async (gateway: Gateway, models = 'gpt-4o-mini'): Promise<string> => {
  const root = await gateway.signIn();
  await root.call('POST', '/api/channel/', {
    type: 8,
    name: 'Local models',
    key: gateway.upstream.key,
    base_url: gateway.upstream.url,
    models,
    group: 'default',
  });
  const token = await root.call<{ key: string }>('POST', '/api/token/', { name: 'Production', unlimited_quota: true });
  return `sk-${token.key}`;
};

/** Creates a channel over the API; resolves to its id. */
export const addChannel = async (gateway: Gateway, values: Readonly<Record<string, unknown>>): Promise<number> => {
  const root = await gateway.signIn();
  const { key, url } = gateway.upstream;
  await root.call('POST', '/api/channel/', { type: 8, key, base_url: url, models: 'm', group: 'default', ...values });
  const [newest] = await root.call<{ id: number }[]>('GET', '/api/channel/?p=0');
  return newest?.id ?? 0;
};

/**
 * Adds consumption of root past the gateway, a second apart and newest first in the numbers of its models, with the
 * hourly sums that the gateway would have kept. Resolves to how many records there are.
 */
export const addLogs = async (
  { dataDir }: Gateway,
  { count, until }: { readonly count: number; readonly until: number },
): Promise<number> => {
  const file = new DatabaseSync(join(dataDir, 'weir.db'));
  file.exec('pragma busy_timeout = 10000; begin immediate');
  file
    .prepare(
      `insert into logs (user_id, created_at, type, content, username, token_id, token_name, model_name, quota,
        prompt_tokens, completion_tokens, channel_id, request_id, elapsed_time, is_stream, system_prompt_reset, detail)
      with recursive n (i) as (select ? union all select i - 1 from n where i > 0)
      select 1, ? - i, 2, 'ratio: 1', 'root', 1, 'bulk', 'model-' || i, i % 1000, 3, 4, 1, '', 500, 0, 0, '' from n`,
    )
    .run(BigInt(count - 1), BigInt(until));
  file.exec(`insert or replace into log_hours (hour, user_id, token_name, model_name, channel_id, token_id, requests, quota,
      prompt_tokens, completion_tokens)
    select created_at / 3600, user_id, token_name, model_name, channel_id, token_id, count(*), sum(quota), sum(prompt_tokens), sum(completion_tokens) from logs where token_name = 'bulk' group by 1, 2, 3, 4, 5, 6; commit`);
  file.close();
  return count;
};

/** Puts list prices of OpenAI in force past the gateway, which has read them when this resolves. */
export const approvePrices = async (gateway: Gateway, prices: Readonly<Record<string, object>>): Promise<void> => {
  const entries = Object.entries(prices).map(([model, price]) => ({
    vendor: 'openai',
    model,
    mode: 'chat',
    from: '2020-01-01',
    price,
  }));
  const content = JSON.stringify({ name: 'test', entries });
  const file = new DatabaseSync(join(gateway.dataDir, 'weir.db'));
  file.exec('pragma busy_timeout = 10000');
  file
    .prepare('insert into price_books (name, source, content, actor_id, created_at) values (?, ?, ?, 0, 1)')
    .run('test', 'test', content);
  file.close();
  // A change of an own price makes the gateway read the list prices too.
  const root = await gateway.signIn();
  await root.call('PUT', '/api/prices/own', { model: 'other', card: { rates: { input: '1', output: '1' } } });
};
