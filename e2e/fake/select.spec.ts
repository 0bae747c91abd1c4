/** Choosing entries, and orders for what is chosen. */
import type { Page } from '@playwright/test';
import { expect, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });
const row = (page: Page, name: RegExp) => page.getByRole('treeitem', { name });

test('boxes choose rows, a directory stands for all below it, and the sum is told', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  await row(page, /cart\.test\.ts/)
    .locator('.tick')
    .click();
  await expect(row(page, /cart\.test\.ts/)).toHaveAttribute('aria-checked', 'true');
  await expect(row(page, /^src/)).toHaveAttribute('aria-checked', 'mixed');
  await expect(bar(page)).toContainText('1 selected');
  await row(page, /^src/).locator('.tick').click();
  await expect(row(page, /^src/)).toHaveAttribute('aria-checked', 'true');
  await expect(bar(page)).toContainText('4 selected');
  await row(page, /^cart \d/)
    .locator('.tick')
    .click();
  await expect(row(page, /^src/)).toHaveAttribute('aria-checked', 'mixed');
  await expect(bar(page)).toContainText('1 selected');
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(bar(page)).toHaveCount(0);
});

test('x, Space and their ranges choose without a mouse; Escape chooses nothing', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  await row(page, /cart\.test\.ts/).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Space');
  await expect(row(page, /legacy-sum\.ts/)).toHaveAttribute('aria-checked', 'true');
  await expect(bar(page)).toContainText('3 selected');
  await page.keyboard.press('x');
  await expect(bar(page)).toContainText('2 selected');
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
});

test('a selection is committed alone, with what it needs', async ({ watched: page }) => {
  await open(page, SHOP);
  await page.getByRole('searchbox').fill('chai/dist/part-1.js');
  await row(page, /part-1\.js/)
    .locator('.tick')
    .click();
  await page.getByRole('button', { name: 'Commit selection…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit part-1.js to the host' });
  await expect(sheet).toContainText('1 entry comes along');
  await expect(sheet.getByRole('list', { name: 'comes along' })).toContainText('node_modules');
  await sheet.getByRole('button', { name: 'Commit 2 entries' }).click();
  await expect(page.getByRole('dialog', { name: 'Commit report' })).toContainText('2 entries');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(bar(page)).toHaveCount(0);
  expect(await page.evaluate(() => window.traiFake.orders)).toEqual([
    expect.objectContaining({
      scope: { kind: 'paths', paths: ['/home/kim/shop/node_modules/chai/dist/part-1.js'] },
    }),
  ]);
});

test('the orders at the top are about what is chosen, and say so', async ({ watched: page }) => {
  await open(page, SHOP);
  const head = page.locator('.session-actions');
  await expect(head.getByRole('button')).toHaveText(['Discard…', 'Commit…']);
  await row(page, /cart\.test\.ts/)
    .locator('.tick')
    .click();
  await expect(head.getByRole('button')).toHaveText(['Discard 1 of 335…', 'Commit 1 of 335…']);
  await head.getByRole('button', { name: /^Discard/ }).click();
  await expect(page.getByRole('dialog', { name: 'Discard cart.test.ts' })).toBeVisible();
  await page.keyboard.press('Escape');
  // Also where the list with its own bar is not on show.
  await page.getByRole('link', { name: /^Timeline/ }).click();
  await head.getByRole('button', { name: /^Commit/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit cart.test.ts to the host' });
  await sheet.getByRole('button', { name: 'Commit 1 entry' }).click();
  await expect(page.getByRole('dialog', { name: 'Commit report' })).toContainText('1 entry');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(head.getByRole('button')).toHaveText(['Discard…', 'Commit…']);
  expect(await page.evaluate(() => window.traiFake.orders)).toEqual([
    expect.objectContaining({
      scope: { kind: 'paths', paths: ['/home/kim/shop/src/cart/cart.test.ts'] },
    }),
  ]);
});

test('whole directories are named as such, and what is not chosen stays', async ({ watched: page }) => {
  await open(page, SHOP);
  await row(page, /^fixtures/)
    .locator('.tick')
    .click();
  await row(page, /^node_modules/)
    .locator('.tick')
    .click();
  await page.getByRole('button', { name: 'Discard selection…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Discard the selection' });
  await sheet.getByRole('checkbox', { name: 'End these 2 processes' }).check();
  await sheet.getByRole('button', { name: 'End them and discard' }).click();
  await expect(row(page, /^node_modules/)).toHaveCount(0);
  await expect(row(page, /README\.md/)).toBeVisible();
  // The one file of a directory is named itself.
  const paths = ['/home/kim/shop/fixtures/orders.jsonl', '/home/kim/shop/node_modules'];
  expect(await page.evaluate(() => window.traiFake.orders)).toEqual([
    expect.objectContaining({ scope: { kind: 'paths', paths } }),
  ]);
});

test('a rolled-up directory has a page with its sums and its own orders', async ({ watched: page }) => {
  await open(page, SHOP);
  await row(page, /^node_modules/).click();
  await expect(row(page, /^node_modules/)).toHaveAttribute('aria-expanded', 'false');
  const pane = page.getByRole('article', { name: /^Directory .*node_modules$/ });
  await expect(pane).toContainText('321');
  await expect(pane).toContainText('.js 320');
  await pane.getByRole('button', { name: 'Commit this directory…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit node_modules to the host' });
  await sheet.getByRole('button', { name: 'Commit 321 entries' }).click();
  await expect(page.getByRole('dialog', { name: 'Commit report' })).toBeVisible();
});

test('discarding everything wants the number typed', async ({ watched: page }) => {
  await open(page, '/s/odd-names');
  await page.getByRole('button', { name: 'Discard…' }).click();
  const order = page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true });
  await expect(page.getByText('This drops everything that is pending')).toBeVisible();
  await expect(order).toBeDisabled();
  const count = await page.locator('.guard .mono').textContent();
  await page.getByRole('textbox', { name: /to confirm/ }).fill(count ?? '');
  await order.click();
  await expect(page.getByText('Nothing is pending')).toBeVisible();
});
