import type { ReactNode } from 'react';
import type { PagedList } from '../../lib/lists/paged-list.ts';
import type { WindowWidth } from '../../lib/lists/column-choice.ts';
import type { ListPatch, ListSearch } from '../../lib/lists/list-search.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import type { IconName } from '../icon.tsx';
import type { MenuEntry } from '../overlay/overlays.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: Message;
  readonly render: (row: Row) => ReactNode;
  /** Compares the loaded rows; absent: the column is not sortable. */
  readonly sortBy?: (row: Row) => string | number;
  /** The cell as text, for export. */
  readonly text?: (row: Row) => string | number;
  /** An additional exported column: the wire's name and the exact value. */
  readonly raw?: readonly [name: string, value: (row: Row) => string | number];
  readonly end?: boolean;
  /** Role on a phone's card; absent: left out there. */
  readonly card?: 'title' | 'status' | 'value' | 'note';
  /** Cannot be hidden. */
  readonly fixed?: boolean;
  /** Hidden until chosen. */
  readonly spare?: boolean;
  /** Hidden until chosen in windows narrower than this, in px. */
  readonly from?: WindowWidth;
  readonly className?: string;
  /** Width in the long grid as a CSS track; absent: a share of the remaining width. */
  readonly track?: string;
}

export interface BulkAction<Row> {
  readonly text: Message;
  readonly icon: IconName;
  readonly danger?: boolean;
  /** Confirmation before the action runs. */
  readonly allow?: (rows: readonly Row[]) => Promise<boolean>;
  readonly run: (row: Row) => Promise<void>;
}

export interface DataTableProps<Row extends { readonly id: number }> {
  /** Name of the list: preferences, export file. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly list: PagedList<Row>;
  readonly search: ListSearch;
  readonly patch: ListPatch;
  /** Filters the loaded rows: a view that the server does not support. */
  readonly keep?: ((row: Row) => boolean) | undefined;
  readonly nameOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  readonly entriesOf: (row: Row) => readonly MenuEntry[];
  /** The row's main value, copied by `c`. */
  readonly onCopy?: (row: Row) => void;
  /** The most common actions as icon buttons. */
  readonly renderQuick?: (row: Row) => ReactNode;
  /** Rows per page if the address has no number; absent: a page of the wire. */
  readonly usualSize?: number;
  /** Rows of 32 px, whatever the density. */
  readonly dense?: boolean;
  /** Additional classes of a row, to mark the open or the newest one. */
  readonly rowClass?: (row: Row) => string;
  /** A custom card on a phone; absent: built from the columns. */
  readonly card?: (row: Row) => ReactNode;
  readonly bulk?: readonly BulkAction<Row>[];
  /** Shown if no row exists. */
  readonly empty: ReactNode;
  /** Shown if no row matches the filters. */
  readonly noMatch: ReactNode;
  /** Buttons of the footer, left of the pager. */
  readonly footer?: ReactNode;
  /** Load everything (up to 1,000 rows). */
  readonly onLoadAll?: () => void;
}

export interface ListSelection {
  readonly selected: ReadonlySet<number>;
  readonly setSelected: (ids: ReadonlySet<number>) => void;
  /** With `range`, everything shown between this row and the last one toggled. */
  readonly toggle: (id: number, range: boolean) => void;
}
