/** Closer on the timeline's strip and away again: by buttons, keys and wheel, in the address and back. */
import type { Page } from '@playwright/test';
import { expect, open, test } from './page.ts';

const CALLS = '/s/shop-discounts/calls';
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const zoomOf = (page: Page) => /zoom=(\d+)-(\d+)/.exec(page.url())?.slice(1).map(Number) ?? null;
/** Milliseconds on show; the address says it. */
const length = (page: Page): number => {
  const [from = 0, to = Number.POSITIVE_INFINITY] = zoomOf(page) ?? [];
  return to - from;
};
const bars = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.strip-bars path.bar')]
      .map((path) => path.getAttribute('d')?.match(/M/g)?.length ?? 0)
      .reduce((sum, count) => sum + count, 0),
  );

async function ready(page: Page): Promise<void> {
  await open(page, CALLS);
  await expect(page.locator('.strip-tick').first()).toBeVisible();
}

/** Drags on the strip, from and to parts of its width. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = await page.locator('.strip-box').boundingBox();
  if (box === null) throw new Error('expected the strip, it is not there');
  await page.mouse.move(box.x + from * box.width, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, box.y + 50);
  await page.mouse.move(box.x + to * box.width, box.y + 50);
  await page.mouse.up();
}

test('keys and buttons go closer, away, aside and to the whole, and the browser goes back', async ({
  watched: page,
}) => {
  await ready(page);
  const all = await bars(page);
  await page.keyboard.press('+');
  await expect(page).toHaveURL(/calls\?zoom=\d+-\d+$/);
  await expect.poll(() => bars(page)).toBeLessThan(all);
  await expect(page.getByText(/^On show from \d/)).toBeAttached();
  const once = length(page);
  await tool(page, 'Zoom in').press('Enter');
  await expect.poll(() => length(page)).toBeLessThan(once);
  const twice = zoomOf(page);
  await tool(page, 'Earlier').press('Enter');
  await expect.poll(() => zoomOf(page)?.[0]).toBeLessThan(twice?.[0] ?? 0);
  // What is a small step has no entry of its own: one way back leads to the zoom before.
  await page.goBack();
  await expect.poll(() => length(page)).toBe(once);
  await page.keyboard.press('-');
  await expect(page).toHaveURL(/calls$/);
  await expect.poll(() => bars(page)).toBe(all);
  await page.goBack();
  await expect.poll(() => length(page)).toBe(once);
  await page.keyboard.press('0');
  await expect(page).toHaveURL(/calls$/);
  // Nothing to leave: the buttons say so and keep the focus.
  await expect(tool(page, 'Zoom out')).toHaveAttribute('aria-disabled', 'true');
  await expect(tool(page, 'Zoom into the window')).toHaveAttribute('aria-disabled', 'true');
});

test('a window is zoomed into, stays in the address with the call, and is let go', async ({
  watched: page,
}) => {
  await ready(page);
  const count = page.getByRole('status').filter({ hasText: /calls?$/ });
  await drag(page, 0.1, 0.2);
  await expect(page).toHaveURL(/calls\?window=\d+-\d+$/);
  await expect(count).toHaveText(/of 12 calls$/);
  const few = await count.textContent();
  await tool(page, 'Zoom into the window').click();
  await expect(page).toHaveURL(/window=(\d+-\d+)&zoom=\d+-\d+$/);
  await expect(count).toHaveText(few ?? '');
  await page.getByRole('option', { name: /npm install/ }).click();
  await expect(page).toHaveURL(/call\/c02\?window=\d+-\d+&zoom=\d+-\d+$/);
  await page.reload();
  await expect(count).toHaveText(few ?? '');
  await expect(page.getByRole('article')).toContainText('npm install -D vitest');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/calls\?window=\d+-\d+$/);
  await expect(count).toHaveText(few ?? '');
  await page.keyboard.press('Escape');
  await expect(count).toHaveText('12 calls');
  await expect(page).toHaveURL(/calls$/);
  await page.goBack();
  await expect(count).toHaveText(few ?? '');
});

test('the wheel goes closer around the pointer with Ctrl, and scrolls without', async ({ watched: page }) => {
  await ready(page);
  const box = await page.locator('.strip-box').boundingBox();
  if (box === null) throw new Error('expected the strip, it is not there');
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
  await page.mouse.wheel(0, -120);
  await page.keyboard.down('Control');
  // One notch: of several the first could be in the address before the second has come.
  await page.mouse.wheel(0, -120);
  await page.keyboard.up('Control');
  await expect(page).toHaveURL(/zoom=\d+-\d+$/);
  expect(await page.evaluate(() => window.devicePixelRatio)).toBe(1);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 120);
  await page.keyboard.up('Control');
  await expect(page).toHaveURL(/calls$/);
});

test('an address that means nothing shows the whole session; nothing on the strip moves by itself', async ({
  watched: page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, `${CALLS}?zoom=1-2`);
  await expect.poll(() => bars(page)).toBe(12);
  const moving = await page
    .locator('.strip, .strip *')
    .evaluateAll((all) => all.filter((one) => one.getAnimations().length > 0).length);
  expect(moving).toBe(0);
});

test('at 390 px the tools stand beside the strip and cover nothing', async ({ watched: page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await ready(page);
  await page.keyboard.press('+');
  await expect(page).toHaveURL(/zoom=/);
  const strip = await page.locator('.strip-box').boundingBox();
  const tools = await page.locator('.strip-tools').boundingBox();
  expect((strip?.x ?? 0) + (strip?.width ?? 0)).toBeLessThanOrEqual(tools?.x ?? 0);
  expect((tools?.x ?? 0) + (tools?.width ?? 0)).toBeLessThanOrEqual(390);
});
