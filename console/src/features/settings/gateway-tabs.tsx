import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../../components/failure.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { Notice } from '../../components/notice.tsx';
import { useHighlight } from '../../components/use-highlight.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { optionsQuery } from './queries.ts';
import type { StoredOptions } from './queries.ts';
import { SectionCard } from './section-card.tsx';
import { findSections, sections } from './sections.ts';
import { SettingsContext, useSettings } from './settings-context.ts';
import type { SettingTab } from './settings-search.ts';
import { useDrafts } from './use-drafts.ts';
import { Button } from '../../components/button.tsx';
import { optionKeys } from './setting.ts';

/** The unsaved texts by option name, of all tabs. */
const UnsavedBar = () => {
  const t = useT();
  const { discard, unsaved } = useSettings();
  if (unsaved.length === 0) return null;
  const names = optionKeys.filter((key) => unsaved.includes(key)).map((key) => t(m.option_label, { key }));
  return (
    <div
      role="status"
      className="sticky bottom-3 z-10 flex flex-wrap items-center gap-3 rounded-card border border-line bg-panel py-2 pr-2 pl-4 shadow-float"
    >
      <p className="min-w-0 flex-1 truncate">
        <b className="font-semibold">{t(m.setting_unsaved, { count: names.length })}</b>{' '}
        <span className="text-mute">{names.join(', ')}</span>
      </p>
      <Button onClick={discard}>{t(m.setting_discard)}</Button>
    </div>
  );
};

const nothing: StoredOptions = { values: {}, secretsSet: undefined, undeclaredProxy: '' };

interface GatewayTabsProps {
  /** Undefined: another tab is on screen. */
  readonly tab: SettingTab | undefined;
  /** Undefined: the whole tab. */
  readonly search: string | undefined;
  /** The settings of the own account match the search. */
  readonly foundElsewhere: boolean;
  /** The search results of that tab. */
  readonly children: ReactNode;
}

/** The gateway's settings. Holds the unsaved texts of all tabs, so that switching tabs loses nothing. */
export const GatewayTabs = ({ tab, search, foundElsewhere, children }: GatewayTabsProps) => {
  const { data, error, refetch } = useQuery(optionsQuery);
  const settings = useDrafts(data ?? nothing);
  const shown = () => {
    if (data)
      return <GatewaySettings tab={tab} search={search} foundElsewhere={foundElsewhere} proxy={data.undeclaredProxy} />;
    return error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={6} />;
  };
  return (
    <SettingsContext value={settings}>
      {tab !== undefined && shown()}
      {children}
      <UnsavedBar />
    </SettingsContext>
  );
};

interface GatewaySettingsProps {
  readonly tab: SettingTab | undefined;
  /** Undefined: the whole tab. */
  readonly search: string | undefined;
  /** The settings of the own account match the search. */
  readonly foundElsewhere: boolean;
  /** An undeclared proxy; empty: none. */
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
