import { defineConfig } from '@playwright/test';
import short from '../playwright.config.ts';

/** What takes too long for every `npm test`: part of `npm run verify:long`. */
export default defineConfig({
  ...short,
  testDir: '.',
  testIgnore: [],
  // One after the other adds to the result of all.
  workers: 1,
  outputDir: '../../test-results/long',
  reporter: [['list']],
  globalTimeout: 90 * 60_000,
});
