import { neverExpires } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import { Badge } from '../../../components/text/badge.tsx';
import { createdColumn, moneyColumn, textColumn, timeColumn } from '../../../components/table/common-columns.tsx';
import type { Column } from '../../../components/table/data-table-types.ts';
import { Time } from '../../../components/text/time.tsx';
import { Undo } from '../../../components/overlay/undo.tsx';
import { quotaText } from '../../../lib/api/status.ts';
import { formatTime, splitList } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { KeyCell } from './key-cell.tsx';
import { Remaining } from './remaining.tsx';
import { statusNow, statusOf } from '../token-status.ts';
import { undoKey } from './use-token-actions.ts';

const expiry = ({ expired_time: at }: Token): string => (at === neverExpires ? m.never() : formatTime(at));

const Status = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const [text, tone] = statusOf(statusNow(token));
  return (
    <>
      <Badge tone={tone}>{t(text)}</Badge>
      <Undo of={undoKey(token)} />
    </>
  );
};

const Expiry = ({ expired_time: at }: Token) => {
  const t = useT();
  return at === neverExpires ? <>{t(m.never)}</> : <Time unixSeconds={at} />;
};

const Names = ({ list, none }: { readonly list: string; readonly none: Message }) => {
  const t = useT();
  const names = splitList(list).join(', ');
  if (names === '') return <span className="text-mute">{t(none)}</span>;
  return (
    <span className="block truncate font-mono text-13" title={names}>
      {names}
    </span>
  );
};

export const tokenColumns: readonly Column<Token>[] = [
  textColumn({
    id: 'name',
    title: m.column_name,
    fixed: true,
    card: 'title',
    className: 'max-w-56 max-lg:max-w-32',
    strong: true,
    textOf: ({ name }) => name,
  }),
  {
    id: 'status',
    title: m.column_status,
    card: 'status',
    render: (token) => <Status token={token} />,
    sortBy: ({ status }) => status,
    text: (token) => statusOf(statusNow(token))[0](),
    raw: ['status', ({ status }) => status],
  },
  moneyColumn({
    id: 'used',
    title: m.token_used,
    from: 1024,
    card: 'value',
    raw: ['used_quota', ({ used_quota: used }) => used],
  }),
  moneyColumn({
    id: 'remaining',
    title: m.token_remaining,
    card: 'value',
    render: (token) => <Remaining {...token} />,
    sortBy: ({ unlimited_quota: unlimited, remain_quota: remaining }) => (unlimited ? Infinity : remaining),
    text: ({ unlimited_quota: unlimited, remain_quota: remaining }) =>
      unlimited ? m.unlimited() : quotaText(remaining),
    raw: ['remain_quota', ({ remain_quota: remaining }) => remaining],
  }),
  { id: 'key', title: m.token_key, render: (token) => <KeyCell token={token} /> },
  createdColumn({ from: 1024 }),
  timeColumn({
    id: 'expires',
    title: m.token_expires,
    card: 'value',
    render: (token) => <Expiry {...token} />,
    sortBy: ({ expired_time: at }) => (at === neverExpires ? Infinity : at),
    text: expiry,
    raw: ['expired_time', ({ expired_time: at }) => at],
  }),
  {
    id: 'models',
    title: m.token_models,
    spare: true,
    className: 'max-w-56',
    render: ({ models }) => <Names list={models} none={m.token_models_all} />,
    text: ({ models }) => models,
  },
  {
    id: 'subnet',
    title: m.token_subnet,
    spare: true,
    className: 'max-w-56',
    render: ({ subnet }) => <Names list={subnet} none={m.token_subnet_all} />,
    text: ({ subnet }) => subnet,
  },
];
