import type { OptionKey } from '@weir/contract/options';
import type { Message } from '../../lib/hooks/use-t.ts';
import type { SettingTab } from './settings-search.ts';

/** How a setting is edited. Switches save at once, everything else with its section. */
export type Control =
  | { readonly control: 'switch' | 'text' | 'secret' | 'url' | 'quota' | 'domains' | 'theme' | 'ratios' }
  /** `step` as the specification says it; `unit` stands behind the field. */
  | { readonly control: 'number'; readonly step: string; readonly unit?: Message }
  /** Text of many lines with its preview: HTML, markdown, or markdown that may be an address to frame. */
  | { readonly control: 'long'; readonly shows: 'html' | 'markdown' | 'page' };

export type Setting = Control & {
  readonly key: OptionKey;
  readonly label: Message;
  readonly hint?: Message;
};

/** What a section has besides its settings. */
export type SectionPart =
  | 'smtp-presets'
  | 'code-host-callback'
  | 'human-trial'
  | 'qr-preview'
  | 'logo-preview'
  | 'clear-logs'
  | 'update-check';

export interface Section {
  /** Its anchor. */
  readonly id: string;
  readonly tab: Exclude<SettingTab, 'personal'>;
  readonly title: Message;
  readonly text?: Message;
  readonly settings: readonly Setting[];
  readonly part?: SectionPart;
  /** The words on its Save button; absent: nothing here waits to be saved. */
  readonly save?: Message;
}
