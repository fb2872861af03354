import { sql } from 'kysely';
import * as v from 'valibot';
import type { Database } from '../database.ts';

/** Periodic work that one node does for all. It keeps doing it while it lives; the others read what came of it. */
interface Task {
  readonly name: string;
  /** Unix seconds. */
  readonly now: number;
  /** Unix seconds. A node that has not done the work since then has lost it. */
  readonly lostBefore: number;
}

const keyOf = (name: string) => `task ${name}`;
/** The database compares them as text. */
const seconds = (time: number): string => String(time).padStart(10, '0');
const ownerAt = seconds(0).length + 2;

/** Whether the work is this process's to do. */
export const ownTask = async (
  { write, identity: { node, epoch } }: Database,
  { name, now, lostBefore }: Task,
): Promise<boolean> => {
  const owner = `${epoch} ${node}`;
  const owned = await write
    .insertInto('instance')
    .values({ key: keyOf(name), value: `${seconds(now)} ${owner}` })
    .onConflict((on) =>
      on
        .column('key')
        .doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))
        .where((eb) =>
          eb.or([
            eb('instance.value', '<', seconds(lostBefore)),
            eb(sql<string>`substr(instance.value, ${sql.lit(ownerAt)})`, '=', owner),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst();
  return owned !== undefined;
};

/** The names of all owned work, by the process that owns it: its epoch and node. */
export const tasksByOwner = async ({
  read,
}: Pick<Database, 'read'>): Promise<ReadonlyMap<string, readonly string[]>> => {
  const prefix = keyOf('');
  const rows = await read
    .selectFrom('instance')
    .selectAll()
    .where('key', '>', prefix)
    .where('key', '<', `${prefix}~`)
    .orderBy('key')
    .execute();
  const owned = Map.groupBy(rows, ({ value }) => value.slice(ownerAt - 1));
  return new Map(Array.from(owned, ([owner, tasks]) => [owner, tasks.map(({ key }) => key.slice(prefix.length))]));
};

const resultKeyOf = (name: string) => `result ${name}`;

/** Stores what came of the work, for the other nodes. */
export const keepTaskResult = async (
  { write }: Pick<Database, 'write'>,
  name: string,
  result: object,
): Promise<void> => {
  const value = JSON.stringify(result);
  await write
    .insertInto('instance')
    .values({ key: resultKeyOf(name), value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }))
    .execute();
};

/** Undefined: there is none, or one of another version. */
export const readTaskResult = async <Schema extends v.GenericSchema>(
  { read }: Pick<Database, 'read'>,
  name: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | undefined> => {
  const row = await read.selectFrom('instance').select('value').where('key', '=', resultKeyOf(name)).executeTakeFirst();
  const stored: unknown = row === undefined ? undefined : JSON.parse(row.value);
  const parsed = v.safeParse(schema, stored);
  return parsed.success ? parsed.output : undefined;
};

/** Leaves the work to the node that asks for it next. */
export const leaveTask = async (
  { write, identity: { node, epoch } }: Pick<Database, 'write' | 'identity'>,
  name: string,
): Promise<void> => {
  await write
    .deleteFrom('instance')
    .where('key', '=', keyOf(name))
    .where(sql`substr(value, ${sql.lit(ownerAt)})`, '=', `${epoch} ${node}`)
    .execute();
};
