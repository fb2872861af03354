import type { RateLimit } from '@weir/contract/limits/rate-limits';
import { amountText } from '../../components/limits/limit-texts.ts';
import { createdColumn, idColumn } from '../../components/table/common-columns.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { currentT, useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { scopeTexts, subjectText } from './rate-texts.ts';

const Subject = ({ rule }: { readonly rule: RateLimit }) => {
  const t = useT();
  const text = subjectText(rule, t);
  return (
    <span className="block truncate" title={text}>
      {text}
    </span>
  );
};

const Scope = ({ rule }: { readonly rule: RateLimit }) => {
  const t = useT();
  return <span className="font-medium">{t(scopeTexts[rule.scope])}</span>;
};

const Amount = ({ rule }: { readonly rule: RateLimit }) => {
  const t = useT();
  return <span className="tabular-nums">{amountText(rule, t)}</span>;
};

export const rateColumns: readonly Column<RateLimit>[] = [
  idColumn({ from: 1024 }),
  {
    id: 'scope',
    title: m.rate_scope,
    fixed: true,
    card: 'title',
    render: (rule) => <Scope rule={rule} />,
    sortBy: ({ scope }) => scope,
    text: ({ scope }) => scopeTexts[scope](),
    raw: ['scope', ({ scope }) => scope],
  },
  {
    id: 'subject',
    title: m.rate_subject,
    card: 'value',
    className: 'max-w-64',
    render: (rule) => <Subject rule={rule} />,
    sortBy: ({ subject }) => subject,
    text: (rule) => subjectText(rule, currentT()),
    raw: ['subject', ({ subject }) => subject],
  },
  {
    id: 'model',
    title: m.rate_model,
    card: 'value',
    className: 'max-w-64',
    render: ({ model }) => (
      <span className="block truncate" title={model}>
        {model || '—'}
      </span>
    ),
    sortBy: ({ model }) => model,
    text: ({ model }) => model,
  },
  {
    id: 'amount',
    title: m.rate_amount,
    end: true,
    card: 'value',
    render: (rule) => <Amount rule={rule} />,
    sortBy: ({ amount }) => amount,
    text: (rule) => amountText(rule, currentT()),
    raw: ['amount', ({ amount }) => amount],
  },
  createdColumn({ from: 1024, card: 'value' }),
];
