import type { Token } from '@weir/contract/tokens';
import { textColumn } from '../../../components/table/common-columns.tsx';
import type { Column } from '../../../components/table/data-table-types.ts';
import { Time } from '../../../components/text/time.tsx';
import { formatTime, maskKey } from '../../../lib/format/format.ts';
import { m } from '../../../paraglide/messages.js';
import { tokenColumns } from '../list/columns.tsx';
import { LastUse } from '../last-use.tsx';
import { overlapEnd } from '../overlap.ts';

/** The columns of an administrator: the key is masked, and the last use is shown. */
export const managedColumns: readonly Column<Token>[] = [
  ...tokenColumns
    .filter(({ id }) => id !== 'created')
    .map((column): Column<Token> =>
      column.id === 'key'
        ? {
            id: 'key',
            title: m.token_key,
            render: ({ key }) => <span className="font-mono text-13 whitespace-nowrap text-mute">{maskKey(key)}</span>,
          }
        : column,
    ),
  {
    id: 'last-use',
    title: m.token_last_used,
    from: 1024,
    render: (token) => <LastUse token={token} />,
    sortBy: ({ accessed_time: at }) => at,
    text: ({ accessed_time: at, last_address: address = '' }) => `${formatTime(at)} ${address}`.trim(),
  },
  {
    id: 'overlap',
    title: m.token_overlap_until,
    spare: true,
    render: (token) => {
      const end = overlapEnd(token);
      return end === undefined ? '—' : <Time unixSeconds={end} />;
    },
  },
];

/** Which member made a token; an administrator who is no member makes tokens of none. */
export const makerColumn = (makers: ReadonlyMap<number, string>): Column<Token> =>
  textColumn({
    id: 'maker',
    title: m.team_token_maker,
    from: 1024,
    textOf: ({ member_id: id = 0 }) => (id === 0 ? '' : (makers.get(id) ?? m.team_former_member())),
  });
