import type { Margins } from '@weir/contract/margins';
import { CostText, isCostUnknown, MarginText } from '../../components/margins/margin-text.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { dollarsText, marginShare } from '../../lib/format/dollars.ts';
import { currentT, useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** A line of the table: lines have no ids of their own. */
export type MarginRow = Margins['lines'][number] & { readonly id: number };

export const toRows = (lines: Margins['lines']): readonly MarginRow[] =>
  lines.map((line, index) => ({ ...line, id: index + 1 }));

/** The name of a line for people. */
export const titleOf = ({ name, title }: MarginRow): string => {
  if (name === null) return currentT()(m.margin_rest);
  return title || currentT()(m.dash_nameless);
};

const unknownOf = ({ quota, uncosted }: MarginRow): number => (quota === 0 ? 0 : Math.round((uncosted / quota) * 100));

const Name = ({ row }: { readonly row: MarginRow }) => {
  const t = useT();
  const text = row.name === null ? t(m.margin_rest) : row.title || t(m.dash_nameless);
  return (
    <span className={`block truncate ${row.name === null ? 'text-mute' : ''}`} title={text}>
      {text}
    </span>
  );
};

/** What the calls of a line brought in, cost and left. */
export const marginColumns: readonly Column<MarginRow>[] = [
  {
    id: 'name',
    title: m.margin_name,
    fixed: true,
    card: 'title',
    className: 'w-full max-w-0 min-w-32',
    render: (row) => <Name row={row} />,
    sortBy: titleOf,
    text: titleOf,
    raw: ['name', ({ name }) => name ?? ''],
  },
  {
    id: 'requests',
    title: m.dash_requests,
    end: true,
    from: 1024,
    className: 'tabular-nums',
    render: ({ requests }) => requests.toLocaleString(),
    sortBy: ({ requests }) => requests,
    text: ({ requests }) => requests,
  },
  {
    id: 'revenue',
    title: m.margin_revenue,
    end: true,
    card: 'value',
    className: 'whitespace-nowrap tabular-nums',
    render: ({ revenue }) => dollarsText(revenue),
    sortBy: ({ revenue }) => Number(revenue),
    text: ({ revenue }) => dollarsText(revenue),
    raw: ['revenue_usd', ({ revenue }) => revenue],
  },
  {
    id: 'cost',
    title: m.margin_cost,
    end: true,
    card: 'value',
    render: (row) => <CostText amounts={row} />,
    sortBy: (row) => (isCostUnknown(row) ? -1 : Number(row.cost)),
    text: (row) => (isCostUnknown(row) ? '' : dollarsText(row.cost)),
    raw: ['cost_usd', (row) => (isCostUnknown(row) ? '' : row.cost)],
  },
  {
    id: 'margin',
    title: m.margin_margin,
    end: true,
    card: 'value',
    render: (row) => <MarginText amounts={row} />,
    sortBy: (row) => (isCostUnknown(row) ? -Infinity : Number(row.margin)),
    text: (row) => (isCostUnknown(row) ? '' : dollarsText(row.margin)),
    raw: ['margin_usd', (row) => (isCostUnknown(row) ? '' : row.margin)],
  },
  {
    id: 'percent',
    title: m.margin_percent,
    end: true,
    spare: true,
    className: 'tabular-nums',
    render: (row) => shareText(row),
    sortBy: (row) => marginShare(row) ?? -Infinity,
    text: shareText,
  },
  {
    id: 'unknown',
    title: m.margin_unknown,
    end: true,
    from: 1024,
    className: 'text-mute tabular-nums',
    render: (row) => `${unknownOf(row)}%`,
    sortBy: unknownOf,
    text: unknownOf,
  },
];

function shareText(row: MarginRow): string {
  const share = isCostUnknown(row) ? undefined : marginShare(row);
  return share === undefined ? '' : `${share.toFixed(1)}%`;
}
