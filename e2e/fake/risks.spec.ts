/** What should be looked at first. */
import { expect, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';

test('flags are counted at the top, filter the list, and are explained beside the diff', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  const outside = page.getByRole('button', { name: '1 outside the project' });
  await outside.click();
  await expect(outside).toHaveAttribute('aria-pressed', 'true');
  const rows = page.getByRole('treeitem').filter({ has: page.locator('.risk-mark') });
  await expect(rows).toHaveCount(1);
  await rows.click();
  await expect(page.locator('.diff-risks')).toContainText('outside the directory that the session works in');
  await outside.click();
  await expect(page.getByRole('treeitem', { name: /cart\.ts/ })).toBeVisible();
});

test('the commit panel names them', async ({ watched: page }) => {
  await open(page, SHOP);
  await page.getByRole('button', { name: 'Commit…' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 outside the project');
});
