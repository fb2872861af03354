import type { Redemption } from '@weir/contract/redemptions';
import { Badge } from '../../components/text/badge.tsx';
import {
  createdColumn,
  idColumn,
  moneyColumn,
  textColumn,
  timeColumn,
} from '../../components/table/common-columns.tsx';
import type { Column } from '../../components/table/data-table-types.ts';
import { Time } from '../../components/text/time.tsx';
import { Undo } from '../../components/overlay/undo.tsx';
import { formatTime } from '../../lib/format/format.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { statusOf } from './redemption-status.ts';
import { undoKey } from './use-redemption-actions.ts';

const Status = ({ code }: { readonly code: Redemption }) => {
  const t = useT();
  const [text, tone] = statusOf(code.status);
  return (
    <>
      <Badge tone={tone}>{t(text)}</Badge>
      <Undo of={undoKey(code)} />
    </>
  );
};

const Redeemed = ({ redeemed_time: at }: Redemption) => {
  const t = useT();
  return at === 0 ? <span className="text-mute">{t(m.redemption_not_yet)}</span> : <Time unixSeconds={at} />;
};

export const redemptionColumns: readonly Column<Redemption>[] = [
  idColumn(),
  textColumn({
    id: 'name',
    title: m.column_name,
    fixed: true,
    card: 'title',
    className: 'max-w-64',
    strong: true,
    textOf: ({ name }) => name,
  }),
  {
    id: 'status',
    title: m.column_status,
    card: 'status',
    render: (code) => <Status code={code} />,
    sortBy: ({ status }) => status,
    text: ({ status }) => statusOf(status)[0](),
    raw: ['status', ({ status }) => status],
  },
  moneyColumn({
    id: 'quota',
    title: m.redemption_quota,
    card: 'value',
    raw: ['quota', ({ quota }) => quota],
  }),
  createdColumn({ card: 'value' }),
  timeColumn({
    id: 'redeemed',
    from: 1024,
    title: m.redemption_redeemed,
    card: 'value',
    render: (code) => <Redeemed {...code} />,
    text: ({ redeemed_time: at }) => (at === 0 ? m.redemption_not_yet() : formatTime(at)),
    raw: ['redeemed_time', ({ redeemed_time: at }) => at],
  }),
];
