import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { Failure } from '../../components/failure.tsx';
import { FormSkeleton } from '../../components/form-skeleton.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useHighlight } from '../../components/use-highlight.ts';
import { mayI } from '../../lib/session.ts';
import { useSearchState } from '../../lib/use-search-state.ts';
import { useT } from '../../lib/use-t.ts';
import type { Translate } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { optionsQuery } from './queries.ts';
import type { StoredOptions } from './queries.ts';
import { SectionCard } from './section-card.tsx';
import { findSections, sections } from './sections.ts';
import { SettingsContext, useSettings } from './settings-context.ts';
import { SettingsNav } from './settings-nav.tsx';
import { settingsSearch } from './settings-search.ts';
import type { SettingTab } from './settings-search.ts';
import { UnsavedBar } from './unsaved-bar.tsx';
import { useDrafts } from './use-drafts.ts';

interface SettingsScreenProps {
  /** The tab about one's own account, or what of it says something searched for. */
  readonly Personal: ComponentType<{ readonly search?: string | undefined }>;
  /** Whether anything of it does. */
  readonly personalSays: (t: Translate, search: string) => boolean;
}

/** `/setting`: one's own account for everybody, the gateway for administrators. */
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

const nothing: StoredOptions = { values: {}, secretsSet: undefined, undeclaredProxy: '' };

/** Holds what was typed in any tab, so that it waits there while another one is looked at. */
const AllSettings = ({ Personal, personalSays }: SettingsScreenProps) => {
  const t = useT();
  const [{ tab = 'personal', q }, patch] = useSearchState(settingsSearch);
  const { data, error, refetch } = useQuery(optionsQuery);
  const settings = useDrafts(data ?? nothing);
  const own = q !== undefined && personalSays(t, q);
  const gateway = () => {
    if (data) return <GatewaySettings tab={tab} search={q} foundElsewhere={own} proxy={data.undeclaredProxy} />;
    return error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={6} />;
  };
  return (
    <SettingsContext value={settings}>
      <div className="mx-auto grid w-full max-w-280 grid-cols-[180px_minmax(0,1fr)] gap-x-8 max-md:grid-cols-1">
        <div className="col-span-full">
          <PageHead title={t(m.setting_title)} />
        </div>
        <SettingsNav tab={q === undefined ? tab : undefined} search={q ?? ''} onSearch={(text) => patch({ q: text })} />
        <div className="flex min-w-0 flex-col gap-4">
          {tab === 'personal' && q === undefined ? <Personal /> : gateway()}
          {own && <Personal search={q} />}
          <UnsavedBar />
        </div>
      </div>
    </SettingsContext>
  );
};

interface GatewaySettingsProps {
  readonly tab: SettingTab;
  /** Undefined: the whole tab. */
  readonly search: string | undefined;
  /** One's own settings say what is searched for. */
  readonly foundElsewhere: boolean;
  /** A proxy that nobody declared; empty: none. */
  readonly proxy: string;
}

const GatewaySettings = ({ tab, search, foundElsewhere, proxy }: GatewaySettingsProps) => {
  const t = useT();
  const { readOnly } = useSettings();
  const root = useHighlight(search ?? '');
  const shown = search === undefined ? sections.filter((section) => section.tab === tab) : findSections(t, search);
  return (
    <div ref={root} className="flex flex-col gap-4">
      {proxy !== '' && <Notice tone="warn">{t(m.setting_proxy, { address: proxy })}</Notice>}
      {readOnly && <Notice tone="info">{t(m.setting_read_only)}</Notice>}
      {shown.map((section) => (
        <SectionCard key={section.id} section={section} />
      ))}
      {shown.length === 0 && !foundElsewhere && (
        <p className="py-10 text-center text-mute">{t(m.setting_none_found, { text: search ?? '' })}</p>
      )}
    </div>
  );
};
