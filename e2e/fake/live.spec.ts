import { expect, layoutShift, open, test } from './page.ts';

const FILE = '/s/odd-names/f/home/kim/odd/content/carriage.sh';

test('what changes meanwhile waits for the reader', async ({ watched: page }) => {
  await open(page, FILE);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  const rows = page.getByRole('treeitem');
  // The numbers of lines come last, all in one answer.
  await expect(page.locator('.row-lines').first()).toBeVisible();
  const before = await rows.allTextContents();
  await page.evaluate(() =>
    window.traiFake.setEntries('odd-names', (entries) =>
      entries.filter((entry) => !entry.change.path.endsWith('-rf')),
    ),
  );
  const pill = page.getByRole('button', { name: '1 change – refresh' });
  await expect(pill).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /-rf/ })).toContainText('gone');
  expect((await rows.allTextContents()).map((text) => text.replace('gone', ''))).toEqual(before);
  await page.keyboard.press('r');
  await expect(page.getByRole('treeitem', { name: /-rf/ })).toHaveCount(0);
  await expect(pill).toHaveCount(0);
});

test('a session that shows nothing pending fills by itself', async ({ watched: page }) => {
  await open(page, '/s/shop-docs');
  await expect(page.getByText('Nothing is pending')).toBeVisible();
  await page.evaluate(() => {
    const change = {
      id: '0123456789abcdef',
      path: '/home/kim/shop/new.txt',
      kind: 'deleted',
      pending: null,
      host: null,
      ignored: null,
      conflict: null,
      group: null,
    };
    const diff = () => ({ kind: 'meta', id: change.id, etag: '1', notes: [] });
    window.traiFake.setEntries('shop-docs', () => [{ change, diff } as never]);
  });
  await expect(page.getByRole('treeitem', { name: /new\.txt/ })).toBeVisible();
});

test('loading and live updates move nothing', async ({ watched: page }) => {
  for (const route of ['/', '/s/shop-discounts', FILE, '/s/shop-discounts/calls', '/s/tidied']) {
    await open(page, route);
    await expect(page.locator('h1').first()).toBeVisible();
    await page.waitForTimeout(400);
    expect(await layoutShift(page), route).toBeLessThanOrEqual(0.02);
    await page.goto('about:blank');
  }
});
