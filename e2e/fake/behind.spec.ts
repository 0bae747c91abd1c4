/** A list that could not be fetched again: it is said, wherever one looks, and tried again. */
import { expect, layoutShift, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';
const PAGES = [
  { name: 'the changes', route: SHOP, fails: 'changes' },
  { name: 'the session', route: SHOP, fails: 'session' },
  { name: 'the marks', route: SHOP, fails: 'viewed' },
  { name: 'the calls', route: `${SHOP}/calls`, fails: 'calls' },
  { name: 'the sessions', route: '/', fails: 'sessions' },
] as const;

for (const { name, route, fails } of PAGES) {
  test(`that ${name} could not be fetched again is said until it worked`, async ({ watched: page }) => {
    await open(page, route);
    await expect(page.locator('.session-title h1, .session-card').first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const line = page.getByRole('status').filter({ hasText: 'This view is no longer updated' });
    await expect(line).toHaveCount(0);
    const fail = () =>
      page.evaluate((method) => {
        const { traiFake } = window;
        traiFake.failNext(method, { code: 'io', message: 'The disk did not answer.' });
      }, fails);
    await fail();
    // Each of these is asked for once: a fetch that is given up for another would swallow the failure.
    await page.evaluate((method) => {
      const { traiFake } = window;
      if (method === 'session' || method === 'sessions') return traiFake.emit({ type: 'sessions' });
      traiFake.setEntries('shop-discounts', (entries) => entries.slice(0, 5));
      traiFake.endCall('shop-discounts', 'c08', 'npm run next');
    }, fails);
    await expect(line).toContainText('This view is no longer updated: The disk did not answer.');
    const again = line.getByRole('button', { name: 'Try again' });
    await fail();
    await again.click();
    await expect(line).toContainText('The disk did not answer.');
    await again.click();
    await expect(line).toHaveCount(0);
    expect(await layoutShift(page)).toBeLessThan(0.02);
  });
}

test('after a commit, a list that could not be fetched is not taken for what is pending', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  const row = page.getByRole('treeitem', { name: /release\.sh/ });
  await row.locator('.tick').click();
  await page.getByRole('button', { name: 'Commit selection…' }).click();
  const sheet = page.getByRole('dialog', { name: /^Commit / });
  await page.evaluate(() =>
    window.traiFake.failNext('changes', { code: 'io', message: 'The disk did not answer.' }),
  );
  await sheet.getByRole('button', { name: 'Commit 1 entry' }).click();
  await expect(sheet).toContainText('Applied');
  await page.keyboard.press('Escape');
  const line = page.getByRole('status').filter({ hasText: 'This view is no longer updated' });
  await line.getByRole('button', { name: 'Try again' }).click();
  await expect(row).toHaveCount(0);
  await expect(line).toHaveCount(0);
});
