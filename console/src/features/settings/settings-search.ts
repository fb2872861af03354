import { oneOf, searchOf, upTo } from '../../lib/lists/search-params.ts';

export const settingTabs = ['personal', 'operation', 'system', 'other'] as const;
export type SettingTab = (typeof settingTabs)[number];

const searchLengthMax = 60;
const modelNameMax = 256;

/** The search parameters of the settings: the tab, the search across tabs, and the model whose price to edit. */
export const settingsSearch = searchOf({
  tab: oneOf(settingTabs),
  q: upTo(searchLengthMax),
  /** A model whose price is to be set. */
  price: upTo(modelNameMax),
});
