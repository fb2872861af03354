import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { NodeLoad } from '@weir/contract/nodes/nodes';
import type { Registry } from 'prom-client';
import type { Database } from '../store/database.ts';
import type { Changes } from '../store/nodes/changes.ts';
import { type NodeReport, writeNodeReport } from '../store/nodes/node-reports.ts';
import { startLoop } from './loop.ts';

const everyMs = 5000;

interface ReportNodeDeps {
  readonly db: Database;
  readonly changes: Pick<Changes, 'lagMs'>;
  /** The node's own: the report has the same figures as `/metrics`. */
  readonly metrics: Registry;
  /** Version of this process. */
  readonly build: string;
  readonly clock: { now(): number };
  readonly isDraining: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** The sum of a metric over its labels. */
const readSum = async (metrics: Registry, name: string): Promise<number> => {
  const metric = await metrics.getSingleMetric(name)?.get();
  return (metric?.values ?? []).reduce((sum, { value }) => sum + value, 0);
};

/** A counter over the last minute. */
const createRate = () => {
  const windowMs = 60_000;
  const points: { readonly at: number; readonly count: number }[] = [];
  return (count: number): number => {
    const at = performance.now();
    points.push({ at, count });
    while (points.length > 2 && at - (points[1]?.at ?? at) >= windowMs) points.shift();
    const [oldest] = points;
    const elapsed = oldest === undefined ? 0 : at - oldest.at;
    return elapsed < 1000 ? 0 : ((count - (oldest?.count ?? 0)) * windowMs) / elapsed;
  };
};

/** The share of a core that the process used since it was last asked. */
const createCpuShare = () => {
  let [used, at] = [process.cpuUsage(), performance.now()];
  return (): number => {
    const [spent, now] = [process.cpuUsage(used), performance.now()];
    const share = (spent.user + spent.system) / 1000 / Math.max(1, now - at);
    [used, at] = [process.cpuUsage(), now];
    return share;
  };
};

/** Milliseconds by which the event loop was late, 99th percentile since it was last asked. Scrapes have their own. */
const createLoopDelay = () => {
  const resolution = 20;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  return (): number => {
    const late = delays.count === 0 ? 0 : delays.percentile(99) / 1e6 - resolution;
    delays.reset();
    return Math.max(0, late);
  };
};

export interface NodeReporter {
  /** What the node last said of itself. */
  latest(): NodeReport;
  close(): Promise<void>;
}

/**
 * Says every few seconds what this node is and does: to the other nodes of a PostgreSQL through the database, which a
 * SQLite file need not be written for.
 */
export const startNodeReporter = async (deps: ReportNodeDeps): Promise<NodeReporter> => {
  const { db, changes, metrics, clock, isDraining } = deps;
  const { node: name, epoch } = db.identity;
  const startedAt = Math.floor(clock.now() / 1000);
  const [rate, cpuShare, loopDelay] = [createRate(), createCpuShare(), createLoopDelay()];

  const readLoad = async (): Promise<NodeLoad> => ({
    draining: isDraining(),
    calls: await readSum(metrics, 'weir_relay_calls_in_flight'),
    queued: await readSum(metrics, 'weir_relay_calls_queued'),
    calls_minute: Math.round(rate(await readSum(metrics, 'weir_relay_requests_total'))),
    lag_ms: Math.round(changes.lagMs()),
    loop_ms: Math.round(loopDelay()),
    cpu_percent: Math.round(cpuShare() * 100),
    memory: process.memoryUsage.rss(),
    writes: db.load().writes,
  });
  const report = async (): Promise<NodeReport> => ({
    name,
    epoch,
    version: deps.build,
    started_at: startedAt,
    seen_at: Math.floor(clock.now() / 1000),
    load: JSON.stringify(await readLoad()),
  });

  let latest = await report();
  const tell = async (): Promise<void> => {
    latest = await report();
    if (db.kind === 'postgres') await writeNodeReport(db, latest);
  };
  const close = startLoop(tell, { pauseMs: everyMs }, deps.onError);
  return { latest: () => latest, close };
};
