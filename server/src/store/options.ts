import { isOptionKey, options, type OptionEntry, type OptionKey } from '@weir/contract/options';
import { namesIn } from '@weir/contract/wire';
import { sql } from 'kysely';
import type { Changes } from './nodes/changes.ts';
import type { Database, DatabaseTransaction } from './database.ts';
import type { Secrets } from './credentials/secrets.ts';

/** The value of an option's text, by its kind. A list is split at commas; the ratio tables stay JSON text. */
export type OptionValue<Key extends OptionKey> = (typeof options)[Key]['kind'] extends 'boolean'
  ? boolean
  : (typeof options)[Key]['kind'] extends 'integer' | 'number'
    ? number
    : (typeof options)[Key]['kind'] extends 'list'
      ? readonly string[]
      : string;

/** Beside the options: changes with every price book and own price, so that nodes read them again. */
export const priceRevision = 'PriceRevision';
type StoredKey = OptionKey | typeof priceRevision;
const isStoredKey = (key: string): key is StoredKey => key === priceRevision || isOptionKey(key);

/** A change of several options in one transaction. */
export interface OptionsChange {
  /** Gets the stored texts of those that were ever set, which no other transaction changes meanwhile; gives the texts to store. */
  readonly texts: (
    trx: DatabaseTransaction,
    stored: ReadonlyMap<OptionKey, string>,
  ) => Promise<ReadonlyMap<StoredKey, string>>;
  /** Writes something else, as the last thing in the transaction. */
  readonly alongside: (trx: DatabaseTransaction) => Promise<void>;
}

/** The options as they are now: in memory, current at once in this process and soon on other nodes. */
export interface Options {
  get<Key extends OptionKey>(key: Key): OptionValue<Key>;
  /** The stored text, or the default. */
  text(key: OptionKey): string;
  /** Stores a checked text, and in the same transaction whatever `alongside` writes; it counts once this resolves. */
  set(key: StoredKey, value: string, alongside?: (trx: DatabaseTransaction) => Promise<void>): Promise<void>;
  /** Changes several options as one; they count once this resolves. */
  change(keys: readonly OptionKey[], change: OptionsChange): Promise<void>;
  /** Calls `listener` after every change of one of `keys`; returns what ends it. */
  watch(keys: readonly StoredKey[], listener: () => void): () => void;
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
  list: namesIn,
  text: (text: string) => text,
  url: (text: string) => text,
  ratios: (text: string) => text,
} as const;

const contextOf = (key: string): string => `options/value/${key}`;
const isSecret = (key: StoredKey): boolean => {
  if (key === priceRevision) return false;
  const entry: OptionEntry = options[key];
  return entry.secret === true;
};

/** The stored text of an option, sealed with the next key instead of the previous one. */
export const resealedOption = (
  { previous, next }: { readonly previous: Secrets; readonly next: Secrets },
  key: string,
  value: string,
): string => {
  if (!isStoredKey(key) || !isSecret(key) || !previous.isOwn(value)) return value;
  return next.seal(previous.open(value, contextOf(key)), contextOf(key));
};

/** A stored text. Of two readings the one with the higher version is the later one. */
interface StoredOption {
  readonly text: string;
  readonly version: number;
}

const readAll = async ({
  db,
  secrets,
}: {
  readonly db: Pick<Database, 'read'>;
  readonly secrets: Secrets;
}): Promise<Map<StoredKey, StoredOption>> => {
  const rows = await db.read.selectFrom('options').selectAll().execute();
  const stored = new Map<StoredKey, StoredOption>();
  for (const { key, value, version } of rows) {
    if (!isStoredKey(key)) continue;
    const text = isSecret(key) && value !== '' ? secrets.open(value, contextOf(key)) : value;
    stored.set(key, { text, version });
  }
  return stored;
};

/** Stores a text and returns its version: higher than every one before, also where two nodes store at once. */
const write = async (trx: DatabaseTransaction, key: StoredKey, value: string): Promise<number> => {
  const { version } = await trx
    .insertInto('options')
    .values({ key, value, version: sql<number>`(select coalesce(max(version), 0) + 1 from options)` })
    .onConflict((on) =>
      on.column('key').doUpdateSet((eb) => ({
        value: eb.ref('excluded.value'),
        version: eb
          .case()
          .when('excluded.version', '>', eb.ref('options.version'))
          .then(eb.ref('excluded.version'))
          .else(eb('options.version', '+', 1))
          .end(),
      })),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
};

/** Changes of prices wait for each other until the transaction ends: what one reads before it writes is what counts. */
export const lockPrices = async (trx: DatabaseTransaction): Promise<void> => {
  await write(trx, priceRevision, '');
};

/** Stores a checked text of an option that was never set. */
export const storeMissingOption = async (trx: DatabaseTransaction, key: OptionKey, value: string): Promise<void> => {
  const isSet = await trx.selectFrom('options').select('key').where('key', '=', key).executeTakeFirst();
  if (isSet === undefined) await write(trx, key, value);
};

/** Stores the texts of options in a transaction of the caller: those of an import, while no server reads them. */
export const writeOptionTexts = async (
  trx: DatabaseTransaction,
  secrets: Secrets,
  texts: ReadonlyMap<OptionKey, string>,
): Promise<void> => {
  for (const [key, text] of texts)
    await write(trx, key, isSecret(key) && text !== '' ? secrets.seal(text, contextOf(key)) : text);
};

/** The stored texts of options, opened, as `loadOptions` has them. */
export const readOptionTexts = async (
  db: Pick<Database, 'read'>,
  secrets: Secrets,
): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await readAll({ db, secrets }))].map(([key, { text }]) => [key, text]));

/** The stored texts of options without secrets, locked until the transaction ends. */
const lockTexts = async (
  trx: DatabaseTransaction,
  keys: readonly OptionKey[],
): Promise<ReadonlyMap<OptionKey, string>> => {
  if (keys.length === 0) return new Map();
  const rows = await trx
    .updateTable('options')
    .set((eb) => ({ value: eb.ref('options.value') }))
    .where('key', 'in', keys)
    .returning(['key', 'value'])
    .execute();
  return new Map(rows.flatMap(({ key, value }) => (isOptionKey(key) ? [[key, value] as const] : [])));
};

const writeAll = async (
  trx: DatabaseTransaction,
  keys: readonly OptionKey[],
  { texts, alongside }: OptionsChange,
): Promise<[StoredKey, StoredOption][]> => {
  const rows: [StoredKey, StoredOption][] = [];
  for (const [key, text] of await texts(trx, await lockTexts(trx, keys)))
    rows.push([key, { text, version: await write(trx, key, text) }]);
  await alongside(trx);
  return rows;
};

/** Publishes changes of this node, and calls `onOther` after those of others. */
const createFeed = (changes: Changes, onOther: () => void) => {
  /** While this node publishes a change that it has applied itself. */
  let isOwn = false;
  const unsubscribe = changes.subscribe('option', () => {
    if (!isOwn) onOther();
  });
  const publish = (keys: readonly StoredKey[]) => {
    isOwn = true;
    for (const key of keys) changes.publish({ topic: 'option', id: key });
    isOwn = false;
  };
  return { publish, unsubscribe };
};

/** Milliseconds before a reading that failed is tried again. */
const retryMs = 1000;

/** Loads the options and keeps them current. */
export const loadOptions = async (deps: OptionsDeps): Promise<Options> => {
  const { changes, db, secrets } = deps;
  const stored = await readAll(deps);
  const watchers = new Set<{ readonly keys: readonly StoredKey[]; readonly listener: () => void }>();
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  /** Applies what is newer than the known values: a read may have begun before the last change and end after it. */
  const take = (fresh: Iterable<readonly [StoredKey, StoredOption]>) => {
    const changed = new Set<StoredKey>();
    for (const [key, row] of fresh) {
      if (row.version <= (stored.get(key)?.version ?? 0)) continue;
      stored.set(key, row);
      changed.add(key);
    }
    for (const { keys, listener } of watchers) if (keys.some((key) => changed.has(key))) listener();
  };
  const reload = () => {
    clearTimeout(retry);
    readAll(deps).then(take, () => {
      if (!closed) retry = setTimeout(reload, retryMs);
    });
  };
  const feed = createFeed(changes, reload);
  const text = (key: OptionKey): string => stored.get(key)?.text ?? deps.defaults[key] ?? options[key].default;

  return {
    // An option's kind and its TypeScript type meet only here: `OptionValue` mirrors `readers`.
    // oxlint-disable-next-line typescript/consistent-type-assertions
    get: <Key extends OptionKey>(key: Key) => readers[options[key].kind](text(key)) as OptionValue<Key>,
    text,
    set: async (key, value, alongside) => {
      const sealed = isSecret(key) && value !== '' ? secrets.seal(value, contextOf(key)) : value;
      const version = await db.write.transaction().execute(async (trx) => {
        const written = await write(trx, key, sealed);
        await alongside?.(trx);
        return written;
      });
      take([[key, { text: value, version }]]);
      feed.publish([key]);
    },
    change: async (keys, change) => {
      const written = await db.write.transaction().execute((trx) => writeAll(trx, keys, change));
      take(written);
      feed.publish(written.map(([key]) => key));
    },
    watch: (keys, listener) => {
      const watcher = { keys, listener };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    close: () => {
      closed = true;
      clearTimeout(retry);
      feed.unsubscribe();
    },
  };
};
