import { sql, type RawBuilder } from 'kysely';
import type { Schema } from '../../schema.ts';
import { useKey } from '../../ledger/accounts-state.ts';
import { holdColumns } from '../../ledger/row-columns.ts';
import { compile, enter, names, rowsOf, withSteps, type PostgresStatement, type Step } from './statement-text.ts';

/** What a batch that is written without a read may have. Their order is that of the parameters. */
export const atOnceParts = [
  'users',
  'tokens',
  'openHolds',
  'periods',
  'holds',
  'ledger',
  'charges',
  'logs',
  'hours',
  'channels',
] as const;
export type AtOncePart = (typeof atOnceParts)[number];

/** Parts with rows that are assumed to be there. Every transaction locks them in this order. */
const lockedParts = ['users', 'tokens', 'openHolds', 'periods'] as const;
export type LockedPart = (typeof lockedParts)[number];
export const isLocked = (part: AtOncePart): part is LockedPart => lockedParts.some((locked) => locked === part);

/** True where all stored rows are as assumed. */
const when = sql`(select met from conditions)`;

const given = (column: string) => sql`coalesce(${sql.ref(`row.${column}`)}, 0)`;
const add = (table: string, columns: readonly string[]) =>
  sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + ${given(column)}`));
const givenRows = (part: AtOncePart) => sql`${sql.ref(`${part} given`)} as row`;

interface LockedTable {
  readonly table: keyof Schema;
  readonly key: 'id' | 'request_id';
  /** Of the parameter's rows. Numbers that are 0 are left out: parsing a member takes PostgreSQL half a microsecond. */
  readonly columns: readonly string[];
  /** Whether a stored row is as the batch assumes. */
  readonly isMet: RawBuilder<unknown>;
  /** What becomes of a stored row; absent: more than an update. */
  readonly set?: RawBuilder<unknown>;
  /** Its id, and its balance after it, with zeros where it has none; absent: nothing is answered. */
  readonly balance?: RawBuilder<unknown>;
}

const isLater = sql`row.accessed_time >= tokens.accessed_time and row.last_address <> ''`;
const left = sql`budget_periods.granted - budget_periods.held - budget_periods.used`;

const tables: Readonly<Record<LockedPart, LockedTable>> = {
  users: {
    table: 'users',
    key: 'id',
    columns: ['id', 'least', 'available', 'held', 'used', 'request_count'],
    isMet: sql`users.available >= ${given('least')}`,
    set: add('users', ['available', 'held', 'used', 'request_count']),
    balance: sql`users.id, users.available, users.held, users.used`,
  },
  tokens: {
    table: 'tokens',
    key: 'id',
    columns: ['id', 'least', 'unlimited_quota', 'available', 'held', 'used', 'accessed_time', 'last_address'],
    // More than is taken: a key of which nothing is left is marked as exhausted, by what is read of it.
    isMet: sql`tokens.unlimited_quota = ${given('unlimited_quota')}
      and (tokens.unlimited_quota = 1 or tokens.available > ${given('least')})`,
    set: sql`${add('tokens', ['available', 'held', 'used'])},
      accessed_time = greatest(tokens.accessed_time, row.accessed_time),
      last_address = case when ${isLater} then row.last_address else tokens.last_address end`,
    balance: sql`tokens.id, tokens.available, tokens.held, tokens.used`,
  },
  openHolds: {
    table: 'holds',
    key: 'request_id',
    columns: ['request_id', 'amount', 'token_limited', 'budgets', 'ends', 'more', 'progress'],
    isMet: sql`holds.amount = ${given('amount')} and
      coalesce(row.token_limited, holds.token_limited) = holds.token_limited and
      coalesce(row.budgets, holds.budgets) = holds.budgets`,
  },
  periods: {
    table: 'budget_periods',
    key: 'id',
    columns: ['id', 'least', 'held', 'used'],
    isMet: sql`row.least is null or ${left} >= row.least`,
    set: add('budget_periods', ['held', 'used']),
    balance: sql`budget_periods.id, ${left} as available, budget_periods.held, budget_periods.used`,
  },
};

const keyOf = ({ table, key }: LockedTable) => sql.ref(`${table}.${key}`);
const lockInOrder = (of: LockedTable) => sql`order by ${keyOf(of)} for no key update of ${sql.table(of.table)}`;

/** Each stored row, locked or not, with whether it is as assumed. */
const stored = (part: LockedPart, locks: boolean): Step => {
  const of = tables[part];
  const rows = sql`select ${of.isMet} as met from ${givenRows(part)}
    join ${sql.table(of.table)} on ${keyOf(of)} = ${sql.ref(`row.${of.key}`)}`;
  return [`${part} stored`, locks ? sql`${rows} ${lockInOrder(of)}` : rows];
};

/** Whether a row is missing or not as assumed. Arrays, as PostgreSQL takes five microseconds to set up an aggregate. */
const falls = (part: LockedPart) =>
  sql`array(select met from ${sql.ref(`${part} stored`)}) <> array(select true from ${givenRows(part)})`;

/** Whether the request of a new hold was charged before. Not a join, whose plan may read all of a ledger that was small once. */
const anyCharged = sql`exists (select from ledger where op_key = any (array(
  select ${sql.lit(useKey(''))} || row.request_id from ${givenRows('holds')})))`;

const ofOpenHold = sql`${givenRows('openHolds')} where holds.request_id = row.request_id and ${when}`;

const write = (part: AtOncePart): readonly Step[] => {
  if (part === 'openHolds') {
    const set = sql`amount = holds.amount + ${given('more')}, progress = greatest(holds.progress, row.progress)`;
    return [
      ['holds ended', sql`delete from holds using ${ofOpenHold} and row.ends = 1`],
      ['holds changed', sql`update holds set ${set} from ${ofOpenHold} and row.ends is null`],
    ];
  }
  if (part === 'holds') {
    // One that is there fails the statement.
    const rows = sql`select ${names(holdColumns, 'row')} from ${givenRows('holds')} where ${when}`;
    return [['holds written', sql`insert into holds (${names(holdColumns)}) ${rows}`]];
  }
  if (!isLocked(part)) return enter(part, when);
  const of = tables[part];
  const { table, set, balance } = of;
  const update = sql`update ${sql.table(table)} set ${set} from ${givenRows(part)} where ${keyOf(of)} = row.id and ${when}`;
  return [[`${part} written`, balance === undefined ? update : sql`${update} returning ${balance}`]];
};

const nameOf = (kind: string, parts: readonly AtOncePart[]) =>
  `${kind} ${parts.map((part) => atOnceParts.indexOf(part)).join('-')}`;

/** Locks the rows of these parts. One parameter for each: an array of keys. */
export const lockStatement = (parts: readonly LockedPart[]): PostgresStatement =>
  compile(nameOf('lock', parts), () => {
    const locked = parts.map((part) => {
      const of = tables[part];
      const rows = sql`select ${keyOf(of)} from ${sql.table(of.table)} where ${keyOf(of)} = any(${sql.val([])}) ${lockInOrder(of)}`;
      return sql`cardinality(array(${rows}))`;
    });
    return sql`select ${sql.join(locked)}`;
  });

/** Parts whose rows have a balance that a posting may look at. */
const lookedAt = ['users', 'tokens', 'periods'] as const;

/** Reads balances, and waits for no lock. One parameter each for users, tokens and periods of budgets: an array of ids. */
export const lookStatement = (): PostgresStatement =>
  compile('look', () =>
    sql.join(
      lookedAt.map((part) => {
        const { table, balance } = tables[part];
        const row = sql`${sql.lit(part)} as kind, ${balance ?? sql``}`;
        return sql`select ${row} from ${sql.table(table)} where id = any(${sql.val([])})`;
      }),
      sql` union all `,
    ),
  );

interface AtOnceOptions {
  readonly parts: readonly AtOncePart[];
  /** Whether it locks the rows itself; otherwise `lockStatement` did. */
  readonly locks: boolean;
}

/**
 * Compares stored rows with what the batch assumes of them, and where all are so, writes its changes and answers with the
 * balances. Otherwise it writes and answers nothing. One parameter for each part: rows as JSON text.
 */
export const atOnceStatement = ({ parts, locks }: AtOnceOptions): PostgresStatement =>
  compile(nameOf(locks ? 'at once' : 'locked', parts), () => {
    const ofRows = parts.filter(isLocked);
    const hasHolds = parts.includes('holds');
    const failures = [...ofRows.map(falls), ...(hasHolds ? [anyCharged] : [])];
    // The branches of a case are looked at in their order, other conditions in any: it is the order of the locks.
    const branches = sql.join(
      failures.map((failure) => sql`when ${failure} then false`),
      sql` `,
    );
    const newHolds: Step = ['holds given', sql`select * from ${rowsOf(holdColumns)}`];
    const steps: readonly Step[] = [
      ...ofRows.map((part): Step => [`${part} given`, sql`select * from ${rowsOf(tables[part].columns)}`]),
      ...ofRows.map((part) => stored(part, locks)),
      ...(hasHolds ? [newHolds] : []),
      ['conditions', sql`select case ${branches} else true end as met`],
      ...parts.flatMap(write),
    ];
    const answers = ofRows
      .filter((part) => tables[part].balance !== undefined)
      .map((part) => sql`select ${sql.lit(part)} as kind, * from ${sql.ref(`${part} written`)}`);
    return sql`${withSteps(steps)} ${sql.join(answers, sql` union all `)}`;
  });
