import type { ReactNode } from 'react';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import type { DataTableProps } from './data-table-types.ts';
import { ListTools } from './list-tools.tsx';
import { SearchBox } from './search-box.tsx';
import { ViewTabs } from './view-tabs.tsx';

interface ListToolbarProps<Row extends { readonly id: number }> extends Pick<
  DataTableProps<Row>,
  'name' | 'columns' | 'list' | 'search' | 'patch' | 'keep'
> {
  readonly searchLabel: string;
  /** What the search looks through, where its label cannot say it all. */
  readonly searchTip?: string;
  /** Put into the search box without searching: a value the clipboard refused. */
  readonly offered?: string | undefined;
  /** Filters and orders, between the search and the tools. */
  readonly children?: ReactNode;
}

/** The line above a list: its search, its filters, its tools. On a phone search and views have a line each. */
export const ListToolbar = <Row extends { readonly id: number }>(props: ListToolbarProps<Row>) => {
  const { name, columns, list, search, patch } = props;
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
      {props.children}
      <div className="ml-auto">
        <ListTools name={name} columns={columns} list={list} search={search} patch={patch} keep={props.keep} />
      </div>
    </div>
  );
};

interface ListViewsProps<Id extends string> {
  readonly views: readonly (readonly [id: Id, text: string])[];
  /** Undefined: all rows. */
  readonly current: Id | undefined;
  readonly onPick: (view: Id | undefined) => void;
}

/** The ready-made views of a list, all rows first. */
export const ListViews = <Id extends string>({ views, current, onPick }: ListViewsProps<Id>) => {
  const t = useT();
  return (
    <ViewTabs
      label={t(m.view)}
      current={current ?? 'all'}
      views={[['all', t(m.view_all)], ...views]}
      onPick={(view) => onPick(view === 'all' ? undefined : view)}
      className="max-md:min-w-0 max-md:basis-48 max-md:grow"
    />
  );
};
