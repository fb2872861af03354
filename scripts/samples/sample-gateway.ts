import { signInTo } from '../../server/test/clients/management-client.ts';
import { readShippedBook } from '../../server/src/billing/price/book/shipped-book.ts';
import { rootPassword } from '../../server/test/processes/server-process.ts';
import { addRules, type Call, unitsPerDollar } from './sample-rules.ts';

/** Sample data of the pictures: an installation of a medium-sized organisation. */
export const sampleChannels = [
  { name: 'OpenAI, main account', type: 1, models: 'gpt-5,gpt-5-mini,o3,text-embedding-3-small', priority: 10 },
  { name: 'OpenAI, reserve', type: 1, models: 'gpt-5,gpt-5-mini,text-embedding-3-small', priority: 0 },
  { name: 'Anthropic', type: 14, models: 'claude-sonnet-4-5,claude-haiku-4-5', priority: 10 },
  { name: 'Azure, Sweden', type: 3, models: 'gpt-5', priority: 5, base_url: 'https://sweden.example.com' },
  { name: 'Gemini', type: 24, models: 'gemini-2.5-flash,gemini-2.5-pro', priority: 10 },
  { name: 'DeepSeek', type: 36, models: 'deepseek-chat,deepseek-reasoner', priority: 10 },
  { name: 'Tongyi Qianwen', type: 17, models: 'qwen-plus,qwen-turbo,qwen-max', priority: 0 },
  { name: 'Moonshot', type: 25, models: 'kimi-k2.5,kimi-k2.6', priority: 0 },
  { name: 'Mistral', type: 28, models: 'mistral-large-latest', priority: 0 },
  { name: 'Wenxin', type: 15, models: 'ERNIE-4.0-8K,ERNIE-3.5-8K', priority: 0 },
  { name: 'Graphics server', type: 50, models: 'llama-3.3-70b', priority: 20, base_url: 'http://gpu.example.com:8000' },
] as const;

/** Owners of the tokens, their names, and their quota in dollars; 0: unlimited. */
const keys: Readonly<Record<string, readonly (readonly [name: string, dollars: number])[]>> = {
  root: [
    ['website', 0],
    ['support-bot', 400],
    ['evaluation', 150],
    ['notebooks', 25],
    ['translation', 60],
    ['nightly-reports', 100],
    ['mobile-app', 0],
    ['old integration', 10],
  ],
  research: [
    ['experiments', 0],
    ['thesis', 50],
  ],
  'mobile-team': [
    ['ios', 0],
    ['android', 0],
  ],
  marketing: [['copywriting', 80]],
  'data-lab': [['batch', 0]],
  support: [['helpdesk', 120]],
};

const accounts = [
  { username: 'root', display_name: 'Root User', group: 'default', dollars: 240 },
  { username: 'research', display_name: 'Research', group: 'vip', dollars: 500 },
  { username: 'mobile-team', display_name: 'Mobile', group: 'default', dollars: 320 },
  { username: 'marketing', display_name: 'Marketing', group: 'default', dollars: 150 },
  { username: 'data-lab', display_name: 'Data lab', group: 'svip', dollars: 900 },
  { username: 'support', display_name: 'Customer support', group: 'default', dollars: 200 },
  { username: 'internship', display_name: '', group: 'default', dollars: 5 },
] as const;

/** The price of a model of no vendor, and what the groups pay on top of list prices. */
export const sampleRatios = {
  ModelRatio: JSON.stringify({ 'llama-3.3-70b': 0.1 }),
  GroupRatio: JSON.stringify({ default: 1.25, vip: 1.15, svip: 1.1 }),
};
const options = { TopUpLink: 'https://shop.example.com', ...sampleRatios };

/** The list prices of this release with a few that differ, as a vendor's next ones might. */
const nextBook = (): string => {
  const { entries } = readShippedBook();
  const changed = entries.map(({ price, ...entry }) => {
    const factor = { 'gpt-5': 0.8, 'claude-sonnet-4-5': 0.9, 'gemini-2.5-flash': 1.2 }[entry.model];
    if (factor === undefined || price?.rates === undefined) return { ...entry, price };
    const times = (rate: string): string => String(Number((Number(rate) * factor).toFixed(6)));
    const rates = { ...price.rates, input: times(price.rates.input), output: times(price.rates.output) };
    return { ...entry, price: { ...price, rates } };
  });
  return JSON.stringify({ name: '2026-12', entries: changed });
};

const addAccounts = async (call: Call): Promise<void> => {
  for (const { username, display_name } of accounts) {
    if (username === 'root') continue;
    await call('POST', '/api/user/', { username, password: 'only for pictures', display_name });
  }
  const users = await call<{ readonly id: number; readonly username: string }[]>('GET', '/api/user/?p=0');
  for (const { username, display_name, group, dollars } of accounts) {
    const { id } = users.find((user) => user.username === username) ?? { id: 0 };
    const quota = dollars * unitsPerDollar;
    await call('PUT', '/api/user/', { id, username, display_name, password: '', group, quota });
  }
};

const addKeys = async (url: string): Promise<void> => {
  for (const [username, own] of Object.entries(keys)) {
    const password = username === 'root' ? rootPassword : 'only for pictures';
    const { call } = await signInTo(url, username, password);
    for (const [name, dollars] of own) {
      const terms = dollars === 0 ? { unlimited_quota: true } : { remain_quota: dollars * unitsPerDollar };
      await call('POST', '/api/token/', { name, expired_time: -1, ...terms });
    }
  }
};

/** Creates channels, users, tokens, codes, and what limits and watches them, over the API. */
export const furnish = async (url: string, upstream: { readonly url: string; readonly key: string }): Promise<void> => {
  const { call } = await signInTo(url, 'root', rootPassword);
  for (const [index, channel] of sampleChannels.entries()) {
    // The first channel has a working upstream: the pictures of the playground need a conversation.
    const address = index === 0 ? { key: upstream.key, base_url: upstream.url } : { key: `sample-key-${index}` };
    await call('POST', '/api/channel/', { group: 'default,vip,svip', ...address, ...channel });
  }
  await addAccounts(call);
  await addKeys(url);
  await addRules(call);
  for (const [name, quota, count] of [
    ['Workshop', 5, 6],
    ['Autumn school', 20, 4],
    ['Hackathon', 10, 5],
  ] as const) {
    await call('POST', '/api/redemption/', { name, quota: quota * unitsPerDollar, count });
  }
  for (const [key, value] of Object.entries(options)) await call('PUT', '/api/option/', { key, value });
  const source = { kind: 'file', name: 'prices.json', content: nextBook() };
  await call('POST', '/api/price_book/proposal', { source });
};
