/** One SQL statement as it travels to the thread or server that runs it. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface StatementResult {
  readonly rows: readonly unknown[];
  /** Rows changed, where the statement changes any and returns none. */
  readonly changes?: number;
  readonly insertId?: number;
}
