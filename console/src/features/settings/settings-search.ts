import { oneOf, searchOf, upTo } from '../../lib/search-params.ts';

export const settingTabs = ['personal', 'operation', 'system', 'other'] as const;
export type SettingTab = (typeof settingTabs)[number];

const searchLengthMax = 60;

/** The address of the settings: the tab, and what is searched for across tabs. */
export const settingsSearch = searchOf({ tab: oneOf(settingTabs), q: upTo(searchLengthMax) });
