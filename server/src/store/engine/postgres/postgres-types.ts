import { types } from 'pg';

const int8 = 20;
const numeric = 1700;

const toExact = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError(`${text} is not an exact integer`);
  return value;
};

/** Whole numbers arrive as numbers, sums (which PostgreSQL makes `numeric`) among them; inexact ones are refused. */
export const postgresTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === int8 || oid === numeric ? toExact : types.getTypeParser(oid, format),
};
