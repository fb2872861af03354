import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { operationSections } from './operation-sections.ts';
import { otherSections } from './other-sections.ts';
import type { Section, SectionPart } from './setting.ts';
import { systemSections } from './system-sections.ts';

/** Every section of the gateway's settings, tab by tab. */
export const sections: readonly Section[] = [...operationSections, ...systemSections, ...otherSections];

/** What a section's own buttons say: it is looked for as well. */
const partWords: Partial<Record<SectionPart, readonly Message[]>> = {
  'clear-logs': [m.setting_logs_clear, m.setting_logs_before],
  'update-check': [m.setting_update_check],
};

/** The sections and settings whose words or option names contain what was searched for. */
export const findSections = (t: Translate, wanted: string): readonly Section[] => {
  const words = wanted.trim().toLowerCase();
  const has = (...texts: readonly string[]): boolean => texts.some((text) => text.toLowerCase().includes(words));
  return sections.flatMap((section): Section[] => {
    const parts = section.part ? (partWords[section.part] ?? []) : [];
    if (has(t(section.title), section.id, ...parts.map((word) => t(word)))) return [section];
    const settings = section.settings.filter(({ key, label, hint }) => has(key, t(label), hint ? t(hint) : ''));
    return settings.length > 0 ? [{ ...section, settings }] : [];
  });
};
