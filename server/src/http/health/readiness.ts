import type { Readiness } from '@weir/contract/health';
import type { Database } from '../../store/database.ts';
import type { Changes } from '../../store/nodes/changes.ts';

export interface ReadinessDeps {
  readonly db: Pick<Database, 'missingMigrations'>;
  readonly changes: Pick<Changes, 'isSilent'>;
  /** The process was ordered to stop. */
  readonly isDraining: () => boolean;
  /** How long the database may take; absent: a second. */
  readonly answerMs?: number;
}

type Parts = Readiness['parts'];
type DatabaseParts = Pick<Parts, 'database' | 'migrations'>;

/** However many probes ask, the database is asked once in this time. */
const keptMs = 1000;
/** Queries of probes without an answer at once: what swallowed them may swallow the next, or be over. */
const unansweredMax = 3;

const good = { ok: true, reason: 'ok' };
const bad = (reason: string) => ({ ok: false, reason });

const afterMs = (ms: number) => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  return { promise, end: () => clearTimeout(timer) };
};

/** Asks the database. Resolves in bounded time, and never rejects. */
const createDatabaseCheck = ({ db, answerMs = 1000 }: ReadinessDeps) => {
  let unanswered = 0;
  const noAnswer: DatabaseParts = {
    database: bad(`no answer within ${answerMs} ms`),
    migrations: bad('unknown while the database does not answer'),
  };
  const query = async (): Promise<DatabaseParts> => {
    unanswered += 1;
    try {
      const missing = await db.missingMigrations();
      return { database: good, migrations: missing.length === 0 ? good : bad(`${missing.length} are missing`) };
    } catch {
      return { ...noAnswer, database: bad('it cannot be read') };
    } finally {
      unanswered -= 1;
    }
  };
  return async (): Promise<DatabaseParts> => {
    if (unanswered >= unansweredMax) return noAnswer;
    const limit = afterMs(answerMs);
    const parts = await Promise.race([query(), limit.promise]);
    limit.end();
    return parts ?? noAnswer;
  };
};

/** Finds out whether this node should get calls. */
export const createReadiness = (deps: ReadinessDeps): (() => Promise<Readiness>) => {
  const check = createDatabaseCheck(deps);
  let latest: Promise<DatabaseParts> | undefined;
  let askedAt = 0;
  return async () => {
    if (latest === undefined || performance.now() - askedAt > keptMs) {
      askedAt = performance.now();
      latest = check();
    }
    const { database, migrations } = await latest;
    const parts: Parts = {
      serving: deps.isDraining() ? bad('stopping') : good,
      database,
      migrations,
      changes: deps.changes.isSilent() ? bad('changes of other nodes do not arrive') : good,
    };
    return { ready: Object.values(parts).every(({ ok }) => ok), parts };
  };
};
