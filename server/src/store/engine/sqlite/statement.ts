/** One SQL statement as it travels to the thread or server that runs it. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Rows travel as arrays: objects take almost twice the time from one thread to another. */
export interface StatementResult {
  /** Names of the values of each row; none: the statement returns no rows. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Rows changed, where the statement changes any and returns none. */
  readonly changes?: number;
  readonly insertId?: number;
}
