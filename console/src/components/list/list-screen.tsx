import type { ReactNode } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';
import { m } from '../../paraglide/messages.js';
import { Button, buttonClass } from '../button.tsx';
import type { ButtonLook } from '../button.tsx';
import { Empty } from '../empty.tsx';
import { Icon } from '../icon.tsx';
import type { IconName } from '../icon.tsx';
import { PageHead } from '../page-head.tsx';
import { DataTable } from '../table/data-table.tsx';
import type { DataTableProps } from '../table/data-table-types.ts';
import { ListToolbar } from './list-toolbar.tsx';
import { RefreshButton } from './refresh-button.tsx';

type Table<Row extends { readonly id: number }> = DataTableProps<Row>;

export interface ListScreenProps<Row extends { readonly id: number }> extends Pick<
  Table<Row>,
  'name' | 'columns' | 'nameOf' | 'onOpen' | 'entriesOf' | 'onCopy' | 'renderQuick' | 'rowClass' | 'bulk'
> {
  /** The address, the rows and their filter: see `useListState`. */
  readonly state: Pick<Table<Row>, 'list' | 'search' | 'patch' | 'keep' | 'usualSize' | 'onLoadAll'>;
  readonly texts: {
    readonly title: Message;
    /** Label of the search box. */
    readonly search: Message;
    /** The fields that the search covers, if its label does not list them all. */
    readonly searchTip?: Message;
    /** Title and text if no row exists. */
    readonly empty: readonly [title: Message, text: Message];
    /** Text if no row passes search and filters. */
    readonly noMatch: Message;
  };
  /** Icon of the empty list. */
  readonly icon: IconName;
  /** The form that adds a row; absent: rows cannot be added. */
  readonly add?: { readonly href: string; readonly text: Message };
  /** Filters and sort orders, between the search and the tools. */
  readonly filters?: ReactNode;
  /** Every filter of the address by its parameter, with the text of its value if set. */
  readonly chosen?: Readonly<Record<string, string | undefined>>;
  /** Put into the search box without searching: a value that could not be copied. */
  readonly offered?: string | undefined;
  /** Content beside the title. */
  readonly facts?: ReactNode;
  /** Content between the title and the toolbar. */
  readonly above?: ReactNode;
  /** Content between the toolbar and the rows. */
  readonly below?: ReactNode;
  /** Further links in the empty state. */
  readonly help?: ReactNode;
  /** Further buttons of the footer; null: no footer buttons at all. */
  readonly footer?: ReactNode;
}

/** The frame of every list: title, toolbar, rows, footer, and the empty states. */
export const ListScreen = <Row extends { readonly id: number }>(props: ListScreenProps<Row>) => {
  const { state, texts, icon, add, filters, offered, facts, above, below, help, footer, ...table } = props;
  const t = useT();
  // The form returns to the list as it is now.
  const addLink = (look: ButtonLook) =>
    add && <AddLink href={add.href + stringifySearch(state.search)} text={t(add.text)} look={look} />;
  const [emptyTitle, emptyText] = texts.empty;
  return (
    <>
      <PageHead title={t(texts.title)} facts={facts}>
        {addLink('primary')}
      </PageHead>
      {above}
      <ListToolbar
        {...state}
        name={props.name}
        columns={props.columns}
        searchLabel={t(texts.search)}
        searchTip={texts.searchTip && t(texts.searchTip)}
        offered={offered}
      >
        {filters}
      </ListToolbar>
      {below}
      <DataTable
        {...table}
        {...state}
        label={t(texts.title)}
        empty={
          <Empty icon={icon} title={t(emptyTitle)} text={t(emptyText)}>
            {(add ?? help) && (
              <>
                {addLink('primary')}
                {help}
              </>
            )}
          </Empty>
        }
        noMatch={<NoMatch {...props} />}
        footer={
          footer !== null && (
            <>
              {addLink('plain')}
              {footer}
              <RefreshButton list={state.list} />
            </>
          )
        }
      />
    </>
  );
};

interface AddLinkProps {
  readonly href: string;
  readonly text: string;
  readonly look: ButtonLook;
}

const AddLink = ({ href, text, look }: AddLinkProps) => (
  <a className={buttonClass(look)} href={href} aria-keyshortcuts="n">
    <Icon name="plus" />
    {text}
  </a>
);

/** Empty state if search and filters match no row. */
const NoMatch = <Row extends { readonly id: number }>({ state, texts, chosen = {} }: ListScreenProps<Row>) => {
  const t = useT();
  const { search, patch } = state;
  const filters = [search.q && t(m.searched_for, { text: search.q }), ...Object.values(chosen)];
  const text = filters.filter(Boolean).join(' · ');
  const clear = (): void =>
    patch(Object.fromEntries(['q', 'p', ...Object.keys(chosen)].map((parameter) => [parameter, undefined])));
  return (
    <Empty icon="search" title={t(texts.noMatch)} text={text && <em>{text}</em>}>
      <Button onClick={clear}>{t(m.clear_filters)}</Button>
    </Empty>
  );
};
