import { expect, layoutShift, open, test } from './page.ts';

const MAX_NODES = 15_000;

test('50,000 entries stay a small page, rolled up, open, filtered', async ({ watched: page }) => {
  const nodes = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);
  await open(page, '/s/mono', 'bulk');
  const modules = page.getByRole('treeitem', { name: /node_modules/ });
  await expect(modules).toHaveAttribute('aria-expanded', 'false');
  await expect(modules).toContainText('42,857');
  expect(await nodes()).toBeLessThan(MAX_NODES);
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);

  await modules.focus();
  await page.keyboard.press('ArrowRight');
  await expect(modules).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('End');
  await expect(page.locator('[role=treeitem]:focus')).toBeVisible();
  expect(await nodes()).toBeLessThan(MAX_NODES);

  await page.keyboard.press('/');
  await page.keyboard.type('file-49999');
  await expect(page.getByRole('treeitem', { name: /file-49999\.js/ })).toBeVisible();
  await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(10);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page.getByRole('option').first()).toBeVisible();
  expect(await nodes()).toBeLessThan(MAX_NODES);
});

test('300,000 entries are counted, filtered from all to one, and opened', async ({ watched: page }) => {
  test.setTimeout(300_000);
  const nodes = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);
  await open(page, '/s/mono', 'huge');
  const modules = page.getByRole('treeitem', { name: /node_modules/ });
  await expect(modules).toContainText(/2\d\d,\d\d\d/, { timeout: 120_000 });
  const kinds = page.getByRole('group', { name: 'Show only' });
  await expect(kinds.getByRole('button', { name: /viewed/ })).toContainText('0 of 300,000 viewed');
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);

  // What nearly all have in their names, then what one has: each letter is looked for in all of them.
  const field = page.getByRole('searchbox', { name: 'Filter files' });
  await field.pressSequentially('file-');
  await expect(modules).toHaveAttribute('aria-expanded', 'false');
  await field.pressSequentially('299998');
  const one = page.getByRole('treeitem', { name: /file-299998\.js/ });
  await expect(one).toBeVisible();
  await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(10);
  await one.click();
  await expect(page.getByRole('region', { name: 'Selected file' })).toContainText('file-299998.js');
  await field.fill('');
  await expect(modules).toBeVisible();
  expect(await nodes()).toBeLessThan(MAX_NODES);
});
