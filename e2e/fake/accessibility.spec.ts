/** What must hold of every page and state: what axe asks for, and that nothing is out of place, whatever the width. */
import type { Page } from '@playwright/test';
import { OF_COLOURS, violations } from '../axe.ts';
import { faultsOfLayout, hiddenRings } from './layout-faults.ts';
import { expect, open, test } from './page.ts';
import { VIEWS } from './views.ts';

/** A wide window, the narrowest with columns, one with rows as blocks, and a telephone. */
const WIDTHS = [1_280, 800, 700, 390];

/** As if the pointer were on all that answers to it. */
async function hoverAll(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('DOM.enable');
  await tools.send('CSS.enable');
  const { root } = await tools.send('DOM.getDocument');
  const selector = 'a, button, label, summary, .row, .call-row, .session-card, td';
  const { nodeIds } = await tools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector });
  for (const nodeId of nodeIds)
    await tools.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: ['hover'] });
}

for (const view of VIEWS) {
  test(`neither axe nor a ruler finds anything wrong with ${view.name}`, async ({ watched: page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open(page, view.route, view.scenario);
    await expect(page.getByText(view.ready).first()).toBeVisible();
    await view.act?.(page);
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, OF_COLOURS)).toEqual([]);
    await hoverAll(page);
    expect(await violations(page, OF_COLOURS), 'under the pointer').toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await faultsOfLayout(page), `${width} pixels wide`).toEqual([]);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
    expect(await hiddenRings(page)).toEqual([]);
  });
}
