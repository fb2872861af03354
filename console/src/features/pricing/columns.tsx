import { completionParts, promptParts } from '@weir/contract/prices/usage-parts';
import type { UsagePart } from '@weir/contract/prices/usage-parts';
import type { Column } from '../../components/table/data-table-types.ts';
import { m } from '../../paraglide/messages.js';
import { factsColumns } from './facts-columns.tsx';
import { hasNotes, InputCell, ModelCell, MoreCell, OutputCell, PartCell } from './price-cells.tsx';
import { partLabels } from './part-labels.ts';
import { partOf, partsIn } from './price-rows.ts';
import type { PriceRow } from './price-rows.ts';

type PriceColumn = Column<PriceRow>;

const model: PriceColumn = {
  id: 'model',
  title: m.price_model,
  fixed: true,
  card: 'title',
  className: 'max-w-80 xl:max-w-96',
  render: (row) => <ModelCell row={row} />,
  sortBy: (row) => row.model,
  text: (row) => row.model,
};
const maker: PriceColumn = {
  id: 'maker',
  from: 1280,
  title: m.price_maker,
  card: 'status',
  className: 'whitespace-nowrap',
  render: (row) => <span className="text-mute">{row.maker || '—'}</span>,
  sortBy: (row) => row.maker,
  text: (row) => row.maker,
};
const input: PriceColumn = {
  id: 'input',
  title: m.price_input,
  end: true,
  card: 'value',
  render: (row) => <InputCell {...row} />,
  sortBy: ({ price }) => price.input,
  text: ({ price }) => price.input,
};
const output: PriceColumn = {
  id: 'output',
  title: m.price_output,
  end: true,
  card: 'value',
  render: (row) => <OutputCell {...row} />,
  sortBy: ({ price }) => price.output,
  text: ({ price }) => price.output,
};
const partColumn = (part: UsagePart): PriceColumn => ({
  id: part,
  title: partLabels[part],
  end: true,
  // Most users need the price of cached tokens, few that of the other parts.
  ...(part === 'cache_read' ? { from: 1024 } : { spare: true }),
  render: (row) => <PartCell {...row} part={part} />,
  sortBy: ({ price }) => partOf(price, part),
  text: ({ price }) => partOf(price, part),
});
const more: PriceColumn = {
  id: 'more',
  from: 1024,
  title: m.price_notes,
  card: 'note',
  className: 'min-w-28',
  render: (row) => (hasNotes(row) ? <MoreCell {...row} /> : null),
  sortBy: ({ prices }) => prices.length,
  text: ({ prices }) => prices.length,
};
const channels: PriceColumn = {
  id: 'channels',
  from: 1366,
  title: m.price_channels,
  end: true,
  render: (row) => row.channels,
  sortBy: (row) => row.channels,
  text: (row) => row.channels,
};

/** Columns are only shown if some model has a value in them. */
export const priceColumns = (rows: readonly PriceRow[], admin: boolean): readonly PriceColumn[] => [
  model,
  maker,
  input,
  ...partsIn(rows, promptParts).map(partColumn),
  output,
  ...partsIn(rows, completionParts).map(partColumn),
  ...(rows.some(hasNotes) ? [more] : []),
  ...factsColumns(rows),
  ...(admin ? [channels] : []),
];
