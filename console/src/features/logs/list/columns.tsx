import { timeColumn } from '../../../components/table/common-columns.tsx';
import type { Column } from '../../../components/table/data-table-types.ts';
import { fineDollarsText } from '../../../lib/format/dollars.ts';
import { formatCost } from '../../../lib/format/format.ts';
import { currentStatus, quotaDisplay } from '../../../lib/api/status.ts';
import { formatTook } from '../../../lib/format/format-took.ts';
import { m } from '../../../paraglide/messages.js';
import { CostCell, CountCell, TextCell, TookCell, TypeCell, VendorCostCell } from './log-cells.tsx';
import { channelText } from './log-row.ts';
import type { LogRow } from './log-row.ts';
import { wordOf } from '../filters/log-type.ts';

type LogColumn = Column<LogRow>;

const time: LogColumn = timeColumn({
  id: 'time',
  track: '9.75rem',
  title: m.log_time,
  fixed: true,
  raw: ['created_at', ({ created_at: at }) => at],
});
const channel: LogColumn = {
  id: 'channel',
  from: 1024,
  track: 'minmax(6rem,1.5fr)',
  title: m.log_channel,
  render: (row) => <TextCell text={channelText(row)} />,
  sortBy: channelText,
  text: channelText,
};
const user: LogColumn = {
  id: 'user',
  track: 'minmax(4rem,1fr)',
  title: m.log_user,
  className: 'max-w-32',
  render: ({ username }) => <TextCell text={username} />,
  sortBy: ({ username }) => username,
  text: ({ username }) => username,
};
const key: LogColumn = {
  id: 'key',
  track: 'minmax(5.5rem,1fr)',
  title: m.log_key,
  className: 'max-w-40',
  render: ({ token_name: name }) => <TextCell text={name} />,
  sortBy: ({ token_name: name }) => name,
  text: ({ token_name: name }) => name,
};
const type: LogColumn = {
  id: 'type',
  track: '7rem',
  title: m.log_type,
  render: (row) => <TypeCell row={row} />,
  sortBy: (row) => row.type,
  text: (row) => wordOf(row)[0](),
  raw: ['type', (row) => row.type],
};
const model: LogColumn = {
  id: 'model',
  track: 'minmax(7rem,1.25fr)',
  title: m.log_model,
  className: 'max-w-52',
  render: ({ model_name: name }) => <TextCell text={name} mono />,
  sortBy: ({ model_name: name }) => name,
  text: ({ model_name: name }) => name,
};
const prompt: LogColumn = {
  id: 'prompt',
  from: 1024,
  track: '5rem',
  title: m.log_prompt,
  end: true,
  render: (row) => <CountCell row={row} count={row.prompt_tokens} />,
  sortBy: ({ prompt_tokens: count }) => count,
  text: ({ prompt_tokens: count }) => count,
};
const completion: LogColumn = {
  id: 'completion',
  from: 1024,
  track: '6rem',
  title: m.log_completion,
  end: true,
  render: (row) => <CountCell row={row} count={row.completion_tokens} />,
  sortBy: ({ completion_tokens: count }) => count,
  text: ({ completion_tokens: count }) => count,
};
const cost: LogColumn = {
  id: 'quota',
  track: '6rem',
  title: m.log_cost,
  end: true,
  render: (row) => <CostCell row={row} />,
  sortBy: ({ quota }) => quota,
  text: ({ quota }) => formatCost(quota, quotaDisplay(currentStatus())),
  raw: ['quota', ({ quota }) => quota],
};
/** What the call or test cost at its vendor. */
const vendorCost: LogColumn = {
  id: 'vendor_cost',
  track: '6rem',
  title: m.log_vendor_cost,
  spare: true,
  end: true,
  render: ({ cost: dollars }) => <VendorCostCell dollars={dollars} />,
  sortBy: ({ cost: dollars }) => Number(dollars ?? -1),
  text: ({ cost: dollars }) => (typeof dollars === 'string' ? fineDollarsText(dollars) : ''),
  raw: ['vendor_cost_usd', ({ cost: dollars }) => dollars ?? ''],
};
const took: LogColumn = {
  id: 'took',
  from: 1280,
  track: '4.5rem',
  title: m.log_took,
  end: true,
  render: (row) => <TookCell row={row} />,
  sortBy: ({ elapsed_time: ms }) => ms,
  text: ({ elapsed_time: ms }) => (ms > 0 ? formatTook(ms) : ''),
  raw: ['elapsed_time', ({ elapsed_time: ms }) => ms],
};
const details: LogColumn = {
  id: 'details',
  from: 1280,
  track: 'minmax(10rem,3fr)',
  title: m.log_details,
  className: 'w-full max-w-0 min-w-32',
  render: ({ content }) => <TextCell text={content} />,
  sortBy: ({ content }) => content,
  text: ({ content }) => content,
};
const request: LogColumn = {
  id: 'request',
  track: 'minmax(8rem,12rem)',
  title: m.log_request,
  spare: true,
  className: 'max-w-40',
  render: ({ request_id: id }) => <TextCell text={id} mono />,
  text: ({ request_id: id }) => id,
};

const status: LogColumn = {
  id: 'status',
  track: '4.5rem',
  title: m.log_status,
  end: true,
  render: ({ refusal }) => refusal?.status ?? '',
  sortBy: ({ refusal }) => refusal?.status ?? 0,
  text: ({ refusal }) => refusal?.status ?? '',
};
const rule: LogColumn = {
  id: 'rule',
  track: 'minmax(8rem,1.5fr)',
  title: m.log_rule,
  className: 'max-w-52',
  render: ({ refusal }) => <TextCell text={refusal?.rule ?? ''} mono />,
  sortBy: ({ refusal }) => refusal?.rule ?? '',
  text: ({ refusal }) => refusal?.rule ?? '',
};

interface ColumnsFor {
  readonly admin: boolean;
  /** The list is of refused calls: they have a status and a rule, no channel and no cost. */
  readonly refused: boolean;
  /** Some servers do not report the duration of a call. */
  readonly timed: boolean;
}

/** Channel and user are the administrator's columns (specification §2). */
export const logColumns = ({ admin, refused, timed }: ColumnsFor): readonly LogColumn[] =>
  refused ? refusedColumns(admin) : allColumns(admin, timed);

const refusedColumns = (admin: boolean): readonly LogColumn[] => [
  time,
  ...(admin ? [user] : []),
  key,
  model,
  status,
  rule,
  details,
  request,
];

const allColumns = (admin: boolean, timed: boolean): readonly LogColumn[] => [
  time,
  ...(admin ? [channel, user] : []),
  key,
  type,
  model,
  prompt,
  completion,
  cost,
  ...(admin ? [vendorCost] : []),
  ...(timed ? [took] : []),
  details,
  request,
];
