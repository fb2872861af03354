import { type Expression, type SqlBool, sql } from 'kysely';

/** `column` begins with `keyword`, whatever its case; `%`, `_` and `\` in the keyword are themselves. */
export const beginsWith = (column: Expression<string>, keyword: string): Expression<SqlBool> => {
  const pattern = `${keyword.toLowerCase().replace(/[\\%_]/g, (wildcard) => `\\${wildcard}`)}%`;
  return sql<SqlBool>`lower(${column}) like ${pattern} escape '\\'`;
};
