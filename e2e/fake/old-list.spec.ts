/** A list that may be old is on show at once, and says so until the server has looked. */
import { expect, layoutShift, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';

test('the last list is marked until the server has looked; what is new then waits to be asked for', async ({
  watched: page,
}) => {
  await open(page, '/');
  await expect(page.locator('.session-card').first()).toBeVisible();
  await page.evaluate(() => {
    const { traiFake } = window;
    const { newerChanges, changes } = traiFake;
    traiFake.lastChanges = async (id) => ({ list: await changes(id), since: 1 });
    traiFake.newerChanges = async (...asked) => {
      await new Promise((resolve) => window.addEventListener('look', resolve, { once: true }));
      return await newerChanges(...asked);
    };
  });
  const mark = page.getByRole('status').filter({ hasText: 'Old list' });
  const go = (route: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, route);
  const looks = () => page.evaluate(() => window.dispatchEvent(new Event('look')));
  await go(SHOP);
  await expect(page.getByRole('treeitem', { name: /release\.sh/ })).toBeVisible();
  await expect(mark).toHaveText('Old list – looking for changes…');
  await looks();
  await expect(mark).toHaveCount(0);

  await go('/');
  await go(SHOP);
  await expect(mark).toBeVisible();
  await page.evaluate(() => {
    const { traiFake } = window;
    traiFake.setEntries('shop-discounts', (entries) => entries.slice(0, 5));
  });
  await looks();
  await expect(page.getByRole('button', { name: /changes? – refresh/ })).toBeVisible();
  await expect(mark).toHaveCount(0);
  expect(await layoutShift(page)).toBeLessThan(0.02);
});
