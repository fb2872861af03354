import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { menuTrigger } from '../../components/overlays.ts';
import { usePhone } from '../../lib/use-media.ts';
import type { Patch } from '../../lib/use-search-state.ts';
import { useT } from '../../lib/use-t.ts';
import type { Translate } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { ChannelsSearch } from './channels-search.ts';

interface ChannelFiltersProps {
  readonly search: ChannelsSearch;
  readonly patch: Patch<ChannelsSearch>;
}

/** A search without any filter. */
export const noFilters = {
  view: undefined,
  type: undefined,
  group: undefined,
  model: undefined,
  took: undefined,
  p: undefined,
} as const;

/** The filters that have no control of their own in the toolbar. */
const FilterButton = ({ search, patch }: ChannelFiltersProps) => {
  const t = useT();
  const client = useQueryClient();
  const entries = async () => (await import('./filter-entries.ts')).filterEntries({ client, search, patch, t });
  return (
    <Button icon="plus" {...menuTrigger(() => ({ label: t(m.channel_filter), entries: entries() }))}>
      {t(m.channel_filter)}
    </Button>
  );
};

/** What the chosen ones of these filters say. */
export const filterWords = (t: Translate, { group, model, took }: ChannelsSearch) =>
  [
    ['group', group && t(m.channel_filter_group, { group })],
    ['model', model && t(m.channel_filter_model, { model })],
    [
      'took',
      took && t(took.startsWith('<') ? m.channel_filter_within : m.channel_filter_over, { seconds: took.slice(1) }),
    ],
  ] as const;

/** The button on wide screens: on a phone the toolbar is a sheet, over which no menu can open. */
export const WideFilterButton = (props: ChannelFiltersProps) => !usePhone() && <FilterButton {...props} />;

/** The filters in force, each with the way out of it; on a phone also the way to more. */
export const ChannelFilterChips = ({ search, patch }: ChannelFiltersProps) => {
  const t = useT();
  const phone = usePhone();
  const chips = filterWords(t, search).filter(([, words]) => words);
  if (chips.length === 0 && !phone) return null;
  return (
    <div role="group" aria-label={t(m.channel_filters)} className="-mt-1 flex flex-wrap items-center gap-2 pb-3">
      {phone && <FilterButton search={search} patch={patch} />}
      {chips.map(([member, words = '']) => (
        <button
          key={member}
          type="button"
          aria-label={t(m.remove_named, { name: words })}
          className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-full bg-off-bg px-3 text-13 pointer-coarse:h-10"
          onClick={() => patch({ [member]: undefined, p: undefined })}
        >
          <span className="truncate">{words}</span>
          <Icon name="close" className="size-3" />
        </button>
      ))}
    </div>
  );
};
