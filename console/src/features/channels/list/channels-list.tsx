import { vendorList, vendorOf } from '@weir/contract/catalogue/vendors';
import { channelStatus } from '@weir/contract/channels';
import type { Channel } from '@weir/contract/channels';
import { Suspense, lazy, useMemo } from 'react';
import { AddLink } from '../../../components/list/add-link.tsx';
import type { ButtonLook } from '../../../components/button.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { Empty } from '../../../components/empty.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { ListToolbar, ListViews } from '../../../components/list/list-toolbar.tsx';
import { ListFacts } from '../../../components/list/list-tools.tsx';
import { NoMatch } from '../../../components/list/no-match.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { RefreshButton } from '../../../components/list/refresh-button.tsx';
import { Select } from '../../../components/form/select.tsx';
import type { PagedList } from '../../../lib/lists/paged-list.ts';
import { usePhone } from '../../../lib/hooks/use-media.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { ActionsContext } from '../actions-context.ts';
import { channelEntries } from './channel-entries.ts';
import { ChannelNotice } from './channel-notice.tsx';
import { ChosenFilters, FilterButton, PhoneFilterButton } from './channel-filters.tsx';
import { isFiltered, passes } from '../channel-status.ts';
import { channelViews } from './channels-search.ts';
import type { ChannelsSearch } from './channels-search.ts';
import { channelColumns } from './columns.tsx';
import { ListWorkButtons } from './list-work-buttons.tsx';
import { useBulkActions } from './use-bulk-actions.ts';
import { useChannelActions } from '../use-channel-actions.ts';
import type { ChannelActions } from '../use-channel-actions.ts';

/** The rows come first: most visits find no test running. */
const barDelayMs = 500;
const TestRunBar = lazy(async () => {
  await new Promise((resolve) => setTimeout(resolve, barDelayMs));
  return { default: (await import('./test-run-bar.tsx')).TestRunBar };
});

interface ChannelsListProps {
  readonly list: PagedList<Channel>;
  readonly search: ChannelsSearch;
  readonly patch: Patch<ChannelsSearch>;
  readonly onLoadAll: () => void;
}

const viewWords = {
  enabled: m.channel_view_enabled,
  auto: m.channel_view_auto,
  disabled: m.channel_view_disabled,
  untested: m.channel_view_untested,
  slow: m.channel_view_slow,
} as const;

const typeName = (type: number | undefined): string | undefined =>
  type === undefined ? undefined : vendorOf(type)?.name;

/** What is searched for and chosen; further filters stand above the list, each by itself. */
const chosenWords = (t: Translate, search: ChannelsSearch) => [
  search.q && t(m.searched_for, { text: search.q }),
  search.view && t(viewWords[search.view]),
  typeName(search.type),
];

const everything = {
  q: undefined,
  view: undefined,
  type: undefined,
  group: undefined,
  model: undefined,
  took: undefined,
  p: undefined,
} as const;

export const ChannelsList = (props: ChannelsListProps) => {
  const { list, search, patch, onLoadAll } = props;
  const t = useT();
  const actions = useChannelActions();
  const bulk = useBulkActions();
  const keep = useMemo(
    () => (isFiltered(search) ? (channel: Channel) => passes(channel, search) : undefined),
    [search],
  );
  const add = (look: ButtonLook) => <AddLink href="/channel/add" text={t(m.channel_create)} look={look} />;
  const clear = (): void => patch(everything);
  return (
    <ActionsContext value={actions}>
      <PageHead title={t(m.channel_title)} facts={<ListFacts list={list} />}>
        {add('primary')}
      </PageHead>
      <ChannelNotice />
      <Suspense>
        <TestRunBar />
      </Suspense>
      <Toolbar {...props} keep={keep} />
      <PhoneFilterButton search={search} patch={patch} />
      <ChosenFilters search={search} patch={patch} />
      <DataTable
        name="channels"
        label={t(m.channel_title)}
        columns={channelColumns}
        list={list}
        search={search}
        patch={patch}
        keep={keep}
        nameOf={({ name, id }) => name || String(id)}
        onOpen={actions.edit}
        entriesOf={(channel) => channelEntries(channel, actions, t)}
        renderQuick={(channel) => <QuickButtons channel={channel} actions={actions} />}
        bulk={bulk}
        onLoadAll={onLoadAll}
        empty={
          <Empty icon="channel" title={t(m.channel_empty_title)} text={t(m.channel_empty_text)}>
            {add('primary')}
          </Empty>
        }
        noMatch={<NoMatch title={t(m.channel_none_title)} filters={chosenWords(t, search)} onClear={clear} />}
        footer={
          <>
            {add('plain')}
            <ListWorkButtons />
            <RefreshButton list={list} />
          </>
        }
      />
    </ActionsContext>
  );
};

interface ToolbarProps extends ChannelsListProps {
  readonly keep: ((channel: Channel) => boolean) | undefined;
}

const Toolbar = ({ list, search, patch, keep }: ToolbarProps) => {
  const t = useT();
  const phone = usePhone();
  const types = vendorList.map(({ id, name }) => [String(id), name] as const);
  return (
    <ListToolbar
      name="channels"
      columns={channelColumns}
      list={list}
      search={search}
      patch={patch}
      keep={keep}
      searchLabel={t(m.channel_search)}
      searchTip={t(m.channel_search_hint)}
    >
      <ListViews
        current={search.view}
        views={channelViews.map((id) => [id, t(viewWords[id])] as const)}
        onPick={(view) => patch({ view, p: undefined })}
      />
      <Select
        aria-label={t(m.channel_type)}
        value={search.type === undefined ? '' : String(search.type)}
        choices={[['', t(m.channel_type_any)], ...types]}
        onPick={(type) => patch({ type: type === '' ? undefined : Number(type), p: undefined })}
        className="w-36 max-md:min-w-0 max-md:basis-40 max-md:grow"
      />
      {!phone && <FilterButton search={search} patch={patch} />}
    </ListToolbar>
  );
};

interface QuickButtonsProps {
  readonly channel: Channel;
  readonly actions: ChannelActions;
}

/** Testing; on cards also enabling what the system disabled, which tables offer beside the status. */
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
