import { useQuery } from '@tanstack/react-query';
import { tokenStatus } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import { useParams } from 'wouter';
import { Badge } from '../../../components/text/badge.tsx';
import { Button, buttonClass } from '../../../components/button.tsx';
import { Crumbs } from '../../../components/crumbs.tsx';
import { Failure } from '../../../components/failure.tsx';
import { FormSkeleton } from '../../../components/form/form-skeleton.tsx';
import { Icon } from '../../../components/icon.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { RowMenuButton } from '../../../components/table/row-menu-button.tsx';
import { Undo } from '../../../components/overlay/undo.tsx';
import { ViewTabs } from '../../../components/view-tabs.tsx';
import { useSearchState } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { m } from '../../../paraglide/messages.js';
import { ConnectTab } from './connect-tab.tsx';
import { detailSearch } from './detail-search.ts';
import { KeyCell } from '../list/key-cell.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { tokenQuery } from '../queries.ts';
import { OverlapNotice, RollButton } from '../roll/own-roll.tsx';
import { RequestsTab } from './requests-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { tokenEntries } from '../list/token-entries.ts';
import { statusNow, statusOf } from '../token-status.ts';
import { undoKey, useTokenActions } from '../list/use-token-actions.ts';

/** `/token/{id}`: usage and settings of a token, and how to connect with it. */
export const DetailScreen = () => {
  const { id }: { id?: string } = useParams();
  const t = useT();
  const { data, error, refetch } = useQuery(tokenQuery(Number(id)));
  // After a save the token is reloaded, and the page is mounted again with it.
  if (data) return <Detail token={data} onSaved={async () => void (await refetch())} />;
  return (
    <>
      <PageHead title={t(m.token_detail)} />
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={6} />}
    </>
  );
};

/** No field for a text that could not be copied: the key is in the connect tab. */
const forget = (): void => undefined;

interface DetailProps {
  readonly token: Token;
  readonly onSaved: () => Promise<void>;
}

const Detail = ({ token, onSaved }: DetailProps) => {
  const t = useT();
  const [search, patch] = useSearchState(detailSearch);
  const [status, tone] = statusOf(statusNow(token));
  return (
    <>
      <Crumbs title={token.name || '—'} />
      <PageHead title={token.name || '—'}>
        <Actions token={token} />
      </PageHead>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-4 text-13">
        <span className="flex items-center gap-2">
          <Badge tone={tone}>{t(status)}</Badge>
          <Undo of={undoKey(token)} />
        </span>
        <KeyCell token={token} />
        <div className="ml-auto max-md:ml-0">
          <ViewTabs
            label={t(m.token_detail)}
            views={[
              ['overview', t(m.token_overview)],
              ['requests', t(m.token_requests_tab)],
              ['connect', t(m.token_connect)],
              ['settings', t(m.token_settings_tab)],
            ]}
            current={search.tab ?? 'overview'}
            onPick={(tab) => patch({ tab: tab === 'overview' ? undefined : tab })}
          />
        </div>
      </div>
      <OverlapNotice token={token} />
      {search.tab === undefined && <OverviewTab token={token} search={search} patch={patch} />}
      {search.tab === 'requests' && <RequestsTab token={token} />}
      {search.tab === 'connect' && <ConnectTab token={token} />}
      {search.tab === 'settings' && <SettingsTab token={token} onSaved={onSaved} />}
    </>
  );
};

const Actions = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const actions = useTokenActions(forget);
  const enabled = token.status === tokenStatus.enabled;
  const remove = async (): Promise<boolean> => {
    const gone = await actions.remove(token);
    if (gone) await navigate('/token');
    return gone;
  };
  return (
    <>
      <Button sends icon={enabled ? 'pause' : 'play'} onClick={() => actions.flip(token)}>
        {t(enabled ? m.disable : m.enable)}
      </Button>
      <RollButton token={token} />
      <a className={buttonClass('primary')} href={`/token/edit/${token.id}`}>
        <Icon name="edit" />
        {t(m.edit)}
      </a>
      <RowMenuButton name={token.name} entries={() => tokenEntries(token, { ...actions, remove }, t)} />
    </>
  );
};
