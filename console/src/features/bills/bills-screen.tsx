import { useQuery } from '@tanstack/react-query';
import type { BillFigures, Comparison } from '@weir/contract/bills/bills';
import { useMemo } from 'react';
import { Input } from '../../components/form/input.tsx';
import { Select } from '../../components/form/select.tsx';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { ListUnderSheet } from '../../components/list/list-under-sheet.tsx';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';
import { useLanguage } from '../../lib/browser/locale.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import type { Patch } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import type { PagedList } from '../../lib/lists/paged-list.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import { figureText, toRows, vendorChoices, vendorName } from './bill-rows.ts';
import type { BillRow } from './bill-rows.ts';
import { billsSearch } from './bills-search.ts';
import type { BillsSearch } from './bills-search.ts';
import { billColumns } from './columns.tsx';
import { billsQuery, comparisonQuery } from './queries.ts';

const usualSize = 50;
const usualVendor = 1;
const daySeconds = 86_400;

const texts = {
  title: m.bill_title,
  search: m.bill_search,
  empty: [m.bill_empty_title, m.bill_empty_text],
  noMatch: m.bill_none_title,
} as const;

interface Compared {
  readonly vendor: number;
  readonly comparison: Comparison | undefined;
  readonly list: PagedList<BillRow>;
}

/** The comparison loads with one request: the vendor of the address, else that of the newest statement. */
const useCompared = ({ vendor: chosen, from = '', to = '' }: BillsSearch): Compared => {
  const bills = useQuery({ ...billsQuery, enabled: chosen === undefined });
  const vendor = chosen ?? bills.data?.[0]?.vendor ?? usualVendor;
  const known = chosen !== undefined || bills.data !== undefined;
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...comparisonQuery({ vendor, from, to }),
    enabled: known,
  });
  const rows = useMemo(() => toRows(data?.rows ?? []), [data]);
  const list = {
    rows,
    complete: data !== undefined,
    loading: isPending,
    fetching: isFetching,
    error: error ?? bills.error,
    refetch: () => void refetch(),
  };
  return { vendor, comparison: data, list };
};

const keepOf = ({ q = '', flagged }: BillsSearch): ((row: BillRow) => boolean) => {
  const query = q.toLowerCase();
  return (row) =>
    [row.model, ...row.their_names, ...row.our_names].some((name) => name.toLowerCase().includes(query)) &&
    (flagged === undefined || row.flagged);
};

/** Our calls of a row in the log. */
const logHref = ({ day, our_names: names }: BillRow): string => {
  const start = Date.parse(day) / 1000;
  const model = names.length === 1 ? names[0] : undefined;
  return `/log${stringifySearch({ start_timestamp: start, end_timestamp: start + daySeconds - 1, model_name: model })}`;
};

const entriesOf = (row: BillRow, t: Translate): readonly MenuEntry[] => [
  { kind: 'link', icon: 'log', text: t(m.bill_logs), href: logHref(row) },
  { kind: 'action', icon: 'copy', text: t(m.bill_copy), keys: 'C', run: () => void copyAloud(row.model) },
];

/** `/bill`: what vendors state beside what passed through here. */
export const BillsScreen = () => {
  const t = useT();
  const language = useLanguage();
  const [search, patch] = useSearchState(billsSearch);
  const { vendor, comparison, list } = useCompared(search);
  const keep = useMemo(() => keepOf(search), [search]);
  return (
    <ListUnderSheet path="/bill">
      <ListScreen
        name="bills"
        icon="file"
        texts={texts}
        state={{ list, search, patch, keep, usualSize }}
        columns={billColumns}
        add={{ href: '/bill/import', text: m.bill_import }}
        facts={comparison && t(m.bill_facts, { from: comparison.from, to: comparison.to, count: comparison.flagged })}
        above={comparison && comparison.rows.length > 0 && <Totals comparison={comparison} />}
        filters={<Filters search={search} patch={patch} vendor={vendor} comparison={comparison} />}
        chosen={{
          vendor: search.vendor === undefined ? undefined : vendorName(search.vendor, language),
          from: search.from,
          to: search.to,
          flagged: search.flagged === 1 ? t(m.bill_only_flagged) : undefined,
        }}
        nameOf={({ day, model }) => `${day} ${model}`}
        onOpen={(row) => void navigate(logHref(row))}
        onCopy={({ model }) => void copyAloud(model)}
        entriesOf={(row) => entriesOf(row, t)}
      />
    </ListUnderSheet>
  );
};

interface FiltersProps {
  readonly search: BillsSearch;
  readonly patch: Patch<BillsSearch>;
  readonly vendor: number;
  readonly comparison: Comparison | undefined;
}

// They share lines on a phone.
const narrow = 'max-md:min-w-0 max-md:basis-32 max-md:grow';

const Filters = ({ search, patch, vendor, comparison }: FiltersProps) => {
  const t = useT();
  const language = useLanguage();
  const day = (name: 'from' | 'to', label: string) => (
    <Input
      type="date"
      aria-label={label}
      value={search[name] ?? comparison?.[name] ?? ''}
      onChange={({ target }) => patch({ [name]: target.value || undefined, p: undefined })}
      className={`md:w-36! ${narrow}`}
    />
  );
  return (
    <>
      <Select
        aria-label={t(m.bill_vendor)}
        value={String(vendor)}
        choices={vendorChoices(language)}
        onPick={(picked) => patch({ vendor: Number(picked), from: undefined, to: undefined, p: undefined })}
        className={`md:w-48 ${narrow}`}
      />
      {day('from', t(m.bill_from))}
      {day('to', t(m.bill_to))}
      <Select
        aria-label={t(m.bill_shown)}
        value={search.flagged === 1 ? '1' : ''}
        choices={[
          ['', t(m.bill_all)],
          ['1', t(m.bill_only_flagged)],
        ]}
        onPick={(picked) => patch({ flagged: picked === '1' ? 1 : undefined, p: undefined })}
        className={narrow}
      />
    </>
  );
};

const totals: readonly (readonly [keyof BillFigures, Message])[] = [
  ['requests', m.bill_requests],
  ['input', m.bill_input],
  ['output', m.bill_output],
  ['cost', m.bill_cost],
];

/** The sums of all days, the vendor's above ours. */
const Totals = ({ comparison: { theirs, ours } }: { readonly comparison: Comparison }) => {
  const t = useT();
  const language = useLanguage();
  return (
    <dl className="mb-3 grid grid-cols-2 gap-x-4 gap-y-2 rounded-card border border-line bg-panel px-4 py-3 text-13 tabular-nums lg:grid-cols-4">
      {totals.map(([name, label]) => (
        <div key={name} className="flex min-w-0 flex-col">
          <dt className="text-mute">{t(label)}</dt>
          <dd className="text-16 font-semibold wrap-anywhere">{figureText(name, theirs[name], language)}</dd>
          <dd className="wrap-anywhere text-mute">
            {t(m.bill_ours_value, { value: figureText(name, ours[name], language) })}
          </dd>
        </div>
      ))}
    </dl>
  );
};
