import type { Translate } from '../../lib/use-t.ts';
import { operationSections } from './operation-sections.ts';
import { otherSections } from './other-sections.ts';
import type { Section } from './setting.ts';
import { systemSections } from './system-sections.ts';

/** Every section of the gateway's settings, tab by tab. */
export const sections: readonly Section[] = [...operationSections, ...systemSections, ...otherSections];

/** The sections and settings whose words or option names contain what was searched for. */
export const findSections = (t: Translate, wanted: string): readonly Section[] => {
  const words = wanted.trim().toLowerCase();
  const has = (...texts: readonly string[]): boolean => texts.some((text) => text.toLowerCase().includes(words));
  return sections.flatMap((section): Section[] => {
    if (has(t(section.title), section.id)) return [section];
    const settings = section.settings.filter(({ key, label, hint }) => has(key, t(label), hint ? t(hint) : ''));
    return settings.length > 0 ? [{ ...section, settings }] : [];
  });
};
