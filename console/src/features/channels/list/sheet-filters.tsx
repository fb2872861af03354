import { useQuery } from '@tanstack/react-query';
import { Input } from '../../../components/form/input.tsx';
import { Select } from '../../../components/form/select.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { groupsQuery } from '../queries.ts';
import type { ChannelFiltersProps } from './channel-filters.tsx';
import { timeBounds } from './filter-entries.ts';

/** The filters of the toolbar's menu as fields: on a phone they are in the sheet of all filters. */
export const SheetFilters = ({ search, patch }: ChannelFiltersProps) => {
  const t = useT();
  const { data: groups = [] } = useQuery(groupsQuery);
  const known = [...new Set([...groups, ...(search.group === undefined ? [] : [search.group])])];
  const within = timeBounds.map((seconds) => [`<${seconds}`, t(m.channel_filter_within, { seconds })] as const);
  const over = timeBounds.map((seconds) => [`>${seconds}`, t(m.channel_filter_over, { seconds })] as const);
  return (
    <>
      <Select
        aria-label={t(m.channel_group)}
        value={search.group ?? ''}
        choices={[['', t(m.channel_group_any)], ...known.map((group) => [group, group] as const)]}
        onPick={(group) => patch({ group: group || undefined, p: undefined })}
      />
      <Select
        aria-label={t(m.channel_response)}
        value={search.took ?? ''}
        choices={[['', t(m.channel_response_any)], ...within, ...over]}
        onPick={(took) => patch({ took: took || undefined, p: undefined })}
      />
      <Input
        aria-label={t(m.channel_filter_by_model)}
        placeholder={t(m.channel_filter_by_model)}
        defaultValue={search.model ?? ''}
        onBlur={({ target }) => patch({ model: target.value.trim() || undefined, p: undefined })}
      />
    </>
  );
};
