import { type Expression, type SqlBool, sql } from 'kysely';

/** Rows that a search answers at most: it comes in one piece. */
export const searchMax = 1000;

/** Both databases fold the case of ASCII letters alone. */
const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const escaped = (keyword: string): string => fold(keyword).replace(/[\\%_]/g, (wildcard) => `\\${wildcard}`);

const isLike = (column: Expression<string>, pattern: string): Expression<SqlBool> =>
  sql<SqlBool>`lower(${column}) like ${pattern} escape '\\'`;

/** `column` begins with `keyword`, whatever its case; `%`, `_` and `\` in the keyword are themselves. */
export const beginsWith = (column: Expression<string>, keyword: string): Expression<SqlBool> =>
  isLike(column, `${escaped(keyword)}%`);

/** As `beginsWith`, anywhere in the column: for the few rows of one owner, or of a small table. */
export const contains = (column: Expression<string>, keyword: string): Expression<SqlBool> =>
  isLike(column, `%${escaped(keyword)}%`);

/** As `beginsWith`, as a range of an index on `lower(column)`: for large tables, in the order of that index. */
export const beginsWithIndexed = (column: Expression<string>, keyword: string): Expression<SqlBool> => {
  const first = fold(keyword);
  return sql<SqlBool>`lower(${column}) >= ${first} and lower(${column}) < ${`${first}\u{10ffff}`}`;
};

/** The id that a keyword may mean; undefined: none. */
export const idIn = (keyword: string): number | undefined => (/^\d{1,15}$/.test(keyword) ? Number(keyword) : undefined);
