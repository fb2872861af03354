import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ViewTabs } from '../../components/view-tabs.tsx';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { alertsSearch, alertTabs } from './alerts-search.ts';
import type { AlertTab } from './alerts-search.ts';
import { DestinationDialog } from './destination-dialog.tsx';
import { DestinationsTab } from './destinations-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { RulesTab } from './rules-tab.tsx';

const tabLabels: Readonly<Record<AlertTab, Message>> = {
  history: m.alert_tab_history,
  rules: m.alert_tab_rules,
  destinations: m.alert_tab_destinations,
};

/** `/alert`: rules, where their messages go, and what they found. */
export const AlertsScreen = () => {
  const t = useT();
  const [{ tab = 'history', state, p }, patch] = useSearchState(alertsSearch);
  const [adding, setAdding] = useState<'rule' | 'destination'>();
  const close = (): void => setAdding(undefined);
  return (
    <>
      <PageHead title={t(m.alert_title)}>
        {tab === 'rules' && (
          <Button look="primary" icon="plus" onClick={() => setAdding('rule')}>
            {t(m.alert_add_rule)}
          </Button>
        )}
        {tab === 'destinations' && (
          <Button look="primary" icon="plus" onClick={() => setAdding('destination')}>
            {t(m.alert_add_destination)}
          </Button>
        )}
      </PageHead>
      <ViewTabs
        label={t(m.alert_tabs)}
        views={alertTabs.map((each) => [each, t(tabLabels[each])] as const)}
        current={tab}
        onPick={(picked) => patch({ tab: picked === 'history' ? undefined : picked, state: undefined, p: undefined })}
        className="mb-4 w-fit"
      />
      {tab === 'history' && (
        <HistoryTab
          state={state}
          page={p ?? 0}
          onState={(picked) => patch({ state: picked, p: undefined })}
          onPage={(page) => patch({ p: page === 0 ? undefined : page })}
        />
      )}
      {tab === 'rules' && <RulesTab />}
      {tab === 'destinations' && <DestinationsTab />}
      {adding === 'rule' && <RuleDialog onClose={close} />}
      {adding === 'destination' && <DestinationDialog onClose={close} />}
    </>
  );
};
