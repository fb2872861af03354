import { useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy } from 'react';
import { Button } from '../../../components/button.tsx';
import { menuTrigger } from '../../../components/overlay/overlays.ts';
import { usePhone } from '../../../lib/hooks/use-media.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelsSearch } from './channels-search.ts';

export interface ChannelFiltersProps {
  readonly search: ChannelsSearch;
  readonly patch: Patch<ChannelsSearch>;
}

/** The filters without a control in the toolbar. */
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

const SheetFilters = lazy(async () => ({ default: (await import('./sheet-filters.tsx')).SheetFilters }));

/** A menu in the toolbar; fields on a phone, where the filters are in a sheet. */
export const MoreFilters = (props: ChannelFiltersProps) =>
  usePhone() ? (
    <Suspense>
      <SheetFilters {...props} />
    </Suspense>
  ) : (
    <FilterButton {...props} />
  );

const FilterChips = lazy(async () => ({ default: (await import('./filter-chips.tsx')).FilterChips }));

/** The active filters. Loaded on demand: most visits set none. */
export const ChosenFilters = (props: ChannelFiltersProps) => {
  const { group, model, took } = props.search;
  if ((group ?? model ?? took) === undefined) return null;
  return (
    <Suspense>
      <FilterChips {...props} />
    </Suspense>
  );
};
