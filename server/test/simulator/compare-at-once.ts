import { inspect, isDeepStrictEqual } from 'node:util';
import type {
  AccountsState,
  PeriodAccount,
  RowChanges,
  TokenAccount,
  UserAccount,
} from '../../src/store/ledger/accounts-state.ts';
import { changesBy } from '../../src/store/ledger/apply-to-accounts.ts';
import { availableIn } from '../../src/store/ledger/posting-work.ts';
import type { Posting } from '../../src/store/ledger/postings.ts';
import { assumeFor } from '../../src/store/engine/postgres/assumed-accounts.ts';
import { gainingRows } from '../../src/store/engine/postgres/post-at-once.ts';
import type { HoldsTable } from '../../src/store/schema.ts';

/** A row as the statement gets it: absent numbers are 0. */
type Given = Readonly<Record<string, string | number | undefined>>;
const numberIn = (row: Given, column: string): number => Number(row[column] ?? 0);

/** Adds what the row gains; null where the stored row is missing or not as assumed. */
type Gain<Row> = (stored: Row, row: Given) => Row | null;

const add = <Row extends object>(stored: Row, row: Given, columns: readonly (keyof Row & string)[]): Row => ({
  ...stored,
  ...Object.fromEntries(columns.map((column) => [column, Number(stored[column]) + numberIn(row, column)])),
});

const gainAll = <Key, Row>(
  rows: readonly Given[],
  { stored, keyOf, gain }: { stored: ReadonlyMap<Key, Row>; keyOf: (row: Given) => Key; gain: Gain<Row> },
): Map<Key, Row> | null => {
  const gained = new Map<Key, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    const before = stored.get(key);
    const after = before === undefined ? null : gain(before, row);
    if (after === null) return null;
    gained.set(key, after);
  }
  return gained;
};

const gainUser: Gain<UserAccount> = (stored, row) =>
  stored.available < numberIn(row, 'least') ? null : add(stored, row, ['available', 'held', 'used', 'request_count']);

const gainToken: Gain<TokenAccount> = (stored, row) => {
  if (stored.unlimited_quota !== numberIn(row, 'unlimited_quota')) return null;
  if (stored.unlimited_quota === 0 && stored.available <= numberIn(row, 'least')) return null;
  const at = numberIn(row, 'accessed_time');
  const address = String(row['last_address'] ?? '');
  return {
    ...add(stored, row, ['available', 'held', 'used']),
    accessed_time: Math.max(stored.accessed_time, at),
    last_address: at >= stored.accessed_time && address !== '' ? address : stored.last_address,
  };
};

const gainPeriod: Gain<PeriodAccount> = (stored, row) =>
  row['least'] !== undefined && availableIn(stored) < numberIn(row, 'least')
    ? null
    : add(stored, row, ['held', 'used']);

const gainHold: Gain<HoldsTable> = (stored, row) => {
  const isOther =
    stored.amount !== numberIn(row, 'amount') ||
    (row['token_limited'] !== undefined && stored.token_limited !== row['token_limited']) ||
    (row['budgets'] !== undefined && stored.budgets !== row['budgets']);
  if (isOther) return null;
  return {
    ...stored,
    amount: stored.amount + numberIn(row, 'more'),
    progress: Math.max(stored.progress, numberIn(row, 'progress')),
  };
};

const byId = (row: Given) => numberIn(row, 'id');

/** What the statement of a batch at once makes of stored rows, in the plainest way. */
const writeAtOnce = (state: AccountsState, postings: readonly Posting[]) => {
  const assumed = assumeFor(postings, state);
  if (assumed === undefined) return null;
  const { changes, outcomes } = changesBy(assumed.state, postings);
  const rows = gainingRows(changes, assumed.required);
  const users = gainAll(rows.users, { stored: state.users, keyOf: byId, gain: gainUser });
  const tokens = gainAll(rows.tokens, { stored: state.tokens, keyOf: byId, gain: gainToken });
  const keyOf = (row: Given) => String(row['request_id']);
  const holds = gainAll(rows.openHolds, { stored: state.holds, keyOf, gain: gainHold });
  const periods = gainAll(rows.periods, { stored: state.periods, keyOf: byId, gain: gainPeriod });
  // Unique keys of the database, and the charges of requests with a new hold.
  const isThere =
    changes.ledger.some(({ op_key }) => state.done.has(op_key)) ||
    rows.holds.some(({ request_id }) => state.holds.has(request_id) || state.done.has(`use:${request_id}`));
  if (users === null || tokens === null || holds === null || periods === null || isThere) return null;
  return { changes, outcomes, users, tokens, holds, periods, newHolds: rows.holds };
};

const after = <Key, Row>(
  gained: ReadonlyMap<Key, Row>,
  { stored, changed, keyOf }: { stored: ReadonlyMap<Key, Row>; changed: readonly Row[]; keyOf: (row: Row) => Key },
) => {
  const final = new Map([...stored, ...changed.map((row) => [keyOf(row), row] as const)]);
  return new Map(Array.from(gained.keys(), (key) => [key, final.get(key)]));
};

/**
 * Compares what a batch at once writes with what the arithmetic makes of the stored rows themselves. False: the batch would
 * have been read. Throws where the two differ.
 */
export const compareAtOnce = (
  state: AccountsState,
  postings: readonly Posting[],
  expected: { readonly outcomes: readonly object[]; readonly changes: RowChanges },
): boolean => {
  const written = writeAtOnce(state, postings);
  if (written === null) return false;
  const { changes } = expected;
  const byRequest = ({ request_id }: { readonly request_id: string }) => request_id;
  const isNew = ({ request_id }: { readonly request_id: string }) => !state.holds.has(request_id);
  const idOf = ({ id }: { readonly id: number }) => id;
  const pairs = {
    outcomes: [written.outcomes, expected.outcomes],
    users: [written.users, after(written.users, { stored: state.users, changed: changes.users, keyOf: idOf })],
    tokens: [written.tokens, after(written.tokens, { stored: state.tokens, changed: changes.tokens, keyOf: idOf })],
    periods: [
      written.periods,
      after(written.periods, { stored: state.periods, changed: changes.periods, keyOf: idOf }),
    ],
    'open holds': [
      [...written.holds].filter(([id]) => !written.changes.endedHolds.includes(id)),
      [...after(written.holds, { stored: state.holds, changed: changes.holds, keyOf: byRequest })].filter(
        ([id]) => !changes.endedHolds.includes(id),
      ),
    ],
    'new holds': [written.newHolds, changes.holds.filter(isNew)],
    'ended holds': [new Set(written.changes.endedHolds), new Set(changes.endedHolds)],
    channels: [written.changes.channels, changes.channels],
    ledger: [written.changes.ledger, changes.ledger],
    logs: [written.changes.logs, changes.logs],
    hours: [written.changes.hours, changes.hours],
  };
  for (const [what, [found, wanted]] of Object.entries(pairs)) {
    if (!isDeepStrictEqual(found, wanted))
      throw new Error(`L0 a batch at once writes other ${what} than one that is read: ${inspect([found, wanted])}`);
  }
  return true;
};
