import type { BillFigures } from '@weir/contract/bills/bills';
import { Badge } from '../../components/text/badge.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { useLanguage } from '../../lib/browser/locale.ts';
import { currentT, useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { dollars, figureText, reasonLabels } from './bill-rows.ts';
import type { BillRow } from './bill-rows.ts';

type BillColumn = Column<BillRow>;

interface PairProps {
  readonly row: BillRow;
  readonly name: keyof BillFigures;
}

/** The vendor's figure above ours. */
const Pair = ({ row, name }: PairProps) => {
  const t = useT();
  const language = useLanguage();
  const [theirs, ours] = [row.theirs?.[name] ?? null, row.ours?.[name] ?? null];
  const off = theirs !== null && ours !== null && theirs !== ours;
  return (
    <span className="inline-flex flex-col items-end leading-tight tabular-nums">
      <span className={off && row.flagged ? 'font-semibold' : ''} data-tip={t(m.bill_theirs)}>
        {figureText(name, theirs, language)}
      </span>
      <span className="text-12 text-mute" data-tip={t(m.bill_ours)}>
        {figureText(name, ours, language)}
      </span>
    </span>
  );
};

const Reason = ({ row }: { readonly row: BillRow }) => {
  const t = useT();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <Badge tone={row.flagged ? 'bad' : row.reason === 'equal' || row.reason === 'close' ? 'ok' : 'olive'}>
        {t(reasonLabels[row.reason])}
      </Badge>
      {row.reason === 'price' && (
        <span className="text-12 text-mute tabular-nums">
          {t(m.bill_prices, { theirs: dollars(row.their_price), ours: dollars(row.our_price) })}
        </span>
      )}
    </span>
  );
};

const pair = (name: keyof BillFigures, title: Message, more: Partial<BillColumn> = {}): BillColumn => ({
  id: name,
  title,
  end: true,
  render: (row) => <Pair row={row} name={name} />,
  sortBy: (row) => Math.abs((row.theirs?.[name] ?? 0) - (row.ours?.[name] ?? 0)),
  text: (row) => row.theirs?.[name] ?? '',
  raw: [`own_${name}`, (row) => row.ours?.[name] ?? ''],
  ...more,
});

/** Names that differ from the one that both sides were matched by. */
const namesOf = ({ model, their_names: theirs, our_names: ours }: BillRow): string =>
  [...new Set([...theirs, ...ours])].filter((name) => name !== model).join(', ');

/** The vendor's figures above ours, by day and model. */
export const billColumns: readonly BillColumn[] = [
  {
    id: 'day',
    title: m.bill_day,
    fixed: true,
    card: 'note',
    className: 'whitespace-nowrap tabular-nums',
    render: ({ day }) => day,
    sortBy: ({ day }) => day,
    text: ({ day }) => day,
  },
  {
    id: 'model',
    title: m.bill_model,
    fixed: true,
    card: 'title',
    className: 'max-w-30 lg:max-w-72',
    render: (row) => (
      <span className="block truncate" title={[row.model, namesOf(row)].filter(Boolean).join(' · ')}>
        {row.model}
      </span>
    ),
    sortBy: ({ model }) => model,
    text: ({ model }) => model,
    raw: ['names', namesOf],
  },
  {
    id: 'reason',
    title: m.bill_reason,
    fixed: true,
    card: 'status',
    render: (row) => <Reason row={row} />,
    sortBy: ({ reason }) => reason,
    text: ({ reason }) => currentT()(reasonLabels[reason]),
    raw: ['reason', ({ reason }) => reason],
  },
  pair('requests', m.bill_requests, { from: 1024 }),
  pair('input', m.bill_input, { card: 'value' }),
  pair('cached', m.bill_cached, { spare: true }),
  pair('cache_write', m.bill_cache_write, { spare: true }),
  pair('output', m.bill_output, { card: 'value', from: 1024 }),
  pair('cost', m.bill_cost, {
    card: 'value',
    text: ({ theirs }) => theirs?.cost ?? '',
    raw: ['own_cost', ({ ours }) => ours?.cost ?? ''],
  }),
];
