import type { Budget } from '@weir/contract/limits/budgets';
import { budgetPeriodTexts } from '../../components/limits/limit-texts.ts';
import { idColumn, moneyColumn, textColumn, timeColumn } from '../../components/table/common-columns.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { Badge } from '../../components/text/badge.tsx';
import { Money } from '../../components/text/money.tsx';
import { ShareBar } from '../../components/text/share-bar.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { leftOf, scopeTexts, subjectText } from './budget-texts.ts';

const Scope = ({ scope }: Budget) => {
  const t = useT();
  return <>{t(scopeTexts[scope])}</>;
};

const Period = ({ period }: Budget) => {
  const t = useT();
  return <>{t(budgetPeriodTexts[period])}</>;
};

const Kind = ({ hard }: Budget) => {
  const t = useT();
  return <Badge tone={hard ? 'ok' : 'off'}>{t(hard ? m.budget_hard : m.budget_soft)}</Badge>;
};

const Used = ({ used, granted }: Budget) => (
  <span className="inline-flex flex-col items-end gap-1 max-md:items-start">
    <Money quota={used} />
    <ShareBar used={used} of={granted} />
  </span>
);

export const budgetColumns: readonly Column<Budget>[] = [
  idColumn({ spare: true }),
  textColumn({
    id: 'subject',
    title: m.budget_subject,
    fixed: true,
    card: 'title',
    className: 'max-w-48 xl:max-w-64',
    strong: true,
    textOf: subjectText,
    raw: ['subject', ({ subject_id: id, model }) => model || id],
  }),
  {
    id: 'scope',
    from: 1024,
    title: m.budget_scope,
    render: (budget) => <Scope {...budget} />,
    sortBy: ({ scope }) => scope,
    text: ({ scope }) => scopeTexts[scope](),
    raw: ['scope', ({ scope }) => scope],
  },
  textColumn({ id: 'owner', title: m.budget_owner, from: 1280, textOf: ({ owner }) => owner }),
  {
    id: 'kind',
    title: m.column_status,
    card: 'status',
    render: (budget) => <Kind {...budget} />,
    sortBy: ({ hard }) => (hard ? 0 : 1),
    text: ({ hard }) => (hard ? m.budget_hard() : m.budget_soft()),
    raw: ['hard', ({ hard }) => (hard ? 1 : 0)],
  },
  {
    id: 'period',
    title: m.budget_period,
    render: (budget) => <Period {...budget} />,
    sortBy: ({ period_start: start, period_end: end }) => end - start,
    text: ({ period }) => budgetPeriodTexts[period](),
    raw: ['period', ({ period }) => period],
  },
  {
    id: 'zone',
    title: m.budget_zone,
    spare: true,
    render: ({ zone }) => zone,
    sortBy: ({ zone }) => zone,
    text: ({ zone }) => zone,
  },
  moneyColumn({
    id: 'used',
    title: m.budget_used,
    card: 'value',
    render: (budget) => <Used {...budget} />,
    raw: ['used', ({ used }) => used],
  }),
  moneyColumn({
    id: 'granted',
    title: m.budget_granted,
    from: 1280,
    raw: ['granted', ({ granted }) => granted],
  }),
  moneyColumn({ id: 'left', title: m.budget_left, card: 'value', raw: ['left', leftOf] }),
  timeColumn({
    id: 'renews',
    from: 1024,
    title: m.budget_renews,
    card: 'value',
    raw: ['period_end', ({ period_end: at }) => at],
  }),
];
