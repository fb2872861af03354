import { m } from '../../paraglide/messages.js';
import type { Section } from './setting.ts';

const tab = 'other';

/** The tab of what visitors see: the notice, the name and look, the pages. */
export const otherSections: readonly Section[] = [
  {
    id: 'notice',
    tab,
    title: m.setting_section_notice,
    save: m.setting_save_notice,
    settings: [
      { key: 'Notice', label: m.option_notice, hint: m.option_notice_hint, control: 'long', shows: 'markdown' },
    ],
  },
  {
    id: 'look',
    tab,
    title: m.setting_section_look,
    save: m.setting_save_look,
    part: 'logo-preview',
    settings: [
      { key: 'SystemName', label: m.option_system_name, control: 'text' },
      { key: 'Theme', label: m.option_theme, hint: m.option_theme_hint, control: 'theme' },
      { key: 'Logo', label: m.option_logo, hint: m.option_logo_hint, control: 'text' },
    ],
  },
  {
    id: 'home',
    tab,
    title: m.setting_section_home,
    save: m.setting_save_home,
    settings: [
      { key: 'HomePageContent', label: m.option_home, hint: m.option_home_hint, control: 'long', shows: 'page' },
    ],
  },
  {
    id: 'about',
    tab,
    title: m.setting_section_about,
    save: m.setting_save_about,
    settings: [{ key: 'About', label: m.option_about, hint: m.option_about_hint, control: 'long', shows: 'page' }],
  },
  {
    id: 'footer',
    tab,
    title: m.setting_section_footer,
    save: m.setting_save_footer,
    settings: [{ key: 'Footer', label: m.option_footer, hint: m.option_footer_hint, control: 'long', shows: 'html' }],
  },
  {
    id: 'update',
    tab,
    title: m.setting_section_update,
    part: 'update-check',
    settings: [],
  },
];
