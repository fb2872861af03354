import { defineConfig } from '@playwright/test';
import short from '../playwright.config.ts';

/** Tests that take too long for `npm test`: part of `npm run verify:long`. */
export default defineConfig({
  ...short,
  testDir: '.',
  testIgnore: [],
  // The tests add to one result file in turn.
  workers: 1,
  // Faults are listed in the result: a second run finds the same.
  retries: 0,
  outputDir: '../../test-results/long',
  reporter: [['list']],
  globalTimeout: 90 * 60_000,
});
