import { options as optionEntries, type OptionEntry, isOptionKey } from '@weir/contract/options';
import { userStatus } from '@weir/contract/users';
import { openChannelKeys } from '../store/channels/channels.ts';
import type { Secrets } from '../store/credentials/secrets.ts';
import type { Database } from '../store/database.ts';
import { countImported, importedRows, readEntries, readLogTotals } from '../store/imports/imported-rows.ts';
import { overdrawnKey, userUseKey } from '../store/imports/opening-entries.ts';
import { verifyLedger, type Verification } from '../store/ledger/verify.ts';
import { readOptionTexts } from '../store/options.ts';
import { pagesIn, readSourceOptions } from './convert/convert-source.ts';
import { type Compared, type Comparison, createComparison, type FieldTotal } from './comparison.ts';
import type { Findings } from './findings.ts';
import type { SourceLog } from './import-logs.ts';
import { type RowReader, readRow } from './source-values.ts';
import type { Source } from './sources/source.ts';

export interface Proof {
  readonly totals: readonly FieldTotal[];
  readonly differences: readonly Compared[];
  /** Of the ledger with the balances: none where they match. */
  readonly ledger: Verification['findings'];
  readonly isEqual: boolean;
}

export interface ProofDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly source: Source;
  /** What was said about rows that differ. */
  readonly findings: Findings;
  /** Undefined: the log was not imported. */
  readonly log: SourceLog | undefined;
  /** Gets every comparison. */
  readonly write: (compared: Compared) => void;
}

type Comparing = ProofDeps & { readonly comparison: Comparison };
type ProvenTable = keyof typeof importedRows;

/** Keys are shown as whether they are there: the same word where they are the same. */
const isKey = { source: 'as in the source', missing: 'another' } as const;

interface Pair<Row> {
  readonly row: RowReader;
  readonly here: Row;
}

/** Every row of a table with the one here; a row that is missing here is compared as such. */
const eachPair = async function* <Table extends ProvenTable>(
  { db, source, comparison }: Comparing,
  table: Table,
): AsyncGenerator<readonly Pair<Awaited<ReturnType<(typeof importedRows)[Table]>>[number]>[]> {
  for await (const page of pagesIn(source, table)) {
    const rows = page.map((row) => readRow(table, row));
    const ids = rows.map(({ id }) => id);
    const range = { from: Math.min(...ids), to: Math.max(...ids) };
    const found: readonly Awaited<ReturnType<(typeof importedRows)[Table]>>[number][] = await importedRows[table](
      db.read,
      range,
    );
    const byId = new Map(found.map((row) => [row.id, row]));
    yield rows.flatMap((row) => {
      const here = byId.get(row.id);
      comparison.compare({
        table,
        id: row.id,
        field: 'row',
        source: 'there',
        here: here === undefined ? 'missing' : 'there',
      });
      return here === undefined ? [] : [{ row, here }];
    });
  }
};

const identityColumns = ['github_id', 'wechat_id', 'lark_id', 'oidc_id'] as const;

const proveUsers = async (deps: Comparing): Promise<void> => {
  const { db, secrets, comparison } = deps;
  for await (const pairs of eachPair(deps, 'users')) {
    const owing = pairs.filter(({ row }) => row.integer('quota') < 0).map(({ row }) => userUseKey(row.id));
    const debts = await readEntries(db.read, owing);
    for (const { row, here } of pairs) {
      const compare = (field: string, source: string | number, value: string | number) =>
        comparison.compare({ table: 'users', id: row.id, field, source, here: value });
      const debt = debts.get(userUseKey(row.id))?.unrecovered ?? 0;
      compare('quota', row.integer('quota'), here.available + here.held - debt);
      compare('used_quota', row.integer('used_quota'), here.used);
      compare('request_count', row.integer('request_count'), here.request_count);
      compare('username', row.text('username'), here.username);
      compare('role', row.integer('role', 1), here.role);
      compare('group', row.has('group') ? row.text('group') : 'default', here.group);
      compare('aff_code', row.key('aff_code'), here.aff_code);
      compare('inviter_id', row.integer('inviter_id'), here.inviter_id);
      const token = row.key('access_token');
      const digest = token === '' ? '' : secrets.digest(token);
      compare('access_token', isKey.source, digest === here.access_token_digest ? isKey.source : isKey.missing);
      compare('email', row.text('email').trim(), here.email);
      for (const column of identityColumns) compare(column, row.text(column), here[column]);
      if (row.date('deleted_at') === 0) compare('status', row.integer('status', 1), here.status);
      if (here.status === userStatus.deleted) continue;
      const hash = row.text('password').trim();
      compare('password', isKey.source, hash === here.password_hash ? isKey.source : isKey.missing);
    }
  }
};

const proveTokens = async (deps: Comparing): Promise<void> => {
  const { db, secrets, comparison } = deps;
  for await (const pairs of eachPair(deps, 'tokens')) {
    const overdrawn = pairs.filter(({ row }) => row.integer('remain_quota') < 0).map(({ row }) => overdrawnKey(row.id));
    const entries = await readEntries(db.read, overdrawn);
    for (const { row, here } of pairs) {
      const compare = (field: string, source: string | number, value: string | number) =>
        comparison.compare({ table: 'tokens', id: row.id, field, source, here: value });
      const below = entries.get(overdrawnKey(row.id))?.amount ?? 0;
      compare('remain_quota', row.integer('remain_quota'), here.available + here.held - below);
      compare('used_quota', row.integer('used_quota'), here.used);
      compare('user_id', row.integer('user_id'), here.user_id);
      compare('status', row.integer('status', 1), here.status);
      compare('expired_time', row.integer('expired_time', -1), here.expired_time);
      compare('unlimited_quota', row.flag('unlimited_quota') ? 1 : 0, here.unlimited_quota);
      compare('key', isKey.source, secrets.digest(row.key('key')) === here.key_digest ? isKey.source : isKey.missing);
    }
  }
};

const proveChannels = async (deps: Comparing): Promise<void> => {
  const { secrets, comparison } = deps;
  for await (const pairs of eachPair(deps, 'channels')) {
    for (const { row, here } of pairs) {
      const compare = (field: string, source: string | number, value: string | number) =>
        comparison.compare({ table: 'channels', id: row.id, field, source, here: value });
      compare('used_quota', row.integer('used_quota'), here.used);
      compare('type', row.integer('type'), here.type);
      compare('status', row.integer('status', 1), here.status);
      compare('models', row.text('models'), here.models);
      const key = openChannelKeys(secrets, here).join('\n');
      compare('key', isKey.source, key === row.key('key') ? isKey.source : isKey.missing);
    }
  }
};

const proveRedemptions = async (deps: Comparing): Promise<void> => {
  const { secrets, comparison } = deps;
  for await (const pairs of eachPair(deps, 'redemptions')) {
    for (const { row, here } of pairs) {
      const compare = (field: string, source: string | number, value: string | number) =>
        comparison.compare({ table: 'redemptions', id: row.id, field, source, here: value });
      compare('quota', row.integer('quota'), here.quota);
      compare('status', row.integer('status', 1), here.status);
      compare('key', isKey.source, secrets.digest(row.key('key')) === here.key_digest ? isKey.source : isKey.missing);
    }
  }
};

const isSecret = (key: string): boolean => {
  const entry: OptionEntry | undefined = isOptionKey(key) ? optionEntries[key] : undefined;
  return entry?.secret === true;
};

const proveOptions = async ({ db, secrets, source, comparison }: Comparing): Promise<void> => {
  const stored = await readOptionTexts(db, secrets);
  for (const [id, text] of await readSourceOptions(source)) {
    const here = stored.get(id);
    const shown = isSecret(id)
      ? { source: isKey.source, here: here === text ? isKey.source : isKey.missing }
      : { source: text, here: here ?? 'default' };
    comparison.compare({ table: 'options', id, field: 'value', ...shown });
  }
};

const proveLog = async ({ db, comparison, log }: Comparing): Promise<void> => {
  if (log === undefined) return;
  const compare = (id: string, field: string, source: number, here: number) =>
    comparison.compare({ table: 'logs', id, field, source, here });
  compare('all', 'rows', log.rows, await countImported(db.read, 'logs'));
  const totals = await readLogTotals(db.read);
  for (const [id, sums] of Object.entries(totals)) {
    compare(id, 'requests', log.totals.requests, sums.requests);
    compare(id, 'quota', log.totals.quota, sums.quota);
    compare(id, 'prompt_tokens', log.totals.promptTokens, sums.promptTokens);
    compare(id, 'completion_tokens', log.totals.completionTokens, sums.completionTokens);
  }
};

/** Rows here that the source does not have would be found by their number alone. */
const proveCounts = async ({ db, comparison }: Comparing): Promise<void> => {
  const rows = comparison.totals().filter(({ field }) => field === 'row');
  for (const table of ['users', 'tokens', 'channels', 'redemptions'] as const) {
    const total = rows.find((one) => one.table === table);
    const expected = total === undefined ? 0 : total.compared - total.stated - total.different;
    const here = await countImported(db.read, table);
    comparison.compare({ table, id: 'all', field: 'rows', source: expected, here });
  }
};

/** Puts every balance, used amount, count and option beside the source, and verifies the ledger. */
export const proveImport = async (deps: ProofDeps): Promise<Proof> => {
  const comparison = createComparison(deps.findings, deps.write);
  const comparing = { ...deps, comparison };
  await proveUsers(comparing);
  await proveTokens(comparing);
  await proveChannels(comparing);
  await proveRedemptions(comparing);
  await proveCounts(comparing);
  await proveOptions(comparing);
  await proveLog(comparing);
  const { findings: ledger } = await verifyLedger(deps.db);
  const { differences } = comparison;
  return { totals: comparison.totals(), differences, ledger, isEqual: comparison.isEqual && ledger.length === 0 };
};
