/** All differences of a directory below one another. */
import { expect, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';

test('a directory is read from one file to the next, and marked on the way', async ({ watched: page }) => {
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  await page.getByRole('link', { name: 'src/cart/', exact: true }).click();
  await page.getByRole('button', { name: 'Read through' }).click();
  const file = page.getByRole('region', { name: '/home/kim/shop/src/cart/cart.ts' });
  await expect(file.locator('tr.changed').first()).toBeVisible();
  await expect(page.getByRole('region', { name: /legacy-sum\.ts/ })).toContainText('sum = (a: number');
  await page.keyboard.press('n');
  await expect(page.locator('tr.here')).toContainText("import { expect, test } from 'vitest'");
  await page.keyboard.press('n');
  await expect(file.locator('tr.here')).toHaveCount(1);
  await file.getByRole('button', { name: 'Viewed' }).click();
  await expect(file.getByRole('button', { name: 'Viewed' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('treeitem', { name: /cart\.ts.*viewed/ })).toBeVisible();
});

test('what is far away is not fetched, and what comes in above moves nothing', async ({ watched: page }) => {
  await open(page, `${SHOP}/f/home/kim/shop/node_modules`);
  await page.getByRole('button', { name: 'Read through' }).click();
  const tables = page.locator('.read table.diff');
  await expect(tables.first()).toBeVisible();
  expect(await tables.count()).toBeLessThan(60);
  const middle = page.getByRole('region', { name: /esbuild\/dist\/part-20\.js$/ });
  await middle.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await expect(middle.locator('table')).toBeVisible();
  await expect(middle.getByRole('heading')).toBeInViewport();
  const shown = await page.locator('.read-file').count();
  await page.getByRole('button', { name: /^Show \d+ more files$/ }).click();
  await expect(page.getByRole('region', { name: /part-9\.js$/ }).last()).toBeAttached();
  await expect(page.locator('.read-file').nth(shown).getByRole('link')).toBeFocused();
});
