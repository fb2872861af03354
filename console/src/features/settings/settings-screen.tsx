import { Suspense, lazy, useState } from 'react';
import type { ComponentType } from 'react';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { mayI } from '../../lib/api/session.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { SettingsNav } from './settings-nav.tsx';
import { settingsSearch } from './settings-search.ts';

interface SettingsScreenProps {
  /** The tab of the own account, or its search results. */
  readonly Personal: ComponentType<{ readonly search?: string | undefined }>;
  /** Whether it has any result. */
  readonly matchesPersonal: (t: Translate, search: string) => boolean;
}

/** `/setting`: the own account; for administrators also the gateway. */
export const SettingsScreen = (props: SettingsScreenProps) => {
  const t = useT();
  if (mayI('admin')) return <AllSettings {...props} />;
  return (
    <div className="mx-auto w-full max-w-220">
      <PageHead title={t(m.setting_title)} />
      <props.Personal />
    </div>
  );
};

/** Loaded on demand: most visits are to the own account. */
const GatewayTabs = lazy(async () => ({ default: (await import('./gateway-tabs.tsx')).GatewayTabs }));

const AllSettings = ({ Personal, matchesPersonal }: SettingsScreenProps) => {
  const t = useT();
  const [{ tab = 'personal', q }, patch] = useSearchState(settingsSearch);
  const personal = tab === 'personal' && q === undefined;
  const own = q !== undefined && matchesPersonal(t, q);
  // Once loaded, the tabs stay mounted, so that their unsaved texts are kept.
  const [opened, setOpened] = useState(!personal);
  if (!personal && !opened) setOpened(true);
  return (
    <div className="mx-auto grid w-full max-w-280 grid-cols-[180px_minmax(0,1fr)] gap-x-8 max-md:grid-cols-1">
      <div className="col-span-full">
        <PageHead title={t(m.setting_title)} />
      </div>
      <SettingsNav tab={q === undefined ? tab : undefined} search={q ?? ''} onSearch={(text) => patch({ q: text })} />
      <div className="flex min-w-0 flex-col gap-4">
        {personal && <Personal />}
        {opened && (
          <Suspense fallback={<FormSkeleton fields={6} />}>
            <GatewayTabs tab={personal ? undefined : tab} search={q} foundElsewhere={own}>
              {own && <Personal search={q} />}
            </GatewayTabs>
          </Suspense>
        )}
      </div>
    </div>
  );
};
