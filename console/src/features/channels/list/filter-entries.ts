import type { QueryClient } from '@tanstack/react-query';
import { ask } from '../../../components/overlay/overlays.ts';
import type { MenuEntry } from '../../../components/overlay/overlays.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelsSearch } from './channels-search.ts';
import { groupsQuery } from '../queries.ts';

interface FilterContext {
  readonly client: QueryClient;
  readonly search: ChannelsSearch;
  readonly patch: Patch<ChannelsSearch>;
  readonly t: Translate;
}

/** The limits of the response time ratings. */
export const timeBounds = [1, 3, 5] as const;

/** Menu entries for groups, models and response times to filter channels by. */
export const filterEntries = async ({ client, search, patch, t }: FilterContext): Promise<readonly MenuEntry[]> => {
  const groups = await client.query(groupsQuery);
  const set = (change: Partial<ChannelsSearch>): void => patch({ ...change, p: undefined });
  const askForModel = async (): Promise<void> => {
    const model = await ask({
      title: t(m.channel_filter_by_model),
      label: t(m.column_name),
      verb: t(m.channel_filter_verb),
    });
    if (model !== undefined) set({ model });
  };
  const took = (sign: '<' | '>', seconds: number): MenuEntry => ({
    kind: 'choice',
    text: t(sign === '<' ? m.channel_filter_within : m.channel_filter_over, { seconds }),
    chosen: search.took === `${sign}${seconds}`,
    run: () => set({ took: `${sign}${seconds}` }),
  });
  return [
    {
      kind: 'group',
      text: t(m.channel_group),
      entries: groups.map((group) => ({
        kind: 'choice',
        text: group,
        chosen: search.group === group,
        run: () => set({ group }),
      })),
    },
    { kind: 'action', icon: 'tag', text: t(m.channel_filter_by_model), run: () => void askForModel() },
    {
      kind: 'group',
      text: t(m.channel_response),
      entries: [...timeBounds.map((seconds) => took('<', seconds)), ...timeBounds.map((seconds) => took('>', seconds))],
    },
  ];
};
