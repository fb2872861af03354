import { SearchBox } from '../../components/list/search-box.tsx';
import type { Message } from '../../lib/hooks/use-t.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { settingTabs } from './settings-search.ts';
import type { SettingTab } from './settings-search.ts';

const titles: Record<SettingTab, Message> = {
  personal: m.setting_tab_personal,
  operation: m.setting_tab_operation,
  system: m.setting_tab_system,
  other: m.setting_tab_other,
};

interface SettingsNavProps {
  /** Undefined while a search shows settings of every tab. */
  readonly tab: SettingTab | undefined;
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

/** The tabs, at the side or across a phone, and a search over all of them. */
export const SettingsNav = ({ tab, search, onSearch }: SettingsNavProps) => {
  const t = useT();
  return (
    <div className="flex flex-col gap-3 max-md:pb-4 md:sticky md:top-19 md:self-start">
      <SearchBox label={t(m.setting_search)} value={search} onSearch={onSearch} />
      <nav aria-label={t(m.setting_title)} className="flex flex-col gap-0.5 max-md:flex-row max-md:flex-wrap">
        {settingTabs.map((each) => (
          <a
            key={each}
            href={`/setting?tab=${each}`}
            aria-current={each === tab ? 'page' : undefined}
            className="flex min-h-8 items-center rounded-control px-2.5 whitespace-nowrap text-mute hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:min-h-11"
          >
            {t(titles[each])}
          </a>
        ))}
      </nav>
    </div>
  );
};
