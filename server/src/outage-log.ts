import type { LoggerOptions } from 'pino';

/** Public failures that are no fault of the call: the database is away or its disk is full. */
const outageCodes = new Set<unknown>(['unavailable', 'storage_full', 'database_unavailable']);
/** Between two lines about the same outage. */
const quietMs = 10_000;

/** The code of an outage among the facts of a log line; undefined: the line is about something else. */
const outageOf = (facts: unknown): string | undefined => {
  const error: unknown = typeof facts === 'object' && facts !== null && 'err' in facts ? facts.err : undefined;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && outageCodes.has(code) ? code : undefined;
};

/**
 * Writes one line in ten seconds about calls that an outage of the database refused, with the number of those that are left
 * out since the last one: a full disk is not the time to write 3 KB for every call.
 */
export const limitOutageLines = (now: () => number): NonNullable<LoggerOptions['hooks']> => {
  /** By message and code. */
  const lines = new Map<string, { readonly at: number; omitted: number }>();
  return {
    logMethod(args, method) {
      const [facts, message] = args;
      const code = outageOf(facts);
      if (code === undefined) return method.apply(this, args);
      const key = `${code} ${message}`;
      const last = lines.get(key);
      if (last !== undefined && now() - last.at < quietMs) {
        last.omitted += 1;
        return;
      }
      lines.set(key, { at: now(), omitted: 0 });
      const omitted = last?.omitted ?? 0;
      return method.apply(this, omitted === 0 ? args : [Object.assign({ omitted }, facts), message]);
    },
  };
};
