import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { usePhone } from '../../lib/hooks/use-media.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { DataTableProps } from '../table/data-table-types.ts';
import { Button } from '../button.tsx';
import { Select } from '../form/select.tsx';
import { ListTools } from './list-tools.tsx';
import { SearchBox } from './search-box.tsx';
import { ViewTabs } from '../view-tabs.tsx';

/** The search parameters of lists besides their filters. */
const noFilters = ['p', 'size', 'sort', 'order', 'hide', 'q', 'compare', 'price', 'import'];

interface ListToolbarProps<Row extends { readonly id: number }> extends Pick<
  DataTableProps<Row>,
  'name' | 'columns' | 'list' | 'search' | 'patch' | 'keep'
> {
  readonly searchLabel: string;
  /** The fields that the search covers, if its label does not list them all. */
  readonly searchTip?: string | undefined;
  /** Put into the search box without searching: a value that could not be copied. */
  readonly offered?: string | undefined;
  /** Filters and sort orders, between the search and the tools. */
  readonly children?: ReactNode;
}

/** The toolbar of a list: search, filters and tools. On a phone the filters are in a sheet. */
export const ListToolbar = <Row extends { readonly id: number }>(props: ListToolbarProps<Row>) => {
  const { name, columns, list, search, patch } = props;
  const t = useT();
  const phone = usePhone();
  const set = Object.keys(search).filter((key) => !noFilters.includes(key));
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <span data-tip={props.searchTip} className="max-md:w-full">
        <SearchBox
          label={props.searchLabel}
          value={search.q ?? ''}
          offered={props.offered}
          onSearch={(q) => patch({ q: q || undefined, p: undefined })}
        />
      </span>
      {phone && props.children ? <PhoneFilters count={set.length}>{props.children}</PhoneFilters> : props.children}
      {(set.length > 0 || search.q) && (
        <Button
          look="quiet"
          onClick={() => patch(Object.fromEntries([...set, 'q', 'p'].map((key) => [key, undefined])))}
        >
          {t(m.clear_all)}
        </Button>
      )}
      <div className="ml-auto">
        <ListTools name={name} columns={columns} list={list} search={search} patch={patch} keep={props.keep} />
      </div>
    </div>
  );
};

const sheet = () => import('./filter-sheet.tsx');
const FilterSheet = lazy(async () => ({ default: (await sheet()).FilterSheet }));

interface PhoneFiltersProps {
  /** Number of active filters. */
  readonly count: number;
  readonly children: ReactNode;
}

/** Opens the filters as a sheet, and shows how many are active. */
const PhoneFilters = ({ count, children }: PhoneFiltersProps) => {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        icon="filter"
        aria-haspopup="dialog"
        aria-keyshortcuts="f"
        onPointerEnter={() => void sheet()}
        onFocus={() => void sheet()}
        onClick={() => setOpen(true)}
      >
        {count > 0 ? t(m.filters_count, { count }) : t(m.filters)}
      </Button>
      {open && (
        <Suspense>
          <FilterSheet count={count} onClose={() => setOpen(false)}>
            {children}
          </FilterSheet>
        </Suspense>
      )}
    </>
  );
};

interface ListViewsProps<Id extends string> {
  readonly labels: Readonly<Record<Id, Message>>;
  /** Undefined: all rows. */
  readonly current: Id | undefined;
  readonly onPick: (view: Id | undefined) => void;
}

const idsOf = <Id extends string>(labels: Readonly<Record<Id, Message>>): readonly Id[] =>
  Object.keys(labels).filter((id): id is Id => Object.hasOwn(labels, id));

/** The predefined views of a list, all rows first. */
export const ListViews = <Id extends string>({ labels, current, onPick }: ListViewsProps<Id>) => {
  const t = useT();
  return (
    <ViewTabs
      label={t(m.view)}
      current={current ?? 'all'}
      views={[['all', t(m.view_all)], ...idsOf(labels).map((id) => [id, t(labels[id])] as const)]}
      onPick={(view) => onPick(view === 'all' ? undefined : view)}
      className="max-md:min-w-0 max-md:basis-48 max-md:grow"
    />
  );
};

/** The order in which the server sends the rows. */
export const ListOrder = <Id extends string>({ labels, current, onPick }: ListViewsProps<Id>) => {
  const t = useT();
  return (
    <Select
      aria-label={t(m.order)}
      value={current ?? ''}
      choices={[['', t(m.order_default)], ...idsOf(labels).map((id) => [id, t(labels[id])] as const)]}
      className="max-md:min-w-0 max-md:basis-40 max-md:grow"
      onPick={(order) => onPick(order === '' ? undefined : order)}
    />
  );
};
