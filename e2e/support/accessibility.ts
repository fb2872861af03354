import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Accessibility violations of this page, by WCAG 2.2 AA and best-practice rules or by the given rules alone. */
export const violations = async (page: Page, rules: readonly string[] = []): Promise<readonly string[]> => {
  // No page has frames of another site, for which each analysis would open a page of its own. Of rules that are kept, axe
  // would describe every element too. Both take more than half of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (rules.length > 0) axe.withRules([...rules]);
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
};
