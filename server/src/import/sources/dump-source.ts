import { type DumpPiece, readDump } from './dump-reader.ts';
import { pageRows, type Source, SourceError, type SourceRow, type SourceTable, sourceTables } from './source.ts';

/** Where the rows of a table are in the file. */
interface Place {
  columns: readonly string[];
  from: number | undefined;
  statements: number;
}

const isSourceTable = (name: string): name is SourceTable => sourceTables.some((table) => table === name);

/** The columns of a table in the order in which its definition has them. */
const columnsIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^\s*`([^`]+)`\s+\w/.exec(line)?.[1] ?? []);

const nameIn = (text: string): string => /^create\s+table\s+(?:if not exists\s+)?`?([\w$]+)`?/i.exec(text)?.[1] ?? '';

/** One pass over the file: what its tables are, and where their rows begin. */
const survey = async (path: string): Promise<ReadonlyMap<SourceTable, Place>> => {
  const places = new Map<SourceTable, Place>();
  const placeOf = (table: SourceTable): Place => {
    const place = places.get(table) ?? { columns: [], from: undefined, statements: 0 };
    places.set(table, place);
    return place;
  };
  for await (const piece of readDump(path)) {
    if (piece.kind === 'create') {
      const name = nameIn(piece.text);
      if (isSourceTable(name)) placeOf(name).columns = columnsIn(piece.text);
    } else if (piece.kind === 'insert' && isSourceTable(piece.table)) {
      const place = placeOf(piece.table);
      place.from ??= piece.at;
      place.statements += 1;
      if (piece.columns !== null && place.columns.length === 0) place.columns = piece.columns;
    }
  }
  return places;
};

const toRow = (columns: readonly string[], values: readonly (string | null)[]): SourceRow => {
  if (columns.length !== values.length)
    throw new SourceError(`A row of the dump has ${values.length} values for ${columns.length} columns`);
  return Object.fromEntries(columns.map((name, index) => [name, values[index]]));
};

interface Reading {
  readonly path: string;
  readonly table: SourceTable;
  readonly place: Place;
}

const rowsOf = async function* ({ path, table, place }: Reading): AsyncGenerator<SourceRow> {
  let current: Extract<DumpPiece, { kind: 'insert' }> | undefined;
  let left = place.statements;
  for await (const piece of readDump(path, { from: place.from })) {
    if (piece.kind === 'insert') {
      current = piece;
      if (left === 0) return;
      if (piece.table === table) left -= 1;
    } else if (piece.kind === 'row' && current?.table === table) {
      yield toRow(current.columns ?? place.columns, piece.values);
    }
  }
};

const pagesIn = async function* (reading: Reading, after: number): AsyncGenerator<readonly SourceRow[]> {
  let page: SourceRow[] = [];
  let last = Number.MIN_SAFE_INTEGER;
  for await (const row of rowsOf(reading)) {
    if (reading.table === 'logs') {
      const id = Number(row['id']);
      // What was read is remembered by the last id, so that an import can go on after it was cut.
      if (id <= last) throw new SourceError('The log of the dump is not in the order of its ids');
      last = id;
      if (id <= after) continue;
    }
    page.push(row);
    if (page.length < pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
};

/** A dump by `mysqldump` or `mariadb-dump`: read as a stream, each table from where its rows begin. */
export const openDumpSource = async (path: string): Promise<Source> => {
  const isNone = `${path} is no SQLite file, and no dump of MySQL with a gateway's tables`;
  const places = await survey(path).catch((error: unknown) => {
    throw error instanceof SourceError ? new SourceError(`${error.message}, or ${isNone}`, error) : error;
  });
  if (places.size === 0) throw new SourceError(isNone);
  return {
    kind: 'dump',
    columns: async (table) => places.get(table)?.columns ?? [],
    async *pages(table, after = Number.MIN_SAFE_INTEGER) {
      const place = places.get(table);
      if (place?.from !== undefined) yield* pagesIn({ path, table, place }, after);
    },
    close: async () => undefined,
  };
};
