import { AppError } from '../../errors.ts';

/**
 * Why a database cannot be used, in one line: behind a public failure its cause. A name with several addresses fails with
 * all of their errors, and no message of its own.
 */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AppError && error.cause instanceof Error) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message;
};

/** A failure of SQLite, after its transfer from the thread where it occurred. */
export interface PlainError {
  readonly message: string;
  readonly code: string;
  /** Extended result code of SQLite; 0 where the failure is not its own. */
  readonly errcode: number;
}

/** A statement that SQLite refused. */
export class SqliteError extends Error {
  readonly code: string;
  readonly errcode: number;

  constructor({ message, code, errcode }: PlainError) {
    super(message);
    this.name = 'SqliteError';
    this.code = code;
    this.errcode = errcode;
  }
}

const field = (error: object, name: string): unknown => Object.getOwnPropertyDescriptor(error, name)?.value;

export const toPlainError = (error: unknown): PlainError => {
  if (!(error instanceof Error)) return { message: String(error), code: '', errcode: 0 };
  const errcode = field(error, 'errcode');
  const code = field(error, 'code');
  return {
    message: error.message,
    code: typeof code === 'string' ? code : '',
    errcode: typeof errcode === 'number' ? errcode : 0,
  };
};

/** Primary result codes of SQLite (sqlite.org/rescode.html). */
const resultCodes = { busy: 5, ioError: 10, corrupt: 11, full: 13, notADatabase: 26 } as const;

const primary = (error: PlainError): number => error.errcode & 0xff;

export const isBusy = (error: PlainError): boolean => primary(error) === resultCodes.busy;

export const isFull = (error: PlainError): boolean => primary(error) === resultCodes.full;

/** After one of these the file cannot be trusted until it is opened again. */
export const isBroken = (error: PlainError): boolean =>
  [resultCodes.ioError, resultCodes.corrupt, resultCodes.notADatabase].some((code) => code === primary(error));

const sqliteUnique = [1555, 2067];

/** Whether a write failed because a unique key is taken, on either database. */
export const isUniqueViolation = (error: unknown): boolean => {
  if (error instanceof SqliteError) return sqliteUnique.includes(error.errcode);
  return error instanceof Error && field(error, 'code') === '23505';
};
