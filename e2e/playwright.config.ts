import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const systemChromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const isRoot = process.getuid?.() === 0;

/** Browser tests of the built product in Chromium. Each has a gateway of its own (`support/gateway.ts`). */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  testIgnore: 'long/**',
  outputDir: '../test-results',
  reporter: [['list'], ['json', { outputFile: '../.cache/e2e.json' }]],
  forbidOnly: true,
  fullyParallel: true,
  // Pages wait a third of their time: three at once on two cores.
  workers: 3,
  // The summary of `npm test` names the tests that needed it.
  retries: 1,
  timeout: 120_000,
  globalTimeout: 40 * 60_000,
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    actionTimeout: 20_000,
    navigationTimeout: 20_000,
    // Costs time in every test, so only the second run records one.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(existsSync(systemChromium) && { executablePath: systemChromium }),
      // Where the environment names no locale, Chromium takes letters beyond ASCII out of the names of files.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      // Chromium has no sandbox for root; the other flags turn off its background requests.
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
