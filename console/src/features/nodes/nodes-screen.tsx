import { useQueryClient } from '@tanstack/react-query';
import { listNodes } from '@weir/contract/nodes/nodes';
import type { NodeView } from '@weir/contract/nodes/nodes';
import { useEffect } from 'react';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListState } from '../../components/list/use-list-state.ts';
import { Notice } from '../../components/notice.tsx';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { call } from '../../lib/api/call.ts';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { nodeColumns } from './node-columns.tsx';
import { haveDifferentVersions, workText } from './node-texts.ts';
import { nodesSearch } from './nodes-search.ts';
import type { NodesSearch } from './nodes-search.ts';

const key = ['nodes'] as const;
/** Nodes report as often. */
const everyMs = 5000;

const texts = {
  title: m.node_title,
  search: m.node_search,
  empty: [m.node_empty_title, m.node_empty_text],
  noMatch: m.node_none_title,
} as const;

const source = {
  read: nodesSearch,
  pages: () => ({
    key: [...key],
    whole: true,
    fetchPage: (_: number, signal: AbortSignal): Promise<NodeView[]> => call(listNodes, { signal }),
  }),
  keepOf: ({ q }: NodesSearch) => {
    const wanted = q?.toLowerCase();
    if (wanted === undefined) return undefined;
    return (node: NodeView) =>
      [node.name, node.version, workText(node)].some((text) => text.toLowerCase().includes(wanted));
  },
};

/** `/node`: the nodes of this gateway, with their load. */
export const NodesScreen = () => {
  const t = useT();
  const client = useQueryClient();
  const state = useListState(source);
  useEffect(() => {
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: key }), everyMs);
    return () => clearInterval(timer);
  }, [client]);
  const { rows } = state.list;
  const copy = ({ name }: NodeView): void => void copyAloud(name);
  const entriesOf = (node: NodeView): readonly MenuEntry[] => [
    { kind: 'action', icon: 'copy', text: t(m.node_copy), run: () => copy(node) },
  ];
  return (
    <ListScreen
      name="nodes"
      icon="device"
      texts={texts}
      state={state}
      columns={nodeColumns}
      above={
        haveDifferentVersions(rows) && (
          <div className="mb-3">
            <Notice tone="warn">{t(m.node_versions)}</Notice>
          </div>
        )
      }
      nameOf={({ name }) => name}
      onOpen={copy}
      onCopy={copy}
      entriesOf={entriesOf}
    />
  );
};
