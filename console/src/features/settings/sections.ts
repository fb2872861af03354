import type { OptionKey, OptionSection } from '@weir/contract/options';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { controlOf, entryOf, optionKeys } from './setting.ts';
import type { SettingTab } from './settings-search.ts';

type SectionId = OptionSection | 'update';
type Tab = Exclude<SettingTab, 'personal'>;

export interface Section {
  /** Its anchor, and the prefix of its message keys. */
  readonly id: SectionId;
  readonly tab: Tab;
  readonly keys: readonly OptionKey[];
  /** Some option needs the Save button. */
  readonly saves: boolean;
}

const tab = (name: Tab, ids: readonly SectionId[]): readonly Section[] =>
  ids.map((id) => {
    const keys = optionKeys.filter((key) => entryOf(key).section === id);
    return { id, tab: name, keys, saves: keys.some((key) => controlOf(entryOf(key)) !== 'switch') };
  });

/** Every section of the gateway's settings, tab by tab. */
export const sections: readonly Section[] = [
  ...tab('operation', ['general', 'logs', 'queue', 'runs', 'monitor', 'quota', 'ratios']),
  ...tab('system', [
    'address',
    'access',
    'domains',
    'smtp',
    'code-host',
    'chat-app',
    'oidc',
    'lark',
    'pusher',
    'turnstile',
  ]),
  ...tab('other', ['notice', 'look', 'home', 'about', 'footer', 'update']),
];

/** The buttons of a section's special part, for the search. */
const buttonTexts: Partial<Record<SectionId, readonly Message[]>> = {
  logs: [m.setting_logs_clear, m.setting_logs_before],
  update: [m.setting_update_check],
};

/** The sections and options whose texts or names contain the search text. */
export const findSections = (t: Translate, search: string): readonly Section[] => {
  const query = search.trim().toLowerCase();
  const has = (...texts: readonly string[]): boolean => texts.some((text) => text.toLowerCase().includes(query));
  return sections.flatMap((section): Section[] => {
    const { id } = section;
    const buttons = buttonTexts[id] ?? [];
    if (has(t(m.setting_section, { section: id }), id, ...buttons.map((text) => t(text)))) return [section];
    const keys = section.keys.filter((key) => has(key, t(m.option_label, { key }), t(m.option_hint, { key })));
    return keys.length > 0 ? [{ ...section, keys }] : [];
  });
};
