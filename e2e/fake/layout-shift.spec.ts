/** Nothing on a page moves when its parts arrive, in whichever order they do. */
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';

const SHOP = '/s/shop-discounts';
const FILES = `${SHOP}/f/home/kim/shop`;

/** With the method whose answer comes last: what is drawn without it must stay where it is. */
type Shown = readonly [route: string, last: string, scenario?: string];

const PAGES: Record<string, readonly Shown[]> = {
  'the pages around sessions': [
    ['/', 'sessions', 'several'],
    ['/', 'settings'],
    ['/doctor/shop-discounts', 'session'],
    ['/doctor', 'sessions', 'sick'],
    ['/disk', 'disk'],
    ['/settings', 'settings'],
  ],
  'the changes of a session': [
    [SHOP, 'session'],
    ['/s/mono', 'changes', 'bulk'],
    ['/s/tidied', 'changes'],
    [`${FILES}/src/cart/cart.ts`, 'diff'],
    [`${FILES}/README.md`, 'viewed'],
    [`${FILES}/public/logo.png`, 'image'],
  ],
  'the calls of a session': [
    [`${SHOP}/calls`, 'changes'],
    [`${SHOP}/call/c04`, 'call'],
    [`${SHOP}/call/c07`, 'changes'],
    [`${SHOP}/call/prompt-1`, 'calls'],
    [`${SHOP}/history`, 'history'],
    [`${SHOP}/details`, 'calls'],
  ],
};

declare global {
  interface Window {
    moved: string[];
  }
}

/** What moved, from where to where. */
async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.moved = [];
    const place = ({ x, y, width, height }: DOMRectReadOnly) =>
      [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources = [] } = entry as PerformanceEntry & {
          sources?: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
        };
        for (const { node, previousRect, currentRect } of sources) {
          const name = node instanceof Element ? `${node.tagName}.${node.className}` : node?.nodeName;
          window.moved.push(
            `${name} ${node?.textContent?.slice(0, 20)}: ${place(previousRect)} -> ${place(currentRect)}`,
          );
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

for (const [name, pages] of Object.entries(PAGES)) {
  test(`${name}: parts that arrive move nothing, whichever comes last`, async ({ watched: page }) => {
    await watchMoves(page);
    const answered = page.locator('html[data-answered]');
    for (const [route, last, scenario = 'demo'] of pages) {
      await page.goto('about:blank');
      await page.goto(`fake.html?fake=${scenario}&last=${last}#${route}`);
      await expect(answered).toBeAttached();
      // What is only asked for when nobody scrolls.
      await page.waitForTimeout(200);
      await expect(answered).toBeAttached();
      expect.soft(await page.evaluate(() => window.moved), `${route}, ${last} last`).toEqual([]);
    }
  });
}
