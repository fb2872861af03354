import type { Channel } from '@weir/contract/channels';
import { idColumn, moneyColumn, textColumn, timeColumn } from '../../../components/table/common-columns.tsx';
import type { Column } from '../../../components/table/data-table-types.ts';
import { splitList } from '../../../lib/format/format.ts';
import { language } from '../../../lib/browser/locale.ts';
import { currentStatus, quotaDisplay } from '../../../lib/api/status.ts';
import { m } from '../../../paraglide/messages.js';
import { successOf } from '../activity.ts';
import type { Activity } from '../activity.ts';
import { BalanceCell } from './balance-cell.tsx';
import { balanceText } from './balance-text.ts';
import {
  ModelsCell,
  PriorityCell,
  ResponseCell,
  StatusCell,
  SuccessCell,
  TrafficCell,
  TypeCell,
  WeightCell,
} from './channel-cells.tsx';
import { statusOf } from '../channel-status.ts';
import { typeName } from '../../../lib/type-name.ts';

const typeText = (type: number): string => typeName(type, language());

const columns: readonly Column<Channel>[] = [
  idColumn({ title: m.channel_id, from: 1024, end: false }),
  textColumn({
    id: 'name',
    title: m.column_name,
    fixed: true,
    card: 'title',
    className: 'max-w-56 max-xl:max-w-40',
    strong: true,
    textOf: ({ name }) => name,
  }),
  {
    id: 'type',
    title: m.channel_type,
    from: 1024,
    card: 'value',
    className: 'max-w-34',
    render: ({ type }) => <TypeCell type={type} />,
    sortBy: ({ type }) => typeText(type),
    text: ({ type }) => typeText(type),
    raw: ['type', ({ type }) => type],
  },
  {
    id: 'group',
    title: m.channel_group,
    from: 1024,
    render: ({ group }) => (
      <span className="block max-w-20 truncate" title={group}>
        {splitList(group).join(', ')}
      </span>
    ),
    sortBy: ({ group }) => group,
    text: ({ group }) => group,
  },
  {
    id: 'models',
    title: m.channel_models,
    from: 1366,
    render: ({ models }) => <ModelsCell models={models} />,
    sortBy: ({ models }) => splitList(models).length,
    text: ({ models }) => models,
  },
  {
    id: 'status',
    title: m.column_status,
    card: 'status',
    render: (channel) => <StatusCell channel={channel} />,
    sortBy: ({ status }) => status,
    text: ({ status }) => statusOf(status)[0](),
    raw: ['status', ({ status }) => status],
  },
  {
    id: 'response',
    title: m.channel_response,
    card: 'value',
    render: (channel) => <ResponseCell channel={channel} />,
    sortBy: ({ response_time: ms }) => ms,
    text: ({ response_time: ms }) => ms / 1000,
    raw: ['response_time', ({ response_time: ms }) => ms],
  },
  {
    id: 'balance',
    title: m.channel_balance,
    card: 'value',
    end: true,
    render: (channel) => <BalanceCell channel={channel} />,
    sortBy: ({ balance }) => balance,
    text: (channel) => balanceText(channel, quotaDisplay(currentStatus())) ?? '',
    raw: ['balance', ({ balance }) => balance],
  },
  {
    id: 'priority',
    title: m.channel_priority,
    render: (channel) => <PriorityCell channel={channel} />,
    sortBy: ({ priority }) => priority,
    text: ({ priority }) => priority,
  },
  {
    id: 'weight',
    title: m.channel_weight,
    spare: true,
    render: (channel) => <WeightCell channel={channel} />,
    sortBy: ({ weight }) => weight,
    text: ({ weight }) => weight,
  },
  timeColumn({
    id: 'tested',
    title: m.channel_tested,
    spare: true,
    raw: ['test_time', ({ test_time: at }) => at],
  }),
  moneyColumn({
    id: 'used',
    title: m.channel_used,
    spare: true,
    raw: ['used_quota', ({ used_quota: used }) => used],
  }),
];

const percent = (share: number): string => `${(share * 100).toFixed(share > 0.99 && share < 1 ? 1 : 0)}%`;

/** Success, traffic and spend of the last 24 hours. */
const trafficColumns = (activity: Activity | undefined): readonly Column<Channel>[] => [
  {
    id: 'success',
    title: m.channel_success,
    from: 1280,
    card: 'value',
    end: true,
    render: ({ id }) => <SuccessCell traffic={activity?.get(id)} />,
    sortBy: ({ id }) => successOf(activity?.get(id)) ?? -1,
    text: ({ id }) => {
      const share = successOf(activity?.get(id));
      return share === undefined ? '' : percent(share);
    },
  },
  {
    id: 'traffic',
    title: m.channel_traffic,
    from: 1280,
    end: true,
    render: ({ id }) => <TrafficCell traffic={activity?.get(id)} />,
    sortBy: ({ id }) => activity?.get(id)?.requests ?? 0,
    text: ({ id }) => activity?.get(id)?.requests ?? 0,
    raw: ['quota_24h', ({ id }) => activity?.get(id)?.quota ?? 0],
  },
];

/** Columns of the list; other servers of the contract do not report the traffic. */
export const channelColumns = (activity: Activity | undefined, reported: boolean): readonly Column<Channel>[] =>
  reported
    ? columns.flatMap((column) => (column.id === 'response' ? [column, ...trafficColumns(activity)] : [column]))
    : columns;
