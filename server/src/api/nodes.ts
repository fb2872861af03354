import { listNodes, nodeLoadSchema, type NodeState, type NodeView } from '@weir/contract/nodes/nodes';
import * as v from 'valibot';
import { route, type Routes } from '../http/route.ts';
import type { NodeReporter } from '../jobs/report-node.ts';
import { listNodeReports, type StoredNode } from '../store/nodes/node-reports.ts';

/** Seconds without a report after which a node with a connection does not answer: four reports. */
const silentSeconds = 20;

const loadOf = (text: string): NodeView['load'] => v.parse(nodeLoadSchema, JSON.parse(text));

const stateOf = ({ connected, seen_at: seenAt, load }: StoredNode, now: number): NodeState => {
  if (!connected) return 'gone';
  if (now - seenAt > silentSeconds) return 'silent';
  return loadOf(load).draining ? 'draining' : 'running';
};

interface NodeRoutesDeps {
  readonly reporter: Pick<NodeReporter, 'latest'>;
  readonly clock: { now(): number };
}

export const nodeRoutes = (routes: Routes, { reporter, clock }: NodeRoutesDeps): void => {
  const { db } = routes.deps;
  route(routes, listNodes, async () => {
    const now = Math.floor(clock.now() / 1000);
    const stored = await listNodeReports(db, reporter.latest());
    const data = stored.map((node, index) => ({
      id: index + 1,
      name: node.name,
      state: stateOf(node, now),
      own: node.name === db.identity.node,
      version: node.version,
      started_at: node.started_at,
      seen_at: node.seen_at,
      holds: node.holds,
      work: [...node.work],
      load: loadOf(node.load),
    }));
    return { data };
  });
};
