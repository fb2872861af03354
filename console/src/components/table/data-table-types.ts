import type { ReactNode } from 'react';
import type { PagedList } from '../../lib/lists/paged-list.ts';
import type { ListPatch, ListSearch } from '../../lib/lists/list-search.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import type { IconName } from '../icon.tsx';
import type { MenuEntry } from '../overlay/overlays.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: Message;
  readonly render: (row: Row) => ReactNode;
  /** Sorts the loaded rows; absent: the column has no order. */
  readonly sortBy?: (row: Row) => string | number;
  /** The cell as text, for export. */
  readonly text?: (row: Row) => string | number;
  /** A further exported column: the wire's name and the exact value. */
  readonly raw?: readonly [name: string, value: (row: Row) => string | number];
  readonly end?: boolean;
  /** Role on a phone's card; absent: left out there. */
  readonly card?: 'title' | 'status' | 'value';
  /** Cannot be hidden. */
  readonly fixed?: boolean;
  /** Hidden until chosen. */
  readonly spare?: boolean;
  readonly className?: string;
  /** Width in a grid of any length, as CSS writes a track; absent: a share of what is left. */
  readonly track?: string;
}

export interface BulkAction<Row> {
  readonly text: Message;
  readonly icon: IconName;
  readonly danger?: boolean;
  /** Asked before anything happens. */
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
  /** Keeps some of the loaded rows: a view that the server does not know. */
  readonly keep?: ((row: Row) => boolean) | undefined;
  readonly nameOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  readonly entriesOf: (row: Row) => readonly MenuEntry[];
  /** The row's main value, copied by `c`. */
  readonly onCopy?: (row: Row) => void;
  /** The commonest actions as icon buttons. */
  readonly renderQuick?: (row: Row) => ReactNode;
  /** Rows per page when the address names no number; absent: a page of the wire. */
  readonly usualSize?: number;
  /** Rows of 32 px whatever the density. */
  readonly dense?: boolean;
  /** Further classes of a row: what marks the open or the newest one. */
  readonly rowClass?: (row: Row) => string;
  /** A card of its own on a phone; absent: made of the columns. */
  readonly card?: (row: Row) => ReactNode;
  readonly bulk?: readonly BulkAction<Row>[];
  /** Nothing was ever created. */
  readonly empty: ReactNode;
  /** Filters left nothing. */
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
