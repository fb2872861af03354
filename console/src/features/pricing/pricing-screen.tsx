import { useQuery } from '@tanstack/react-query';
import { can } from '@weir/contract/roles';
import { lazy, Suspense, useMemo } from 'react';
import { ListScreen } from '../../components/list/list-screen.tsx';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
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
import { priceSetting } from './price-cells.tsx';
import { flipCompared, toRows } from './price-rows.ts';
import type { PriceRow } from './price-rows.ts';
import { pricingSearch } from './pricing-search.ts';
import type { PricingSearch } from './pricing-search.ts';
import { groupsQuery, pricingQuery } from './queries.ts';

const CompareSheet = lazy(async () => ({ default: (await import('./compare-sheet.tsx')).CompareSheet }));

/** The whole list loads with one request. */
const useRows = (group: string): PagedList<PriceRow> & { readonly group: string } => {
  const { data, error, isPending, isFetching, refetch } = useQuery(pricingQuery(group));
  const rows = useMemo(() => (data ? toRows(data) : []), [data]);
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
  ...(mayI('root')
    ? [{ kind: 'link' as const, icon: 'edit' as const, text: t(m.price_set), href: priceSetting(row.model) }]
    : []),
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
  const [search, patch] = useSearchState(pricingSearch);
  const admin = can(useUser()?.role, 'admin');
  const list = useRows(admin ? (search.group ?? '') : '');
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
        filters={<Filters list={list} search={search} patch={patch} admin={admin} />}
        chosen={{ maker: search.maker }}
        nameOf={({ model }) => model}
        onOpen={compare}
        onCopy={({ model }) => void copyAloud(model)}
        entriesOf={(row) => entriesOf(row, t, () => compare(row))}
        rowClass={({ model }) => (compared.includes(model) ? 'bg-raised' : '')}
        footer={null}
      />
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
