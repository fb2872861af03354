import type { Column } from '../../components/table/data-table-types.ts';
import { formatTokens, ModelEnd, useAbilities } from '../../components/text/model-facts.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { PriceRow } from './price-rows.ts';

type PriceColumn = Column<PriceRow>;

const none = <span className="text-mute">—</span>;
const tokensOf = (tokens: number | undefined) => (tokens === undefined ? none : formatTokens(tokens));

const AbilitiesCell = ({ can }: Pick<PriceRow, 'can'>) => {
  const abilities = useAbilities()(can);
  return abilities === '' ? none : <span className="text-13 whitespace-normal text-mute">{abilities}</span>;
};

/** All facts in one line: a card has no columns. */
const CardFacts = ({ context, output, can, ends }: PriceRow) => {
  const t = useT();
  const abilities = useAbilities()(can);
  const facts = [
    ...(context === undefined ? [] : [t(m.model_context_of, { tokens: formatTokens(context) })]),
    ...(output === undefined ? [] : [t(m.model_output_of, { tokens: formatTokens(output) })]),
    ...(abilities === '' ? [] : [abilities]),
  ];
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 empty:hidden md:hidden">
      {facts.length > 0 && <span>{facts.join(' · ')}</span>}
      {ends !== undefined && <ModelEnd ends={ends} />}
    </span>
  );
};

const context: PriceColumn = {
  id: 'context',
  from: 1280,
  title: m.model_context,
  end: true,
  card: 'note',
  render: (row) => (
    <>
      <span className="max-md:hidden">{tokensOf(row.context)}</span>
      <CardFacts {...row} />
    </>
  ),
  sortBy: (row) => row.context ?? -1,
  text: (row) => row.context ?? '',
};
const limit: PriceColumn = {
  id: 'limit',
  from: 1600,
  title: m.model_output,
  end: true,
  render: (row) => tokensOf(row.output),
  sortBy: (row) => row.output ?? -1,
  text: (row) => row.output ?? '',
};
const can: PriceColumn = {
  id: 'can',
  from: 1600,
  title: m.model_can,
  className: 'max-w-72',
  render: (row) => <AbilitiesCell {...row} />,
  sortBy: (row) => row.can?.length ?? 0,
  text: (row) => row.can?.join(' ') ?? '',
};
const ends: PriceColumn = {
  id: 'ends',
  from: 1280,
  title: m.model_end,
  render: (row) => (row.ends === undefined ? none : <ModelEnd ends={row.ends} />),
  sortBy: (row) => row.ends ?? '9999',
  text: (row) => row.ends ?? '',
};

/** What models can, of those of which it is known. */
export const factsColumns = (rows: readonly PriceRow[]): readonly PriceColumn[] => [
  ...(rows.some((row) => row.context !== undefined || row.output !== undefined) ? [context, limit] : []),
  ...(rows.some((row) => row.can !== undefined) ? [can] : []),
  ...(rows.some((row) => row.ends !== undefined) ? [ends] : []),
];
