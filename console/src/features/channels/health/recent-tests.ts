import { isRecord } from '../../../lib/is-record.ts';
import { readPreference, writePreference } from '../../../lib/browser/storage.ts';

/** A test from this browser: its time and duration; undefined: it failed. */
export interface RecentTest {
  readonly at: number;
  readonly ms: number | undefined;
}

const keptMax = 30;

const toTest = (stored: unknown): RecentTest[] => {
  if (!isRecord(stored) || typeof stored['at'] !== 'number') return [];
  const { at, ms } = stored;
  return [{ at, ms: typeof ms === 'number' ? ms : undefined }];
};

/** The latest tests of a channel, oldest first. */
export const recentTests = (id: number): readonly RecentTest[] => {
  const stored = readPreference(`tests:${id}`);
  return Array.isArray(stored) ? stored.flatMap(toTest).slice(-keptMax) : [];
};

export const noteTest = (id: number, ms: number | undefined): void =>
  writePreference(`tests:${id}`, [...recentTests(id), { at: Math.floor(Date.now() / 1000), ms }].slice(-keptMax));
