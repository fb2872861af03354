import type { NodeView } from '@weir/contract/nodes/nodes';
import { textColumn, timeColumn } from '../../components/table/common-columns.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { Badge } from '../../components/text/badge.tsx';
import type { Message } from '../../lib/hooks/use-t.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { stateLooks, workText } from './node-texts.ts';

const Name = ({ name, own }: Pick<NodeView, 'name' | 'own'>) => {
  const t = useT();
  return (
    <span className="block truncate" title={name}>
      <span className="font-medium">{name}</span>
      {own && <span className="ml-2 text-12 text-mute">{t(m.node_own)}</span>}
    </span>
  );
};

const State = ({ state }: Pick<NodeView, 'state'>) => {
  const t = useT();
  const { tone, text, tip } = stateLooks[state];
  return (
    <Badge tone={tone} tip={t(tip)}>
      {t(text)}
    </Badge>
  );
};

interface Figure extends Pick<Column<NodeView>, 'card' | 'from' | 'spare'> {
  readonly id: string;
  readonly title: Message;
  readonly unit?: string;
  readonly of: (node: NodeView) => number;
}

/** A node that is gone has no load. */
const figure = ({ id, title, unit = '', of, ...look }: Figure): Column<NodeView> => {
  const textOf = (node: NodeView): string =>
    node.state === 'gone' ? '—' : `${of(node).toLocaleString('en-US')}${unit}`;
  return {
    id,
    title,
    end: true,
    render: (node) => <span className="whitespace-nowrap tabular-nums">{textOf(node)}</span>,
    sortBy: of,
    text: textOf,
    raw: [id, of],
    ...look,
  };
};

const megabyte = 1 << 20;

export const nodeColumns: readonly Column<NodeView>[] = [
  {
    id: 'name',
    title: m.node_name,
    fixed: true,
    card: 'title',
    className: 'max-w-64',
    render: (node) => <Name {...node} />,
    sortBy: ({ name }) => name,
    text: ({ name }) => name,
  },
  {
    id: 'state',
    title: m.column_status,
    card: 'status',
    render: (node) => <State {...node} />,
    sortBy: ({ state }) => state,
    text: ({ state }) => stateLooks[state].text(),
    raw: ['state', ({ state }) => state],
  },
  figure({ id: 'calls', title: m.node_calls, card: 'value', of: ({ load }) => load.calls }),
  figure({ id: 'calls_minute', title: m.node_minute, card: 'value', of: ({ load }) => load.calls_minute }),
  figure({ id: 'queued', title: m.node_queued, spare: true, of: ({ load }) => load.queued }),
  figure({ id: 'holds', title: m.node_holds, from: 1024, of: ({ holds }) => holds }),
  figure({ id: 'cpu', title: m.node_cpu, unit: ' %', card: 'value', of: ({ load }) => load.cpu_percent }),
  figure({
    id: 'memory',
    title: m.node_memory,
    unit: ' MiB',
    from: 1024,
    card: 'value',
    of: ({ load }) => Math.round(load.memory / megabyte),
  }),
  figure({ id: 'loop', title: m.node_loop, unit: ' ms', from: 1366, of: ({ load }) => load.loop_ms }),
  figure({ id: 'lag', title: m.node_lag, unit: ' ms', card: 'value', of: ({ load }) => load.lag_ms }),
  figure({ id: 'writes', title: m.node_writes, spare: true, of: ({ load }) => load.writes }),
  textColumn({ id: 'version', title: m.node_version, from: 1280, textOf: ({ version }) => version }),
  timeColumn({
    id: 'started_at',
    title: m.node_started,
    spare: true,
    raw: ['started_at', ({ started_at: at }) => at],
  }),
  timeColumn({
    id: 'seen_at',
    title: m.node_seen,
    from: 1280,
    card: 'note',
    raw: ['seen_at', ({ seen_at: at }) => at],
  }),
  textColumn({ id: 'work', title: m.node_work, spare: true, className: 'max-w-64', textOf: workText }),
];
