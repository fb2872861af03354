import type { NodeState, NodeView } from '@weir/contract/nodes/nodes';
import type { Tone } from '../../components/text/badge.tsx';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

interface StateLook {
  readonly tone: Tone;
  readonly text: Message;
  readonly tip: Message;
}

export const stateLooks: Readonly<Record<NodeState, StateLook>> = {
  running: { tone: 'ok', text: m.node_running, tip: m.node_running_tip },
  draining: { tone: 'warn', text: m.node_draining, tip: m.node_draining_tip },
  silent: { tone: 'bad', text: m.node_silent, tip: m.node_silent_tip },
  gone: { tone: 'off', text: m.node_gone, tip: m.node_gone_tip },
};

const workTexts: ReadonlyMap<string, () => string> = new Map([
  ['archive', m.node_work_archive],
  ['reconcile', m.node_work_reconcile],
  ['alerts', m.node_work_alerts],
  ['months', m.node_work_months],
]);

/** Names of log sinks follow their prefix. */
const sinkPrefix = 'log sink ';

/** What a node does for all of them, in words. */
export const workText = ({ work }: Pick<NodeView, 'work'>): string =>
  work.map((name) => (name.startsWith(sinkPrefix) ? m.node_work_sink() : (workTexts.get(name)?.() ?? name))).join(', ');

/** Nodes that are up, of more than one version. */
export const haveDifferentVersions = (nodes: readonly NodeView[]): boolean =>
  new Set(nodes.filter(({ state }) => state !== 'gone').map(({ version }) => version)).size > 1;
