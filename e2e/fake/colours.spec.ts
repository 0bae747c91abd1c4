/** Syntax colours are made beside the page: it never waits for them, and is as readable without. */
import type { Page } from '@playwright/test';
import { expect, layoutShift, open, test } from './page.ts';

const CART = '/s/shop-discounts/f/home/kim/shop/src/cart/cart.ts';
const PACKAGE = '/s/shop-discounts/f/home/kim/shop/package.json';
const SCRIPT = '**/highlight-worker-*.js';

/** Where each row and each line of code is. Not how wide a text is: each of its spans is rounded to 1/64 of a pixel. */
function places(page: Page): Promise<string[]> {
  return page.locator('tr.line, tr.line .text').evaluateAll((all) =>
    all.map((one) => {
      const { x, y, height } = one.getBoundingClientRect();
      return [x, y, height, one.textContent].join(' ');
    }),
  );
}

for (const layout of ['Unified', 'Split']) {
  test(`rows are there before their colours, and stay where they are (${layout})`, async ({
    watched: page,
  }) => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(SCRIPT, async (route) => {
      await held;
      await route.continue();
    });
    await open(page, CART);
    await page.getByText(layout, { exact: true }).click();
    await expect(page.locator('.diff tr.changed').first()).toBeVisible();
    await expect(page.locator('.diff [class^=hljs-]')).toHaveCount(0);
    const before = await places(page);
    expect(before.length).toBeGreaterThan(10);
    const shifted = await layoutShift(page);
    release();
    await expect(page.locator('.diff .hljs-keyword').first()).toBeVisible();
    expect(await places(page)).toEqual(before);
    expect(await layoutShift(page)).toBe(shifted);
  });
}

test('the colours of many lines come in slices, so that no task draws them all', async ({
  watched: page,
}) => {
  await open(page, '/s/shop-discounts');
  await page.evaluate(() => {
    const { traiFake } = window;
    const ask = traiFake.diff;
    traiFake.diff = async (...asked) => {
      const diff = await ask(...asked);
      if (diff.kind !== 'text') return diff;
      const lines = Array.from({ length: 900 }, (_, i) => {
        const line = { kind: 'added', text: `const n${i} = ${i};`, end: 'lf' } as const;
        return { ...line, oldNumber: null, newNumber: i + 1 };
      });
      return { ...diff, hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 900, lines }] };
    };
    // Mutations of one task come together.
    new MutationObserver((all) => {
      const isColour = ({ addedNodes }: MutationRecord): boolean =>
        [...addedNodes].some(
          (node) => node instanceof Element && node.querySelector('.hljs-keyword') !== null,
        );
      const { most = '0' } = document.body.dataset;
      const rows = all.filter((one) => one.target instanceof HTMLTableCellElement && isColour(one)).length;
      document.body.dataset['most'] = String(Math.max(Number(most), rows));
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('treeitem', { name: /cart\.ts/ }).click();
  await expect(page.locator('.diff .hljs-keyword')).toHaveCount(900);
  const most = Number(await page.locator('body').getAttribute('data-most'));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(100);
});

test('colours stay when the same lines are drawn in another way', async ({ watched: page }) => {
  await open(page, CART);
  const keywords = page.locator('.diff .hljs-keyword');
  await expect(keywords.first()).toBeVisible();
  // A frame without colours would be seen by this.
  await page.evaluate(() => {
    const table = document.querySelector('.diff');
    if (table === null) throw new Error('expected a diff');
    window.shifts = [];
    new MutationObserver(() => {
      if (table.querySelector('tr.line') !== null && table.querySelector('.hljs-keyword') === null)
        window.shifts.push(1);
    }).observe(table, { childList: true });
  });
  await page.getByText('Split', { exact: true }).click();
  await expect(page.locator('.diff-split .hljs-keyword').first()).toBeVisible();
  expect(await page.evaluate(() => window.shifts.filter((shift) => shift === 1))).toEqual([]);
});

test('a file on which the colouring hangs is shown plain, and the next one is coloured by a new worker', async ({
  watched: page,
}) => {
  // Stands in for a grammar that never comes back from a line.
  const hangs = `
    addEventListener('message', ({ data }) => {
      if (data.language === 'typescript') for (;;);
      const line = [{ start: 0, end: 1, className: 'hljs-comment' }];
      postMessage(data.texts.map((text) => text.split('\\n').map(() => line)));
    });
    postMessage('ready');`;
  await page.route(SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: hangs }));
  const started = page.waitForEvent('worker');
  await open(page, CART);
  const ended = (await started).waitForEvent('close');
  await expect(page.locator('tr.changed').first()).toBeVisible();
  // The page answers all the while.
  await page.getByText('Split', { exact: true }).click();
  await expect(page.locator('.diff-split tr.changed').first()).toBeVisible();
  await ended;
  await expect(page.locator('.diff [class^=hljs-]')).toHaveCount(0);
  await open(page, PACKAGE);
  await expect(page.locator('.diff .hljs-comment').first()).toBeVisible();
});

test('a browser that cannot load the worker shows plain text', async ({ page }) => {
  await page.route(SCRIPT, (route) => route.abort());
  await open(page, CART);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  await open(page, PACKAGE);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  await expect(page.locator('.diff [class^=hljs-]')).toHaveCount(0);
});

test('in colours of the system one sees what is chosen', async ({ watched: page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, '/s/shop-discounts/f/home/kim/shop/src/cart/cart.ts');
  const styleOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { outlineStyle, borderBottomColor } = getComputedStyle(element);
        return { outlineStyle, borderBottomColor };
      });
  await page
    .getByRole('group', { name: 'Show only' })
    .getByRole('button', { name: /^modified/i })
    .click();
  await expect(page.locator('.row-selected')).toBeVisible();
  for (const [chosen, other] of [
    ['.row-selected', '.row:not(.row-selected)'],
    ['.segment-on', '.segment:not(.segment-on)'],
    ['.chip[aria-pressed=true]', '.chip[aria-pressed=false]'],
  ] as const) {
    expect((await styleOf(chosen)).outlineStyle, chosen).toBe('solid');
    expect((await styleOf(other)).outlineStyle, other).toBe('none');
  }
  const current = await styleOf('.tab[aria-current=page]');
  expect(current.borderBottomColor).not.toBe((await styleOf('.tab:not([aria-current])')).borderBottomColor);
});
