/**
 * Photographs the built console over a small made-up installation, for the README: `npm run screens`.
 * Starts the gateway and an upstream of its own on loopback and removes both.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { startFakeUpstream } from '../server/test/fake-upstream.ts';
import { signInTo } from '../server/test/management-client.ts';
import { rootPassword, startServer } from '../server/test/server-process.ts';
import { findChromium } from './chromium.mjs';
import { root } from './root.mjs';

interface Screen {
  readonly file: string;
  readonly path: string;
  readonly scheme: 'light' | 'dark';
  readonly size: { readonly width: number; readonly height: number };
}

const desktop = { width: 1280, height: 720 };
const phone = { width: 375, height: 720 };
const screens: readonly Screen[] = [
  { file: 'log.png', path: '/log', scheme: 'light', size: desktop },
  { file: 'tokens-dark.png', path: '/token', scheme: 'dark', size: desktop },
  { file: 'tokens-phone.png', path: '/token', scheme: 'light', size: phone },
];

const channels = [
  { name: 'OpenAI, main account', models: 'gpt-4o,gpt-4o-mini', group: 'default', priority: 10 },
  { name: 'OpenAI, reserve', models: 'gpt-4o,gpt-4o-mini,text-embedding-3-small', group: 'default', priority: 0 },
];
const tokens = ['website', 'support-bot', 'evaluation', 'notebooks'];

/** Fills a fresh gateway with channels, keys and some calls. */
const furnish = async (url: string, upstream: { readonly url: string; readonly key: string }): Promise<void> => {
  const { call } = await signInTo(url, 'root', rootPassword);
  for (const channel of channels) {
    await call('POST', '/api/channel/', { ...channel, type: 1, key: upstream.key, base_url: upstream.url });
  }
  for (const [index, name] of tokens.entries()) {
    const { key } = await call<{ key: string }>('POST', '/api/token/', { name, remain_quota: 5_000_000 * (index + 1) });
    for (let turn = 0; turn <= index * 2; turn += 1) {
      const body = { model: turn % 3 === 0 ? 'gpt-4o' : 'gpt-4o-mini', stream: turn % 2 === 0 };
      const messages = [
        { role: 'user', content: 'Summarise the minutes of the last meeting. '.repeat(20 * (turn + 1)) },
      ];
      const answer = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, messages }),
      });
      await answer.text();
      if (!answer.ok) throw new Error(`a call failed with ${answer.status}`);
    }
  }
};

const photograph = async (browser: Browser, url: string, { file, path, scheme, size }: Screen): Promise<void> => {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, locale: 'en-US', baseURL: url });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel(/^username/i).fill('root');
  await page.getByLabel(/^password/i).fill(rootPassword);
  await page.keyboard.press('Enter');
  await page.waitForURL((address) => address.pathname !== '/login');
  await page.goto(path);
  await page.getByRole('row').nth(1).or(page.getByRole('listitem').nth(1)).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(root, 'docs', 'screens', file), animations: 'disabled' });
  await context.close();
};

mkdirSync(join(root, 'docs', 'screens'), { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'weir-screens-'));
const upstream = await startFakeUpstream();
upstream.behave(() => ({ words: 220 }));
const server = await startServer({ dataDir });
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  await furnish(server.url, upstream);
  for (const screen of screens) await photograph(browser, server.url, screen);
} finally {
  await browser.close();
  await server.stop('SIGTERM');
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
}
