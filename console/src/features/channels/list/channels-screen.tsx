import { vendorList } from '@weir/contract/catalogue/vendors';
import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { Suspense, lazy, useMemo } from 'react';
import { Select } from '../../../components/form/select.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { ListScreen } from '../../../components/list/list-screen.tsx';
import { ListViews } from '../../../components/list/list-toolbar.tsx';
import { useListState } from '../../../components/list/use-list-state.ts';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { useActivity } from '../activity.ts';
import type { Activity } from '../activity.ts';
import { isFiltered, passes } from '../channel-status.ts';
import { channelsList } from '../queries.ts';
import { typeName } from '../../../lib/type-name.ts';
import { useChannelActions } from '../use-channel-actions.ts';
import type { ChannelActions } from '../use-channel-actions.ts';
import { ActionsContext } from './channel-cells.tsx';
import { channelEntries } from './channel-entries.ts';
import { ChosenFilters, MoreFilters } from './channel-filters.tsx';
import type { ChannelFiltersProps } from './channel-filters.tsx';
import { ChannelNotice } from './channel-notice.tsx';
import { channelsSearch } from './channels-search.ts';
import type { ChannelsSearch } from './channels-search.ts';
import { channelColumns } from './columns.tsx';
import { ListWorkButtons } from './list-work-buttons.tsx';
import { useBulkActions } from './use-bulk-actions.ts';

/** Loaded after the rows: most visits find no running test. */
const barDelayMs = 500;
const TestRunBar = lazy(async () => {
  await new Promise((resolve) => setTimeout(resolve, barDelayMs));
  return { default: (await import('./test-run-bar.tsx')).TestRunBar };
});

const texts = {
  title: m.channel_title,
  search: m.channel_search,
  searchTip: m.channel_search_hint,
  empty: [m.channel_empty_title, m.channel_empty_text],
  noMatch: m.channel_none_title,
} as const;

const viewLabels = {
  enabled: m.channel_view_enabled,
  auto: m.channel_view_auto,
  disabled: m.channel_view_disabled,
  untested: m.channel_view_untested,
  slow: m.channel_view_slow,
  failing: m.channel_view_failing,
} as const;

const sourceOf = (activity: Activity | undefined) => ({
  read: channelsSearch,
  pages: channelsList,
  keepOf: (search: ChannelsSearch) =>
    isFiltered(search) ? (channel: Channel) => passes(channel, search, activity) : undefined,
});

/** `/channel` */
export const ChannelsScreen = () => {
  const t = useT();
  const activity = useActivity();
  const reported = useCapabilities();
  const source = useMemo(() => sourceOf(activity), [activity]);
  const columns = useMemo(() => channelColumns(activity, reported), [activity, reported]);
  const state = useListState(source);
  const { search, patch } = state;
  const actions = useChannelActions();
  const bulk = useBulkActions();
  const language = useLanguage();
  // Group, model and time are above the rows, each with a button.
  const chosen = {
    view: search.view && t(viewLabels[search.view]),
    type: search.type === undefined ? undefined : typeName(search.type, language),
    group: undefined,
    model: undefined,
    took: undefined,
  };
  return (
    <ActionsContext value={actions}>
      <ListScreen
        name="channels"
        icon="channel"
        texts={texts}
        state={state}
        columns={columns}
        add={{ href: '/channel/add', text: m.channel_create }}
        filters={<Filters search={search} patch={patch} />}
        chosen={chosen}
        above={
          <>
            <ChannelNotice />
            <Suspense>
              <TestRunBar />
            </Suspense>
          </>
        }
        below={<ChosenFilters search={search} patch={patch} />}
        nameOf={({ name, id }) => name || String(id)}
        onOpen={actions.edit}
        entriesOf={(channel) => channelEntries(channel, actions, t)}
        renderQuick={(channel) => <QuickButtons channel={channel} actions={actions} />}
        bulk={bulk}
        footer={<ListWorkButtons />}
      />
    </ActionsContext>
  );
};

const Filters = ({ search, patch }: ChannelFiltersProps) => {
  const t = useT();
  const language = useLanguage();
  const types = vendorList.map(({ id }) => [String(id), typeName(id, language)] as const);
  return (
    <>
      <ListViews labels={viewLabels} current={search.view} onPick={(view) => patch({ view, p: undefined })} />
      <Select
        aria-label={t(m.channel_type)}
        value={search.type === undefined ? '' : String(search.type)}
        choices={[['', t(m.channel_type_any)], ...types]}
        onPick={(type) => patch({ type: type === '' ? undefined : Number(type), p: undefined })}
        className="w-36 max-md:min-w-0 max-md:basis-40 max-md:grow"
      />
      <MoreFilters search={search} patch={patch} />
    </>
  );
};

interface QuickButtonsProps {
  readonly channel: Channel;
  readonly actions: ChannelActions;
}

/** Test; on cards also enable for channels that the system disabled. Tables have that button beside the status. */
const QuickButtons = ({ channel, actions }: QuickButtonsProps) => {
  const t = useT();
  const { name, status } = channel;
  const wasDisabled = status === channelStatus.autoDisabled;
  return (
    <>
      <IconButton
        sends
        icon="play"
        label={t(m.channel_test_named, { name })}
        className={wasDisabled ? 'md:hidden' : ''}
        onClick={() => actions.test(channel)}
      />
      {wasDisabled && (
        <IconButton
          sends
          icon="check"
          label={t(m.channel_enable_named, { name })}
          className="md:hidden"
          onClick={() => void actions.flip(channel)}
        />
      )}
    </>
  );
};
