import type { Database } from '../../../store/database.ts';
import { sumConsumption } from '../../../store/logs/log-sums.ts';
import { everything } from '../../../store/logs/log-filter.ts';
import { clockIn, instantOf } from './local-time.ts';

/** Whose use of which model, in the months of a time zone. */
export interface VolumeKey {
  readonly userId: number;
  /** As it is logged: after redirection. */
  readonly model: string;
  readonly zone: string;
}

/**
 * Tokens of prompt and completion that users have used in the current month, for models whose price depends on it.
 * They are read from the sums of the log once, and counted here from then on.
 */
export interface MonthlyVolumes {
  /** Null where the tokens are in memory and fresh; otherwise resolves once they are. Rejects if the database is away. */
  ready(key: VolumeKey, atMs: number): Promise<void> | null;
  /** Tokens of the month before an instant. Call `ready` first. */
  tokens(key: VolumeKey): number;
  /** Counts a call that was charged, and whose log row is written. */
  add(used: Omit<VolumeKey, 'zone'> & { readonly tokens: number }): void;
}

/** Milliseconds after which the calls of other nodes are read. */
export const freshMs = 2000;
/** Users and models that are kept; beyond, the one that was read first is read again at its next call. */
const keptMax = 10_000;

/** Readings in a row, while calls of the same user and model end. */
const readsMax = 10;

interface Month {
  /** Unix seconds. */
  readonly from: number;
  readonly before: number;
}

interface Entry {
  readonly key: VolumeKey;
  month: Month;
  tokens: number;
  readAtMs: number;
  /** How often a call was counted. */
  counted: number;
  reading: Promise<void> | null;
}

/** The calendar month of an instant. */
export const monthOf = (zone: string, atMs: number): Month => {
  const clock = new Date(clockIn(zone, atMs));
  const first = (month: number): number => instantOf(zone, Date.UTC(clock.getUTCFullYear(), month, 1)) / 1000;
  return { from: first(clock.getUTCMonth()), before: first(clock.getUTCMonth() + 1) };
};

const nameOf = ({ userId, model, zone }: VolumeKey): string => `${userId}\n${zone}\n${model}`;

export const createMonthlyVolumes = (db: Database): MonthlyVolumes => {
  const entries = new Map<string, Entry>();
  /** The entries of a user and a model, one for each time zone that prices name. */
  const zones = new Set<string>();

  const read = async (entry: Entry, atMs: number): Promise<void> => {
    const { userId, model, zone } = entry.key;
    const month = monthOf(zone, atMs);
    const isSame = month.from === entry.month.from;
    const filter = { ...everything, userId, modelName: model };
    let found = 0;
    let counted = -1;
    // A call that is counted meanwhile may be in the sums or not: read again, so that it counts once.
    for (let round = 0; round < readsMax && counted !== entry.counted; round += 1) {
      ({ counted } = entry);
      const { promptTokens, completionTokens } = await sumConsumption(db, { filter, span: month });
      found = promptTokens + completionTokens;
    }
    // A reader of PostgreSQL may not see yet what this node has counted.
    entry.tokens = isSame ? Math.max(entry.tokens, found) : found;
    entry.month = month;
    entry.readAtMs = atMs;
  };

  const isFresh = ({ month, readAtMs }: Entry, atMs: number): boolean =>
    atMs < month.before * 1000 && atMs >= month.from * 1000 && (db.kind === 'sqlite' || atMs - readAtMs < freshMs);

  const entryOf = (key: VolumeKey): Entry => {
    const name = nameOf(key);
    const known = entries.get(name);
    if (known !== undefined) return known;
    const oldest = entries.size < keptMax ? undefined : entries.keys().next().value;
    if (oldest !== undefined) entries.delete(oldest);
    const month = { from: 0, before: 0 };
    const entry: Entry = { key, month, tokens: 0, readAtMs: 0, counted: 0, reading: null };
    entries.set(name, entry);
    zones.add(key.zone);
    return entry;
  };

  return {
    ready: (key, atMs) => {
      const entry = entryOf(key);
      if (isFresh(entry, atMs)) return null;
      entry.reading ??= read(entry, atMs).finally(() => (entry.reading = null));
      return entry.reading;
    },
    tokens: (key) => entries.get(nameOf(key))?.tokens ?? 0,
    add: ({ userId, model, tokens }) => {
      for (const zone of zones) {
        const entry = entries.get(nameOf({ userId, model, zone }));
        if (entry === undefined) continue;
        entry.counted += 1;
        entry.tokens += tokens;
      }
    },
  };
};
