import type { IconName } from '../../components/icon.tsx';
import { isRecord } from '../../lib/is-record.ts';
import { currentUser } from '../../lib/api/session.ts';
import { tabMemory } from '../../lib/browser/storage.ts';

/** A token, a channel, a user or a record that was opened from the palette. */
interface Recent {
  readonly path: string;
  /** Its name, the same in every language. */
  readonly text: string;
  readonly icon: IconName;
}

const keptMax = 5;
const icons = [
  ['/token/', 'key'],
  ['/channel/', 'channel'],
  ['/user/', 'user'],
  ['/log?', 'log'],
  ['/pricing?', 'tag'],
] as const;

/** Entries of one account are not shown to the next account in the same tab. */
const memory = (): string => `recent:${currentUser()?.id ?? 0}`;

const read = (stored: unknown): Recent[] => {
  if (!isRecord(stored)) return [];
  const { path, text } = stored;
  if (typeof path !== 'string' || typeof text !== 'string') return [];
  const icon = icons.find(([prefix]) => path.startsWith(prefix))?.[1];
  return icon === undefined ? [] : [{ path, text, icon }];
};

/** Newest first. */
export const recentItems = (): readonly Recent[] => {
  const stored = tabMemory.read(memory());
  return Array.isArray(stored) ? stored.flatMap(read) : [];
};

/** Puts an entry at the front. */
export const rememberRecent = ({ path, text }: Pick<Recent, 'path' | 'text'>): void => {
  const others = recentItems().filter((recent) => recent.path !== path);
  tabMemory.write(memory(), [{ path, text }, ...others].slice(0, keptMax));
};
