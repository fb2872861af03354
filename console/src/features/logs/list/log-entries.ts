import { logType } from '@weir/contract/logs';
import type { MenuEntry } from '../../../components/overlay/overlays.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { channelAround, hrefWith } from '../filters/log-filters.ts';
import type { LogFilters } from '../filters/log-filters.ts';
import type { LogRow } from './log-row.ts';
import type { LogsSearch } from '../filters/logs-search.ts';

export interface RelatedLink {
  readonly text: string;
  readonly href: string;
}

export interface Related {
  readonly row: LogRow;
  readonly search: LogsSearch;
  readonly admin: boolean;
  readonly t: Translate;
}

/** Links to similar records: of a refused call to refused calls. */
export const relatedLinks = ({ row, search, admin, t }: Related): readonly RelatedLink[] => {
  const hrefOf = (filter: LogFilters): string =>
    hrefWith(search, row.type === logType.refused ? { ...filter, type: row.type } : filter);
  return [
    ...(row.token_name ? [{ text: t(m.log_same_key), href: hrefOf({ token_name: row.token_name }) }] : []),
    ...(row.model_name ? [{ text: t(m.log_same_model), href: hrefOf({ model_name: row.model_name }) }] : []),
    ...(admin && row.username ? [{ text: t(m.log_same_user), href: hrefOf({ username: row.username }) }] : []),
    ...(admin && row.channel
      ? [{ text: t(m.log_channel_around), href: channelAround(row.channel, row.created_at) }]
      : []),
  ];
};

interface RowActions {
  readonly open: (row: LogRow) => void;
  readonly copy: (row: LogRow) => void;
}

/** The menu entries of a row. */
export const logEntries = (related: Related, { open, copy }: RowActions): readonly MenuEntry[] => {
  const { row, t } = related;
  const links = relatedLinks(related);
  return [
    { kind: 'action', icon: 'eye', text: t(m.log_open), keys: '↵', run: () => open(row) },
    ...(row.request_id
      ? [
          {
            kind: 'action',
            icon: 'copy',
            text: t(m.log_copy_request),
            keys: 'C',
            run: () => copy(row),
          } as const,
        ]
      : []),
    ...(links.length > 0 ? [{ kind: 'line' } as const] : []),
    ...links.map((link) => ({ kind: 'link', icon: 'filter', ...link }) as const),
  ];
};
