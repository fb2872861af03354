import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What on this page keeps a user out, by the rules of WCAG 2.2 AA and good practice or by the given ones alone. */
export const violations = async (page: Page, rules: readonly string[] = []): Promise<readonly string[]> => {
  const axe = new AxeBuilder({ page });
  if (rules.length > 0) axe.withRules([...rules]);
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
};
