import type { Run } from '@weir/contract/limits/runs';
import { idColumn, moneyColumn, textColumn, timeColumn } from '../../components/table/common-columns.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { Badge } from '../../components/text/badge.tsx';
import { Money } from '../../components/text/money.tsx';
import { ShareBar } from '../../components/text/share-bar.tsx';
import { quotaText } from '../../lib/api/status.ts';
import { language } from '../../lib/browser/locale.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { endTexts, endTone } from './run-texts.ts';

/** Whether a run takes calls. */
export const RunState = ({ end }: Pick<Run, 'end'>) => {
  const t = useT();
  return <Badge tone={endTone({ end })}>{t(endTexts[end])}</Badge>;
};

/** Calls, and how many the run may make. */
export const callsText = ({ calls, calls_max: max }: Pick<Run, 'calls' | 'calls_max'>): string => {
  const count = calls.toLocaleString(language());
  return max === 0 ? count : `${count} / ${max.toLocaleString(language())}`;
};

const Used = ({ used, amount }: Run) => (
  <span className="inline-flex flex-col items-end gap-1 max-md:items-start">
    <Money quota={used} fine />
    {amount > 0 && <ShareBar used={used} of={amount} />}
  </span>
);

export const runColumns: readonly Column<Run>[] = [
  idColumn({ spare: true }),
  textColumn({
    id: 'name',
    title: m.run_name,
    fixed: true,
    card: 'title',
    className: 'max-w-64',
    strong: true,
    textOf: ({ name }) => name,
  }),
  textColumn({ id: 'owner', title: m.run_owner, from: 1024, textOf: ({ username }) => username }),
  textColumn({ id: 'token', title: m.run_token, from: 1280, textOf: ({ token_name: name }) => name }),
  {
    id: 'state',
    title: m.column_status,
    card: 'status',
    render: ({ end }) => <RunState end={end} />,
    sortBy: ({ end }) => end,
    text: ({ end }) => endTexts[end](),
    raw: ['end', ({ end }) => end],
  },
  {
    id: 'calls',
    title: m.usage_calls,
    end: true,
    card: 'value',
    render: (run) => <span className="tabular-nums">{callsText(run)}</span>,
    sortBy: ({ calls }) => calls,
    text: callsText,
    raw: ['calls', ({ calls }) => calls],
  },
  moneyColumn({
    id: 'used',
    title: m.usage_cost,
    card: 'value',
    render: (run) => <Used {...run} />,
    raw: ['used', ({ used }) => used],
  }),
  moneyColumn({
    id: 'amount',
    title: m.run_budget,
    from: 1024,
    render: ({ amount }) => (amount === 0 ? '—' : <Money quota={amount} />),
    text: ({ amount }) => (amount === 0 ? '' : quotaText(amount)),
    raw: ['amount', ({ amount }) => amount],
  }),
  timeColumn({
    id: 'started',
    title: m.run_started,
    card: 'value',
    raw: ['started_at', ({ started_at: at }) => at],
  }),
  timeColumn({
    id: 'last',
    title: m.run_last,
    from: 1024,
    raw: ['last_at', ({ last_at: at }) => at],
  }),
];
