import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { can } from '@weir/contract/roles';
import { lazy, Suspense, useMemo } from 'react';
import { ListScreen } from '../../components/list/list-screen.tsx';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { PriceFiles } from './table/price-files.tsx';
import { buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import type { BulkAction } from '../../components/table/data-table-types.ts';
import { Select } from '../../components/form/select.tsx';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';
import { splitList } from '../../lib/format/format.ts';
import type { PagedList } from '../../lib/lists/paged-list.ts';
import { mayI, useUser } from '../../lib/api/session.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import type { Patch } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { priceColumns } from './columns.tsx';
import { priceEditor } from './price-cells.tsx';
import { flipCompared, isUnpriced, toRows } from './price-rows.ts';
import type { PriceRow } from './price-rows.ts';
import { pricingSearch } from './pricing-search.ts';
import type { PricingSearch } from './pricing-search.ts';
import { groupsQuery, pricingQuery } from './queries.ts';

const PriceSheet = lazy(async () => ({ default: (await import('./editor/price-sheet.tsx')).PriceSheet }));
const ImportSheet = lazy(async () => ({ default: (await import('./table/import-sheet.tsx')).ImportSheet }));
const CompareSheet = lazy(async () => ({ default: (await import('./compare-sheet.tsx')).CompareSheet }));

/** The whole list loads with one request. */
const useRows = (group: string, admin: boolean): PagedList<PriceRow> & { readonly group: string } => {
  const { data, error, isPending, isFetching, refetch } = useQuery(pricingQuery(group));
  const rows = useMemo(() => (data ? toRows(data, admin) : []), [data, admin]);
  return {
    rows,
    group: data?.group ?? '',
    complete: data !== undefined,
    loading: isPending,
    fetching: isFetching,
    error,
    refetch: () => void refetch(),
  };
};

const keepOf = ({ q = '', maker }: PricingSearch): ((row: PriceRow) => boolean) => {
  const query = q.toLowerCase();
  return (row) => row.model.toLowerCase().includes(query) && (maker === undefined || row.maker === maker);
};

const entriesOf = (row: PriceRow, t: Translate, compare: () => void): readonly MenuEntry[] => [
  { kind: 'action', icon: 'eye', text: t(m.price_compare), keys: '↵', run: compare },
  { kind: 'action', icon: 'copy', text: t(m.price_copy), keys: 'C', run: () => void copyAloud(row.model) },
  { kind: 'line' },
  {
    kind: 'link',
    icon: 'flask',
    text: t(m.price_try),
    href: `/playground?models=${encodeURIComponent(row.model)}`,
  },
  { kind: 'link', icon: 'log', text: t(m.price_logs), href: `/log?model_name=${encodeURIComponent(row.model)}` },
  ...(mayI('admin')
    ? [
        {
          kind: 'link' as const,
          icon: 'edit' as const,
          text: t(isUnpriced(row) ? m.price_set : m.price_edit),
          href: priceEditor(row),
        },
      ]
    : []),
];

/** The name that upstreams are called with, of a name that may be the clients'. */
const sentName = (rows: readonly PriceRow[], name: string): string => {
  const sent = rows.find(({ model }) => model === name)?.sent ?? [];
  return sent.includes(name) ? name : (sent[0] ?? name);
};

/** Opens the editor of a row's prices. */
const EditLink = ({ row }: { readonly row: PriceRow }) => {
  const t = useT();
  const text = t(mayI('root') ? m.price_edit_named : m.price_show_named, { name: row.model });
  return (
    <a href={priceEditor(row)} aria-label={text} data-tip={text} className={buttonClass('quiet', 'size-8')}>
      <Icon name="edit" />
    </a>
  );
};

/** The own prices of several models at once: one change of the server, made by the dialog. */
const bulkActions = (client: QueryClient): readonly BulkAction<PriceRow>[] => [
  {
    text: m.price_bulk,
    icon: 'tag',
    allow: async (rows) => {
      const { changePrices } = await import('./table/mass-dialog.tsx');
      await changePrices(client, [...new Set(rows.flatMap(({ model, sent }) => (sent.length > 0 ? sent : [model])))]);
      return false;
    },
    run: async () => undefined,
  },
];

const usualSize = 50;

const texts = {
  title: m.price_title,
  search: m.price_search,
  empty: [m.price_empty_title, m.price_empty_text],
  noMatch: m.price_none_title,
} as const;

/** `/pricing`: the price of every model for this account. */
export const PricingScreen = () => {
  const t = useT();
  const client = useQueryClient();
  const bulk = useMemo(() => bulkActions(client), [client]);
  const [search, patch] = useSearchState(pricingSearch);
  const admin = can(useUser()?.role, 'admin');
  const list = useRows(admin ? (search.group ?? '') : '', admin);
  const columns = useMemo(() => priceColumns(list.rows, admin), [list.rows, admin]);
  const keep = useMemo(() => keepOf(search), [search]);
  const compared = splitList(search.compare);
  const compare = ({ model }: PriceRow): void => patch({ compare: flipCompared(compared, model) });
  return (
    <>
      <ListScreen
        name="pricing"
        icon="tag"
        texts={texts}
        state={{ list, search, patch, keep, usualSize }}
        columns={columns}
        facts={list.group && t(m.price_facts, { group: list.group })}
        filters={
          <>
            <Filters list={list} search={search} patch={patch} admin={admin} />
            {mayI('root') && <PriceFiles onImport={() => patch({ import: 'csv' })} />}
          </>
        }
        chosen={{ maker: search.maker }}
        nameOf={({ model }) => model}
        onOpen={compare}
        onCopy={({ model }) => void copyAloud(model)}
        entriesOf={(row) => entriesOf(row, t, () => compare(row))}
        {...(admin && { renderQuick: (row: PriceRow) => <EditLink row={row} /> })}
        {...(mayI('root') && { bulk })}
        rowClass={({ model }) => (compared.includes(model) ? 'bg-raised' : '')}
        footer={null}
      />
      <Suspense>
        {admin && search.price !== undefined && (
          <PriceSheet model={sentName(list.rows, search.price)} onClose={() => patch({ price: undefined })} />
        )}
        {mayI('root') && search.import !== undefined && <ImportSheet onClose={() => patch({ import: undefined })} />}
      </Suspense>
      {compared.length > 0 && list.rows.length > 0 && (
        <Suspense>
          <CompareSheet
            rows={list.rows}
            compared={compared}
            onFlip={(model) => patch({ compare: flipCompared(compared, model) })}
            onClose={() => patch({ compare: undefined })}
          />
        </Suspense>
      )}
    </>
  );
};

interface FiltersProps {
  readonly list: PagedList<PriceRow> & { readonly group: string };
  readonly search: PricingSearch;
  readonly patch: Patch<PricingSearch>;
  readonly admin: boolean;
}

// Both share a line on a phone.
const narrow = 'max-md:min-w-0 max-md:basis-32 max-md:grow';

const Filters = ({ list, search, patch, admin }: FiltersProps) => {
  const t = useT();
  const makers = useMemo(() => [...new Set(list.rows.flatMap(({ maker }) => maker || []))].sort(), [list.rows]);
  const { data: groups = [], isPending } = useQuery({ ...groupsQuery, enabled: admin });
  return (
    <>
      <Select
        aria-label={t(m.price_maker)}
        value={search.maker ?? ''}
        choices={[['', t(m.price_all_makers)], ...makers.map((maker) => [maker, maker] as const)]}
        onPick={(maker) => patch({ maker: maker || undefined, p: undefined })}
        className={narrow}
      />
      {admin && (isPending || groups.length > 0) && (
        <Select
          aria-label={t(m.price_group)}
          value={search.group ?? list.group}
          choices={[...new Set([...groups, search.group ?? list.group])].map((group) => [group, group] as const)}
          onPick={(group) => patch({ group, p: undefined })}
          className={narrow}
        />
      )}
    </>
  );
};
