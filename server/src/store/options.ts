import { isOptionKey, options, type OptionEntry, type OptionKey } from '@weir/contract/options';
import { sql } from 'kysely';
import type { Changes } from './changes.ts';
import type { Database } from './database.ts';
import type { Secrets } from './secrets.ts';

/** What an option's text means, by its kind. A list is split at commas; the ratio tables stay JSON text. */
export type OptionValue<Key extends OptionKey> = (typeof options)[Key]['kind'] extends 'boolean'
  ? boolean
  : (typeof options)[Key]['kind'] extends 'integer' | 'number'
    ? number
    : (typeof options)[Key]['kind'] extends 'list'
      ? readonly string[]
      : string;

/** The options as they are now: in memory, current at once in this process and soon on other nodes. */
export interface Options {
  get<Key extends OptionKey>(key: Key): OptionValue<Key>;
  /** The stored text, or the default. */
  text(key: OptionKey): string;
  /** Stores a checked text; it counts as soon as the promise resolves. */
  set(key: OptionKey, value: string): Promise<void>;
  /** Calls `listener` after every change of one of `keys`; returns what ends it. */
  watch(keys: readonly OptionKey[], listener: () => void): () => void;
  close(): void;
}

interface OptionsDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly changes: Changes;
  /** Defaults that come from data files: the ratio tables. */
  readonly defaults: Partial<Record<OptionKey, string>>;
}

const readers = {
  boolean: (text: string) => text === 'true',
  integer: (text: string) => Math.trunc(Number(text)) || 0,
  number: (text: string) => Number(text) || 0,
  list: (text: string) => text.split(',').map((part) => part.trim()).filter((part) => part !== ''),
  text: (text: string) => text,
  url: (text: string) => text,
  ratios: (text: string) => text,
} as const;

const contextOf = (key: string): string => `options/value/${key}`;
const isSecret = (key: OptionKey): boolean => {
  const entry: OptionEntry = options[key];
  return entry.secret === true;
};

const readAll = async ({ db, secrets }: OptionsDeps): Promise<Map<OptionKey, string>> => {
  const rows = await db.query.selectFrom('options').select(['key', 'value']).execute();
  const texts = new Map<OptionKey, string>();
  for (const { key, value } of rows) {
    if (isOptionKey(key)) texts.set(key, isSecret(key) && value !== '' ? secrets.open(value, contextOf(key)) : value);
  }
  return texts;
};

const store = async ({ db, secrets }: OptionsDeps, key: OptionKey, text: string): Promise<void> => {
  const value = isSecret(key) && text !== '' ? secrets.seal(text, contextOf(key)) : text;
  await db.query
    .insertInto('options')
    .values({ key, value, version: sql<number>`(select coalesce(max(version), 0) + 1 from options)` })
    .onConflict((on) =>
      on.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value'), version: eb.ref('excluded.version') })),
    )
    .execute();
};

/** Loads the options and keeps them current. */
export const loadOptions = async (deps: OptionsDeps): Promise<Options> => {
  let texts = await readAll(deps);
  const watchers = new Set<{ readonly keys: readonly OptionKey[]; readonly listener: () => void }>();
  const tell = (changed: (key: OptionKey) => boolean) => {
    for (const { keys, listener } of watchers) if (keys.some(changed)) listener();
  };
  const text = (key: OptionKey): string => texts.get(key) ?? deps.defaults[key] ?? options[key].default;
  let own = '';
  const unsubscribe = deps.changes.subscribe('option', ({ id }) => {
    if (id === own) return;
    void readAll(deps).then(
      (fresh) => {
        texts = fresh;
        tell((key) => id === 0 || key === id);
      },
      // The database is away: the change feed tells again after it came back.
      () => undefined,
    );
  });
  return {
    // The one place where an option's kind and its TypeScript type meet: `OptionValue` mirrors `readers`.
    get: <Key extends OptionKey>(key: Key) => readers[options[key].kind](text(key)) as OptionValue<Key>,
    text,
    set: async (key, value) => {
      await store(deps, key, value);
      texts.set(key, value);
      own = key;
      deps.changes.publish({ topic: 'option', id: key });
      own = '';
      tell((changed) => changed === key);
    },
    watch: (keys, listener) => {
      const watcher = { keys, listener };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    close: unsubscribe,
  };
};
