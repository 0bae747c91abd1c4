/** Nothing on a page moves when its parts arrive, in whichever order they do. */
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';

const SHOP = '/s/shop-discounts';
const FILES = `${SHOP}/f/home/kim/shop`;

interface Shown {
  route: string;
  /** The method whose answer comes last: what is drawn without it must stay where it is. */
  last: string;
  scenario?: string;
  /** Is there when what comes only after a pause, or takes the browser time, has come. */
  shows?: string;
}

/** Rows whose lines are counted once nobody scrolls. */
const COUNTED = 'html[data-asked~=lineCounts]';

const PAGES: Record<string, readonly Shown[]> = {
  'the pages around sessions': [
    { route: '/', last: 'sessions', scenario: 'several' },
    { route: '/', last: 'settings' },
    { route: '/doctor/shop-discounts', last: 'session' },
    { route: '/doctor', last: 'sessions', scenario: 'sick' },
    { route: '/disk', last: 'disk' },
    { route: '/', last: 'boxCount', scenario: 'boxes' },
    { route: '/boxes', last: 'boxes', scenario: 'boxes' },
    { route: '/s/boxed/box', last: 'box', scenario: 'boxes' },
    { route: '/s/boxed/box', last: 'calls', scenario: 'boxes' },
    { route: '/settings', last: 'settings' },
    { route: '/audit', last: 'sessions' },
    { route: '/audit', last: 'audit' },
    { route: '/audit', last: 'rules' },
    { route: '/rules/shop-discounts', last: 'sessions' },
    { route: '/rules', last: 'ruleSuggestions' },
    { route: '/rules', last: 'sandboxedEffect' },
    { route: '/questions', last: 'questionDiff', scenario: 'questions' },
  ],
  'the changes of a session': [
    { route: SHOP, last: 'session', shows: COUNTED },
    { route: SHOP, last: 'lineCounts', shows: COUNTED },
    { route: '/s/odd-names/f/home/kim/odd/content/trojan.ts', last: 'hiddenTexts', shows: COUNTED },
    { route: '/s/mono', last: 'changes', scenario: 'bulk', shows: COUNTED },
    { route: '/s/tidied', last: 'changes' },
    { route: `${FILES}/src/cart/cart.ts`, last: 'diff', shows: COUNTED },
    { route: `${FILES}/README.md`, last: 'viewed', shows: COUNTED },
    { route: `${FILES}/public/logo.png`, last: 'image', shows: 'text=SHA-256' },
  ],
  'the calls of a session': [
    { route: `${SHOP}/calls`, last: 'changes' },
    { route: `${SHOP}/call/c04`, last: 'call' },
    { route: `${SHOP}/call/c07`, last: 'changes' },
    { route: `${SHOP}/call/prompt-1`, last: 'calls' },
    { route: `${SHOP}/history`, last: 'history' },
    { route: `${SHOP}/details`, last: 'calls' },
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
    for (const { route, last, scenario = 'demo', shows = 'body' } of pages) {
      await page.goto('about:blank');
      await page.goto(`fake.html?fake=${scenario}&last=${last}#${route}`);
      await expect(page.locator(shows)).toBeVisible();
      await expect(answered).toBeAttached();
      expect.soft(await page.evaluate(() => window.moved), `${route}, ${last} last`).toEqual([]);
    }
  });
}
