import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { BookComparison } from '@weir/contract/prices/book-updates';
import { useMemo, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Select } from '../../../components/form/select.tsx';
import { ListScreen } from '../../../components/list/list-screen.tsx';
import { ListUnderSheet } from '../../../components/list/list-under-sheet.tsx';
import { confirm } from '../../../components/overlay/overlays.ts';
import type { MenuEntry } from '../../../components/overlay/overlays.ts';
import type { BulkAction } from '../../../components/table/data-table-types.ts';
import { Time } from '../../../components/text/time.tsx';
import { copyAloud } from '../../../lib/browser/copy-aloud.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { useSearchState } from '../../../lib/hooks/use-search-state.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message, Translate } from '../../../lib/hooks/use-t.ts';
import type { PagedList } from '../../../lib/lists/paged-list.ts';
import { stringifySearch } from '../../../lib/lists/search-params.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { vendorName } from '../../../lib/vendor-name.ts';
import { m } from '../../../paraglide/messages.js';
import { approveRows } from './approve-dialog.tsx';
import { approvable, keepOf, toRows, totalsOf } from './book-rows.ts';
import type { BookRow } from './book-rows.ts';
import { bookSearch, bookViews } from './book-search.ts';
import type { BookSearch, BookView } from './book-search.ts';
import { bookColumns } from './columns.tsx';
import { bookQuery, differencesQuery, dismiss } from './queries.ts';
import { sourceText } from './source-text.ts';
import { TotalsText } from './totals.tsx';

const usualSize = 50;

const waitingTexts = {
  title: m.book_title,
  search: m.book_search,
  empty: [m.book_same_title, m.book_same_text],
  noMatch: m.book_no_match,
} as const;
const noneTexts = { ...waitingTexts, empty: [m.book_empty_title, m.book_empty_text] } as const;

const viewLabels: Readonly<Record<BookView, Message>> = {
  affected: m.book_view_affected,
  dearer: m.book_view_dearer,
  cheaper: m.book_view_cheaper,
  new: m.book_view_new,
  gone: m.book_view_gone,
};

interface Compared {
  readonly comparison: BookComparison | undefined;
  readonly isNone: boolean;
  readonly list: PagedList<BookRow>;
}

/** The differences load with one request, once it is known that a book waits. */
const useCompared = (): Compared => {
  const state = useQuery(bookQuery);
  const proposal = state.data?.proposal ?? null;
  const isNone = state.data !== undefined && proposal === null;
  const { data, error, isFetching, refetch } = useQuery({
    ...differencesQuery(proposal?.id ?? 0),
    enabled: proposal !== null,
  });
  const comparison = isNone ? undefined : data;
  const rows = useMemo(() => toRows(comparison?.differences ?? []), [comparison]);
  const failed = state.error ?? (isNone ? null : error);
  const list = {
    rows,
    complete: comparison !== undefined || isNone,
    loading: comparison === undefined && !isNone && failed === null,
    fetching: isFetching || state.isFetching,
    error: failed,
    refetch: () => void Promise.all([state.refetch(), ...(proposal === null ? [] : [refetch()])]),
  };
  return { comparison, isNone, list };
};

const logHref = ({ model }: BookRow): string => `/log${stringifySearch({ model_name: model })}`;

const entriesOf = (row: BookRow, t: Translate, one: () => void): readonly MenuEntry[] => [
  { kind: 'action', icon: 'check', text: t(m.book_approve_one), run: one },
  { kind: 'action', icon: 'copy', text: t(m.price_copy), keys: 'C', run: () => void copyAloud(row.model) },
  { kind: 'line' },
  { kind: 'link', icon: 'log', text: t(m.price_logs), href: logHref(row) },
];

const bulkActions = (client: QueryClient, comparison: BookComparison): readonly BulkAction<BookRow>[] => [
  {
    text: m.book_approve,
    icon: 'check',
    allow: async (rows) => {
      await approveRows(client, { comparison, rows, isAll: false });
      return false;
    },
    run: async () => undefined,
  },
];

/** `/pricing/book`: what a new price book would change, and for whom. */
export const BookScreen = () => {
  const t = useT();
  const language = useLanguage();
  const client = useQueryClient();
  const [search, patch] = useSearchState(bookSearch);
  const { comparison, isNone, list } = useCompared();
  const keep = useMemo(() => keepOf(search), [search]);
  const columns = useMemo(() => bookColumns(comparison?.quota_per_dollar ?? 1), [comparison]);
  const bulk = useMemo(() => (comparison ? bulkActions(client, comparison) : []), [client, comparison]);
  const one = (row: BookRow): void => {
    if (comparison) void approveRows(client, { comparison, rows: [row], isAll: false });
  };
  return (
    <ListUnderSheet path="/pricing/book">
      <ListScreen
        name="price book"
        icon="tag"
        texts={isNone ? noneTexts : waitingTexts}
        state={{ list, search, patch, keep, usualSize }}
        columns={columns}
        add={{ href: '/pricing/book/propose', text: m.book_propose }}
        facts={comparison && t(m.book_facts, { count: comparison.differences.length, same: comparison.unchanged })}
        above={comparison && <Waiting comparison={comparison} rows={list.rows.filter(keep)} search={search} />}
        filters={<Filters rows={list.rows} search={search} patch={patch} />}
        chosen={{
          view: search.view && t(viewLabels[search.view]),
          vendor: search.vendor === undefined ? undefined : vendorName(search.vendor, language),
        }}
        nameOf={({ vendor, model }) => `${vendor} ${model}`}
        onOpen={(row) => void navigate(logHref(row))}
        onCopy={({ model }) => void copyAloud(model)}
        entriesOf={(row) => entriesOf(row, t, () => one(row))}
        {...(comparison && { bulk })}
        footer={null}
      />
    </ListUnderSheet>
  );
};

interface WaitingProps {
  readonly comparison: BookComparison;
  /** Those that are listed. */
  readonly rows: readonly BookRow[];
  readonly search: BookSearch;
}

/** Where the book comes from, what it would have changed, and the decision about all that is listed. */
const Waiting = ({ comparison, rows, search }: WaitingProps) => {
  const t = useT();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { proposal, quota_per_dollar: perDollar } = comparison;
  const wanted = approvable(rows, search);
  const isAll = !search.q && search.view === undefined && search.vendor === undefined;
  const decline = async (): Promise<void> => {
    const goAhead = await confirm({
      title: t(m.book_dismiss_title, { name: proposal.name }),
      text: t(m.book_dismiss_text),
      verb: t(m.book_dismiss),
    });
    if (!goAhead) return;
    setBusy(true);
    try {
      await dismiss(client, proposal.id);
      toast('success', t(m.book_dismissed));
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section
      aria-label={t(m.book_waiting)}
      className="mb-3 flex flex-col gap-3 rounded-card border border-line bg-panel px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64">
          <span className="font-semibold wrap-anywhere">{proposal.name}</span>{' '}
          <span className="text-13 wrap-anywhere text-mute">
            {sourceText(proposal, t)} · <Time unixSeconds={proposal.created_at} /> {proposal.by}
          </span>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button sends busy={busy} onClick={() => void decline()}>
            {t(m.book_dismiss)}
          </Button>
          {wanted.length > 0 && (
            <Button sends look="primary" onClick={() => void approveRows(client, { comparison, rows: wanted, isAll })}>
              {t(isAll ? m.book_approve_all : m.book_approve_listed, { count: wanted.length })}
            </Button>
          )}
        </div>
      </div>
      <TotalsText totals={totalsOf(wanted)} perDollar={perDollar} />
      <p className="text-12 text-mute">{t(m.book_estimate)}</p>
    </section>
  );
};

interface FiltersProps {
  readonly rows: readonly BookRow[];
  readonly search: BookSearch;
  readonly patch: Patch<BookSearch>;
}

// Both share a line on a phone.
const narrow = 'max-md:min-w-0 max-md:basis-32 max-md:grow';

const Filters = ({ rows, search, patch }: FiltersProps) => {
  const t = useT();
  const language = useLanguage();
  const vendors = useMemo(() => [...new Set(rows.map(({ vendor }) => vendor))].sort(), [rows]);
  return (
    <>
      <Select
        aria-label={t(m.book_view)}
        value={search.view ?? ''}
        choices={[['', t(m.book_view_all)], ...bookViews.map((view) => [view, t(viewLabels[view])] as const)]}
        onPick={(picked) => patch({ view: bookViews.find((view) => view === picked), p: undefined })}
        className={narrow}
      />
      <Select
        aria-label={t(m.book_vendor)}
        value={search.vendor ?? ''}
        choices={[
          ['', t(m.book_vendor_all)],
          ...vendors.map((vendor) => [vendor, vendorName(vendor, language)] as const),
        ]}
        onPick={(vendor) => patch({ vendor: vendor || undefined, p: undefined })}
        className={narrow}
      />
    </>
  );
};
