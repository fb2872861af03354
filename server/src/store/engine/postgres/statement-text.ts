import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type RawBuilder,
} from 'kysely';
import type { Schema } from '../../schema.ts';
import { useKey } from '../../ledger/accounts-state.ts';
import { emptyEntry } from '../../ledger/posting-work.ts';
import { channelUseColumns, hourKeyColumns, hourSumColumns, ledgerColumns } from '../../ledger/row-columns.ts';
import { logColumns, logTextColumns } from '../../logs/log-columns.ts';
import { chargeColumns, leftOut } from './charge-rows.ts';

/** A statement behind postings, to be prepared under its name. */
export interface PostgresStatement {
  readonly name: string;
  readonly text: string;
}

/** Kysely writes the text of each statement once; nothing is run here, and of the values only the positions matter. */
const db = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (target) => new PostgresIntrospector(target),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const compiled = new Map<string, PostgresStatement>();

/** The text of a statement, written at its first use. PostgreSQL takes names of 63 bytes at most. */
export const compile = (name: string, build: () => RawBuilder<unknown>): PostgresStatement => {
  const statement = compiled.get(name) ?? { name, text: build().compile(db).sql };
  compiled.set(name, statement);
  return statement;
};

const textColumns = new Set<string>([...logTextColumns, 'op_key', 'kind', 'reason', 'node', 'last_address', 'budgets']);
export const typeOf = (column: string) => sql.raw(textColumns.has(column) ? 'text' : 'bigint');
export const names = (columns: readonly string[], table?: string) =>
  sql.join(columns.map((column) => sql.ref(table === undefined ? column : `${table}.${column}`)));

const typed = (columns: readonly string[]) =>
  sql.join(columns.map((column) => sql`${sql.ref(column)} ${typeOf(column)}`));

/** The rows of the one parameter, a JSON array of objects: any number of rows with the same text. */
export const rowsOf = (columns: readonly string[]) =>
  sql`json_to_recordset(${sql.val('[]')}::json) as row (${typed(columns)})`;

interface InsertOptions {
  /** Where this is false, nothing is written. */
  readonly when: RawBuilder<unknown>;
  readonly ending?: RawBuilder<unknown>;
}

export const insertInto = (
  table: keyof Schema,
  columns: readonly string[],
  { when, ending = sql`` }: InsertOptions,
): RawBuilder<unknown> =>
  sql`insert into ${sql.table(table)} (${names(columns)})
    select ${names(columns, 'row')} from ${rowsOf(columns)} where ${when} ${ending}`;

/** In the order of the database's own text comparison, as the clearing of logs locks the same rows. */
const inKeyOrder = sql.join(
  hourKeyColumns.map((column) =>
    textColumns.has(column) ? sql`row.${sql.ref(column)} collate "C"` : sql`row.${sql.ref(column)}`,
  ),
);
const addExcluded = sql.join(
  hourSumColumns.map((column) => sql`${sql.ref(column)} = log_hours.${sql.ref(column)} + excluded.${sql.ref(column)}`),
);

/** Columns of the ledger that a charge has under another name, or not. */
const entryValues: Readonly<Record<string, RawBuilder<unknown>>> = {
  op_key: sql`${sql.lit(useKey(''))} || request_id`,
  kind: sql.lit('use'),
  amount: sql.ref('quota'),
  actor_id: sql.lit(emptyEntry.actor_id),
  reason: sql.lit(emptyEntry.reason),
};

export type Step = readonly [name: string, step: RawBuilder<unknown>];

/** What a batch enters, each with the parameters of `parametersOf`. */
export const enteredParts = ['ledger', 'charges', 'logs', 'hours', 'channels'] as const;
export type EnteredPart = (typeof enteredParts)[number];

/** The steps that enter a part, each with a name that no table has. */
export const enter = (part: EnteredPart, when: RawBuilder<unknown>): readonly Step[] => {
  switch (part) {
    case 'ledger':
      return [['ledger written', insertInto('ledger', ledgerColumns, { when })]];
    case 'logs':
      return [['logs written', insertInto('logs', logColumns, { when })]];
    case 'hours': {
      const ending = sql`order by ${inKeyOrder} on conflict (${names(hourKeyColumns)}) do update set ${addExcluded}`;
      return [['hours written', insertInto('log_hours', [...hourKeyColumns, ...hourSumColumns], { when, ending })]];
    }
    case 'channels': {
      const ending = sql`order by row.channel_id on conflict (channel_id, node)
        do update set used = channel_uses.used + excluded.used`;
      return [['channels written', insertInto('channel_uses', channelUseColumns, { when, ending })]];
    }
    case 'charges': {
      // Entries of the ledger and the log rows that report them, of one parameter; a second has what they have in common.
      const charge = sql`select ${sql.join(
        chargeColumns.map(
          (column) =>
            sql`coalesce(${sql.ref(`row.${column}`)}, ${sql.ref(`usual.${column}`)}, ${sql.lit(leftOut[column] ?? 0)}) as ${sql.ref(column)}`,
        ),
      )} from ${rowsOf(chargeColumns)}, json_to_record(${sql.val('{}')}::json) as usual (${typed(chargeColumns)}) where ${when}`;
      const entered = sql`insert into ledger (${names(ledgerColumns)})
        select ${sql.join(ledgerColumns.map((column) => entryValues[column] ?? sql.ref(column)))} from charge`;
      const logged = sql`insert into logs (${names(logColumns)}) select ${names(logColumns)} from charge`;
      return [
        ['charge', charge],
        ['entered', entered],
        ['logged', logged],
      ];
    }
  }
};

export const withSteps = (steps: readonly Step[]): RawBuilder<unknown> =>
  sql`with ${sql.join(steps.map(([name, step]) => sql`${sql.ref(name)} as (${step})`))}`;
