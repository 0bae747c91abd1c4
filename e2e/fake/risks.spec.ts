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

test('the commit panel of a part names what goes, and nothing else', async ({ watched: page }) => {
  await open(page, SHOP);
  const order = async (name: RegExp) => {
    await page.getByRole('treeitem', { name }).locator('.tick').click();
    await page.getByRole('button', { name: 'Commit selection…' }).click();
    const sheet = page.getByRole('dialog', { name: /^Commit / });
    await expect(sheet).toContainText('Writes');
    return sheet;
  };
  const script = await order(/release\.sh/);
  await expect(script).toContainText('Worth a look1 new executable');
  await expect(script).not.toContainText('outside the project');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Choose nothing' }).click();
  await expect(await order(/cart\.ts/)).not.toContainText('Worth a look');
});
