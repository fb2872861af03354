import { createHash } from 'node:crypto';
import { Gauge, type Registry } from 'prom-client';
import * as v from 'valibot';
import { openLogSink } from '../../integrations/log-sinks/open-log-sink.ts';
import type { Outbound } from '../../integrations/outbound.ts';
import type { Database } from '../../store/database.ts';
import { isMarkSettled, type LogMark, markLog, readNextRows } from '../../store/logs/log-shipping.ts';
import type { LogRow } from '../../store/logs/logs.ts';
import { keepTaskResult, leaveTask, ownTask, readTaskResult } from '../../store/nodes/own-task.ts';
import { startLoop } from '../loop.ts';

export interface ShipLogsDeps {
  readonly db: Database;
  /** Undefined: the log stays in the database alone. */
  readonly sinkUrl: string | undefined;
  readonly outbound: Outbound;
  readonly clock: { now(): number };
  /** Milliseconds between two runs; absent: five seconds. */
  readonly everyMs?: number;
  readonly metrics: Registry;
  readonly log: { warn(facts: object, message: string): void };
  readonly onError: (error: unknown) => void;
}

const usualPauseMs = 5000;
/** Seconds after which another node ships. */
const lostSeconds = 60;
const usualRows = 1000;
/**
 * Seconds until the end of the log at a moment counts, with PostgreSQL: an insertion takes its id before it is seen to run,
 * and no statement runs longer than this.
 */
const settleSeconds = 31;

const stateSchema = v.object({ sink: v.string(), id: v.number(), at: v.number() });

/** The row as stored, its detail as an object. */
const lineOf = ({ detail, ...row }: LogRow): string => {
  const parsed: unknown = detail === '' ? {} : JSON.parse(detail);
  return JSON.stringify({ ...row, detail: parsed });
};

/** The sink without its account, as what was shipped is remembered by. */
const sinkName = (text: string): string => {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return createHash('sha256').update(url.href).digest('hex').slice(0, 16);
};

const createEnd = ({ db, clock }: Pick<ShipLogsDeps, 'db' | 'clock'>) => {
  const marks: { readonly mark: LogMark; readonly at: number }[] = [];
  let settled = 0;
  /** The highest id before which no row can appear any more. */
  return async (): Promise<number> => {
    const now = clock.now() / 1000;
    const mark = await markLog(db);
    if (mark.before === '') return mark.id;
    marks.push({ mark, at: now });
    for (let first = marks[0]; first !== undefined && first.at <= now - settleSeconds; first = marks[0]) {
      if (!(await isMarkSettled(db, first.mark))) break;
      settled = Math.max(settled, first.mark.id);
      marks.shift();
    }
    return settled;
  };
};

/**
 * Sends every row of the log to a sink in order, on one node, until the returned function ends it. What was sent is
 * remembered after each batch, so that a row comes at least once, and again only after a failure.
 */
export const startShipLogs = (deps: ShipLogsDeps): (() => Promise<void>) => {
  const { db, sinkUrl, outbound, clock, everyMs = usualPauseMs, metrics, log, onError } = deps;
  let waiting = 0;
  new Gauge({
    name: 'weir_log_sink_waiting_rows',
    help: 'Ids of log rows that the sink does not have yet, on the node that sends them; 0 on others.',
    registers: [metrics],
    collect() {
      this.set(waiting);
    },
  });
  if (sinkUrl === undefined) return () => Promise.resolve();
  const name = sinkName(sinkUrl);
  const task = `log sink ${name}`;
  const sink = openLogSink(sinkUrl, { outbound, clock });
  const { rowsPerBatch = usualRows, waitSeconds = 0 } = sink;
  const readEnd = createEnd(deps);
  const shipBatch = async (after: number, until: number): Promise<number> => {
    const rows = await readNextRows(db, { after, until, limit: rowsPerBatch });
    const last = rows.at(-1)?.id ?? until;
    if (rows.length > 0) {
      const times = rows.map((row) => row.created_at);
      const ids = rows.map((row) => row.id);
      await sink.send({ lines: rows.map(lineOf), ids, times, name: `${ids[0] ?? 0}-${last}` });
    }
    await keepTaskResult(db, task, { sink: name, id: last, at: Math.floor(clock.now() / 1000) });
    return last;
  };
  /** Asked before each batch: one that takes long loses the work to another node. */
  const isOwn = (): Promise<boolean> => {
    const now = Math.floor(clock.now() / 1000);
    return ownTask(db, { name: task, now, lostBefore: now - lostSeconds });
  };
  const ship = async (signal: AbortSignal): Promise<void> => {
    waiting = 0;
    if (!(await isOwn())) return;
    const until = await readEnd();
    const sent = await readTaskResult(db, task, stateSchema);
    let after = sent?.id ?? 0;
    let isDue = clock.now() / 1000 >= (sent?.at ?? 0) + waitSeconds;
    while (!signal.aborted && after < until && (isDue || until - after >= rowsPerBatch) && (await isOwn())) {
      waiting = until - after;
      after = await shipBatch(after, until);
      isDue = waitSeconds === 0;
    }
    waiting = Math.max(0, until - after);
  };
  const end = startLoop(
    (signal) =>
      ship(signal).catch((error: unknown) => log.warn({ err: error }, 'the log sink took nothing; it is tried again')),
    { pauseMs: everyMs },
    onError,
  );
  return async () => {
    await end();
    await leaveTask(db, task).catch(onError);
  };
};
