/** Records of the log, each as a JSON object on one line without its end. */
export interface LogBatch {
  readonly lines: readonly string[];
  /** The number of each. */
  readonly ids: readonly number[];
  /** Unix seconds of each. */
  readonly times: readonly number[];
  /** The same for the same records: a receiver may know by it that it has them already. */
  readonly name: string;
}

/** Where records of the log go besides the database. */
export interface LogSink {
  /** Most records of a batch; absent: the usual number. */
  readonly rowsPerBatch?: number;
  /** Seconds after which a batch is sent although it is not full; absent: at once. */
  readonly waitSeconds?: number;
  /** Resolves once the receiver has all of it. Rejects otherwise: the same records then come again. */
  send(batch: LogBatch): Promise<void>;
}
