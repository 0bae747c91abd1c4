import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The rules whose result depends on the theme; the others read the structure, which both themes share. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong with the page: each rule with the elements that break it. `rules`: only these. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  // Colours in the middle of a transition are nobody's choice.
  await page.evaluate(
    async () => await Promise.allSettled(document.getAnimations().map((one) => one.finished)),
  );
  // Without frames of another origin, the result need not go through a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const found = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
