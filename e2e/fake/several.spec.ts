import AxeBuilder from '@axe-core/playwright';
import { expect, layoutShift, open, test } from './page.ts';

const SHARED = 'has pending changes of the same paths';

test('a session that shares paths with another names them and leads there', async ({ watched: page }) => {
  await open(page, '/s/discounts', 'several');
  const banner = page.locator('.banner', { hasText: SHARED });
  await expect(banner).toContainText('Session hotfix');
  await expect(banner).toContainText(' and 2 more');
  await banner.getByRole('link', { name: 'hotfix' }).click();
  await expect(page.locator('.session-id')).toHaveText('hotfix');
  await expect(page.locator('.banner', { hasText: SHARED })).toContainText('Session discounts');
});

test('what the host changed meanwhile is counted and named', async ({ watched: page }) => {
  await open(page, '/s/discounts', 'several');
  const banner = page.locator('.banner', { hasText: 'You changed 2 of the' });
  await expect(banner).toContainText('README.md');
});

test('a session without changes says how to go on with those of an earlier one', async ({
  watched: page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '/s/fresh', 'several');
  const banner = page.locator('.banner', { hasText: 'To continue with them here' });
  await expect(banner).toContainText('/trai:adopt discounts');
  await expect(banner).toContainText('1 more session');
  await banner.getByRole('button', { name: 'Copy command' }).click();
  await expect(banner.getByRole('button')).toHaveText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'trai adopt discounts --session fresh',
  );
  await open(page, '/s/left', 'several');
  await expect(page.locator('.banner', { hasText: 'moved to session discounts' })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });
    for (const id of ['discounts', 'fresh', 'left']) {
      test(`axe finds nothing wrong with ${id}, and nothing moves`, async ({ watched: page }) => {
        await open(page, `/s/${id}`, 'several');
        await expect(page.locator('.banner').first()).toBeVisible();
        await expect(page.getByRole('navigation', { name: 'Session' })).toBeVisible();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(
          violations.map((found) => `${found.id}: ${found.nodes.map((node) => node.html).join(' | ')}`),
        ).toEqual([]);
        expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
      });
    }
  });
}
