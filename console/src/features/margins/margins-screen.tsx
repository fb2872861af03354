import { useQuery } from '@tanstack/react-query';
import { marginLinesMax } from '@weir/contract/margins';
import { Suspense, lazy, useMemo, useState } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { UsageRangeSelect } from '../../components/chart/usage-range-select.tsx';
import { Select } from '../../components/form/select.tsx';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { MarginTotals } from '../../components/margins/margin-totals.tsx';
import type { MenuEntry } from '../../components/overlay/overlays.ts';
import { marginsHref, marginsQuery } from '../../lib/api/margins.ts';
import type { MarginDimension } from '../../lib/api/margins.ts';
import { copyAloud } from '../../lib/browser/copy-aloud.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import type { Patch } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { usualRange } from '../../lib/usage-range.ts';
import type { SelectedRange } from '../../lib/usage-range.ts';
import { m } from '../../paraglide/messages.js';
import { marginColumns, titleOf, toRows } from './columns.tsx';
import type { MarginRow } from './columns.tsx';
import { marginsSearch } from './margins-search.ts';
import type { MarginsSearch } from './margins-search.ts';

// Loaded on demand: most visits use the predefined ranges.
const OwnTimes = lazy(async () => ({ default: (await import('../../components/chart/own-times.tsx')).OwnTimes }));

const usualSize = 50;

const texts = {
  title: m.margin_title,
  search: m.margin_search,
  empty: [m.margin_empty_title, m.margin_empty_text],
  noMatch: m.margin_none_title,
} as const;

const dimensions: Readonly<Record<MarginDimension, Message>> = {
  model: m.dash_by_model,
  channel: m.dash_by_channel,
  user: m.dash_by_user,
  group: m.margin_group,
};
const dimensionIds = ['model', 'channel', 'user', 'group'] as const;

const rangeOf = ({ range, from, to }: MarginsSearch): SelectedRange =>
  from === undefined ? (range ?? usualRange) : { from, to: to ?? 0 };

/** The report of an address. */
const useMargins = (search: MarginsSearch) => {
  const { by = 'model', model = '', channel = 0, q = '' } = search;
  const of = { range: rangeOf(search), by, model, channel };
  const { data, error, isPending, isFetching, refetch } = useQuery(marginsQuery({ ...of, limit: marginLinesMax }));
  const rows = useMemo(() => toRows(data?.lines ?? []), [data]);
  const keep = useMemo(() => {
    const text = q.toLowerCase();
    return text === '' ? undefined : (row: MarginRow) => titleOf(row).toLowerCase().includes(text);
  }, [q]);
  const list = {
    rows,
    complete: data !== undefined,
    loading: isPending,
    fetching: isFetching,
    error,
    refetch: () => void refetch(),
  };
  return { of, data, list, keep };
};

/** The log's filter of a line. */
const logFilters = (by: MarginDimension, row: MarginRow): Record<string, unknown> => {
  if (row.name === null) return {};
  if (by === 'model') return { model_name: row.name };
  if (by === 'channel') return { channel: row.name };
  return by === 'user' ? { username: row.title } : {};
};

interface LineOf {
  readonly row: MarginRow;
  readonly search: MarginsSearch;
  /** Unix seconds. */
  readonly span: { readonly from: number; readonly before: number };
}

const logHref = ({ row, search, span }: LineOf): string => {
  const { by = 'model', model, channel } = search;
  const times = { start_timestamp: span.from, end_timestamp: span.before - 1 };
  return `/log${stringifySearch({ ...times, model_name: model, channel, ...logFilters(by, row) })}`;
};

/** The channels of a model, or the models of a channel, over the same time; undefined: the line has none. */
const insideHref = ({ row, search }: Omit<LineOf, 'span'>): string | undefined => {
  const { by = 'model', model, channel, range, from, to } = search;
  const times = { range, from, to };
  if (row.name === null) return undefined;
  if (by === 'model' && channel === undefined)
    return `/margin${stringifySearch({ ...times, by: 'channel', model: row.name })}`;
  if (by === 'channel' && model === undefined)
    return `/margin${stringifySearch({ ...times, by: 'model', channel: row.name })}`;
  return undefined;
};

const entriesOf = (line: LineOf, t: Translate): readonly MenuEntry[] => {
  const inside = insideHref(line);
  const text = line.search.by === 'channel' ? m.margin_models : m.margin_channels;
  return [
    ...(inside === undefined ? [] : [{ kind: 'link', icon: 'chart', text: t(text), href: inside } as const]),
    { kind: 'link', icon: 'log', text: t(m.margin_logs), href: logHref(line) },
    { kind: 'action', icon: 'copy', text: t(m.margin_copy), keys: 'C', run: () => void copyAloud(titleOf(line.row)) },
  ];
};

/** `/margin`: what calls brought in, what they cost at vendors, and what is left. */
export const MarginsScreen = () => {
  const t = useT();
  const [search, patch] = useSearchState(marginsSearch);
  const { of, data, list, keep } = useMargins(search);
  const [choosing, setChoosing] = useState(false);
  const own = choosing || search.from !== undefined;
  const lineOf = (row: MarginRow): LineOf => ({ row, search, span: data ?? { from: 0, before: 1 } });
  const hasRest = data?.lines.some(({ name }) => name === null) === true;
  return (
    <ListScreen
      name="margins"
      icon="chart"
      texts={texts}
      state={{ list, search, patch, keep, usualSize }}
      columns={marginColumns}
      above={
        <>
          {own && (
            <Suspense>
              <OwnTimes search={search} patch={patch} />
            </Suspense>
          )}
          {data !== undefined && data.total.requests > 0 && (
            <section className="mb-3 rounded-card border border-line bg-panel px-4 py-3">
              <MarginTotals {...data} />
            </section>
          )}
        </>
      }
      filters={<Filters search={search} patch={patch} own={own} onChoosing={setChoosing} />}
      chosen={{ model: search.model, channel: search.channel === undefined ? undefined : String(search.channel) }}
      nameOf={titleOf}
      onOpen={(row) => void navigate(insideHref({ row, search }) ?? logHref(lineOf(row)))}
      onCopy={(row) => void copyAloud(titleOf(row))}
      entriesOf={(row) => entriesOf(lineOf(row), t)}
      footer={
        hasRest && (
          <a className={buttonClass('plain')} href={marginsHref(of)} download>
            {t(m.margin_export)}
          </a>
        )
      }
    />
  );
};

interface FiltersProps {
  readonly search: MarginsSearch;
  readonly patch: Patch<MarginsSearch>;
  readonly own: boolean;
  readonly onChoosing: (choosing: boolean) => void;
}

const Filters = ({ search, patch, own, onChoosing }: FiltersProps) => {
  const t = useT();
  const { range, from, by = 'model', model, channel } = search;
  const only =
    model === undefined ? channel && t(m.margin_of_channel, { name: channel }) : t(m.margin_of_model, { name: model });
  return (
    <>
      <UsageRangeSelect
        range={own || from !== undefined ? undefined : (range ?? usualRange)}
        onPick={(picked) => {
          onChoosing(false);
          patch({ range: picked, from: undefined, to: undefined, p: undefined });
        }}
        onCustom={() => onChoosing(true)}
      />
      <Select
        aria-label={t(m.dash_by)}
        value={by}
        choices={dimensionIds.map((id) => [id, t(dimensions[id])] as const)}
        onPick={(picked) => patch({ by: picked === 'model' ? undefined : picked, p: undefined })}
      />
      {only && (
        <Select
          aria-label={t(m.filters)}
          value="only"
          choices={[
            ['only', only],
            ['every', t(m.margin_every)],
          ]}
          onPick={(picked) => picked === 'every' && patch({ model: undefined, channel: undefined, p: undefined })}
          className="max-w-72"
        />
      )}
    </>
  );
};
