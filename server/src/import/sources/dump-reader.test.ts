import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DumpPiece, readDump } from './dump-reader.ts';
import { SourceError } from './source.ts';

let folder = '';
let path = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-test-'));
  path = join(folder, 'dump.sql');
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Marks of SQL text, so that texts are full of what could end them. */
const marks = [
  "'",
  '"',
  '`',
  '\\',
  ';',
  '(',
  ')',
  ',',
  '--',
  '/*',
  '*/',
  '#',
  '\n',
  '\r',
  '\0',
  '\x1a',
  ' ',
  '€',
  '漢',
];
const text = fc.array(fc.oneof(fc.constantFrom(...marks), fc.string({ unit: 'grapheme', maxLength: 3 })), {
  maxLength: 8,
});
const cell = fc.oneof(
  fc.record({ kind: fc.constantFrom('escaped', 'doubled', 'hexadecimal', 'introduced'), value: text }),
  fc.record({ kind: fc.constant('number'), value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) }),
  fc.record({ kind: fc.constant('null'), value: fc.constant(null) }),
);
type DumpCell = typeof cell extends fc.Arbitrary<infer Value> ? Value : never;

/** What the reader is to give for a cell. */
const valueOf = ({ value }: DumpCell): string | null => {
  if (value === null) return null;
  return Array.isArray(value) ? value.join('') : String(value);
};

/** `mysql_real_escape_string` (MySQL 8 reference manual, string literals). */
const backslashes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\x1a': '\\Z',
  "'": "\\'",
  '"': '\\"',
  '\\': '\\\\',
};
const escaped = (value: string): string => `'${Array.from(value, (mark) => backslashes[mark] ?? mark).join('')}'`;

const spelled = (item: DumpCell): string => {
  const value = valueOf(item);
  if (value === null) return 'NULL';
  if (item.kind === 'number') return value;
  if (item.kind === 'hexadecimal') return `0x${Buffer.from(value).toString('hex').toUpperCase()}`;
  if (item.kind === 'doubled') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  return item.kind === 'introduced' ? `_binary ${escaped(value)}` : escaped(value);
};

/** Statements and comments between the rows, none of which is a row. */
const between = [
  '',
  "-- it's a comment; (1,2)\n",
  '# another, with `\n',
  "/*!40101 SET NAMES utf8mb4 */;\n/* it's; ( */",
  "SET @a = 'it''s; \\' (1)';\nLOCK TABLES `t` WRITE;",
  'INSERT INTO nothing SELECT 1;',
];
const statement = fc.record({
  before: fc.constantFrom(...between),
  verb: fc.constantFrom('INSERT INTO', 'insert ignore into', 'REPLACE INTO'),
  hasColumns: fc.boolean(),
  rows: fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
  separator: fc.constantFrom(',', ',\n', ' ,\r\n'),
});
type Statement = typeof statement extends fc.Arbitrary<infer Value> ? Value : never;

const columns = ['id', 'name'];
const spelledStatement = ({ before, verb, hasColumns, rows, separator }: Statement): string => {
  const tuples = rows.map((row) => `(${row.map(spelled).join(',')})`).join(separator);
  return `${before}\n${verb} \`t\` ${hasColumns ? '(`id`, `name`) ' : ''}VALUES ${tuples};\n`;
};
const piecesOf = ({ hasColumns, rows }: Statement): unknown[] => [
  { kind: 'insert', table: 't', columns: hasColumns ? columns : null },
  ...rows.map((row) => ({ kind: 'row', values: row.map(valueOf) })),
];

const readAll = async (bytes: string | Buffer, chunkBytes?: number): Promise<DumpPiece[]> => {
  writeFileSync(path, bytes);
  const pieces: DumpPiece[] = [];
  for await (const piece of readDump(path, chunkBytes === undefined ? {} : { chunkBytes })) pieces.push(piece);
  return pieces;
};

const dump = fc.array(statement, { minLength: 1, maxLength: 4 });

describe('a dump of MySQL', () => {
  test('gives every row as it was, however it is spelled and wherever the pieces of the file end', async () => {
    await fc.assert(
      fc.asyncProperty(dump, fc.integer({ min: 1, max: 64 }), async (statements, chunkBytes) => {
        const pieces = await readAll(statements.map(spelledStatement).join(''), chunkBytes);
        expect(pieces).toMatchObject(statements.flatMap(piecesOf));
      }),
      { numRuns: 100 },
    );
  });

  test('is read on from where a statement begins', async () => {
    await fc.assert(
      fc.asyncProperty(dump, async (statements) => {
        const pieces = await readAll(statements.map(spelledStatement).join(''));
        for (const [index, piece] of pieces.entries()) {
          if (piece.kind !== 'insert') continue;
          const rest: DumpPiece[] = [];
          for await (const found of readDump(path, { from: piece.at })) rest.push(found);
          expect(rest).toEqual(pieces.slice(index));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('that was cut gives no other rows, and is not taken for whole in the middle of a row', async () => {
    await fc.assert(
      fc.asyncProperty(dump, fc.nat(), async (statements, place) => {
        const whole = Buffer.from(statements.map(spelledStatement).join(''));
        const expected = await readAll(whole);
        const cut = place % whole.length;
        const pieces: DumpPiece[] = [];
        writeFileSync(path, whole.subarray(0, cut));
        let error: unknown;
        try {
          for await (const piece of readDump(path)) pieces.push(piece);
        } catch (thrown) {
          error = thrown;
        }
        expect(expected.slice(0, pieces.length)).toEqual(pieces);
        if (error !== undefined) expect(error).toBeInstanceOf(SourceError);
        else expect(pieces.length === 0 || whole.subarray(0, cut).includes(';')).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('of which bytes are damaged is read or refused with its reason, never with a fault of ours', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        dump,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1 }),
        async (statements, changes) => {
          const bytes = Buffer.from(statements.map(spelledStatement).join(''));
          for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
          try {
            await readAll(bytes);
          } catch (error) {
            if (!(error instanceof SourceError)) throw error;
            refused += 1;
          }
        },
      ),
      { numRuns: 100 },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
