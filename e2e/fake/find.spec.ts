/** Finding what matters: filters, orders of the list, and the search in pending text. */
import { expect, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';

test('the menu filters by extension, size and call, and says that it does', async ({ watched: page }) => {
  await open(page, SHOP);
  const menu = page.getByRole('button', { name: 'Filter and sort' });
  await menu.click();
  await page.getByRole('combobox', { name: 'Extension' }).selectOption({ label: '.ts (4)' });
  await expect(page.getByRole('treeitem', { name: /cart\.test\.ts/ })).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /README/ })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Extension' }).selectOption({ label: 'Any extension' });
  await page.getByRole('combobox', { name: 'Size' }).selectOption({ label: '1 MB and more' });
  await expect(page.getByRole('treeitem', { name: /dump\.sql/ })).toBeVisible();
  await expect(page.getByRole('treeitem')).toHaveCount(2);
  // Also when the menu is closed: else one entry would look like all.
  const sum = page.getByText('1 of 335 shown');
  await expect(sum).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(sum).toHaveCount(0);
  await expect(page.getByRole('treeitem', { name: /README/ })).toBeVisible();
  await menu.click();
  await page.getByRole('combobox', { name: 'Size' }).selectOption({ label: '1 MB and more' });
  await page.getByRole('button', { name: 'Clear all filters' }).click();
  await expect(page.getByRole('treeitem', { name: /README/ })).toBeVisible();
  await expect(menu).toBeFocused();
});

test('every chip means only, and a second click gives it up', async ({ watched: page }) => {
  await open(page, SHOP);
  const chips = page.getByRole('group', { name: 'Show only' });
  const chip = (name: RegExp) => chips.getByRole('button', { name });
  const shown = page.locator('.narrowed');
  await expect(chip(/^deleted/)).toBeVisible();
  for (const one of await chips.getByRole('button').all())
    await expect(one).toHaveAttribute('aria-pressed', 'false');
  await expect(shown).toHaveCount(0);

  await chip(/^deleted/).click();
  await expect(chip(/^deleted/)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('treeitem', { name: /cart\.ts/ })).toHaveCount(0);
  await expect(page.getByRole('treeitem', { name: /legacy-sum\.ts/ })).toBeVisible();
  const deleted = (await shown.textContent()) ?? '';
  await chip(/^mode or owner/).click();
  await expect(chip(/^deleted/)).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByRole('treeitem', { name: /legacy-sum\.ts/ })).toHaveCount(0);
  await chip(/^deleted/).click({ modifiers: ['Shift'] });
  await expect(chip(/^mode or owner/)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('treeitem', { name: /legacy-sum\.ts/ })).toBeVisible();
  await expect(shown).not.toHaveText(deleted, { useInnerText: false });
  await chip(/^deleted/).click();
  await expect(shown).toHaveText(deleted, { useInnerText: false });
  await chip(/^deleted/).click();
  await expect(shown).toHaveCount(0);

  await chip(/ignored/).click();
  await expect(page.getByRole('treeitem', { name: /cart\.ts/ })).toHaveCount(0);
  await expect(page.getByRole('treeitem', { name: /ignored/ }).first()).toBeVisible();
  await chip(/ignored/).click();
  await expect(page.getByRole('treeitem', { name: /cart\.ts/ })).toBeVisible();
  // Beside the others they are listed by a box in the menu, which is no chip.
  await page.getByRole('button', { name: 'Filter and sort' }).click();
  await page.getByRole('checkbox', { name: /ignored entries too/ }).check();
  await expect(page.getByRole('treeitem', { name: /cart\.ts/ })).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /deps\.json.*ignored/ })).toBeVisible();
});

test('the largest come first as a list, and by path they are a tree again', async ({ watched: page }) => {
  await open(page, SHOP);
  const menu = page.getByRole('button', { name: 'Filter and sort' });
  await menu.click();
  await page.getByText('Largest first').click();
  await expect(page.getByRole('treeitem').first()).toContainText('dump.sql');
  await expect(page.getByRole('treeitem').nth(1)).toContainText('fixtures/orders.jsonl');
  await page.getByText('By path').click();
  await expect(page.getByRole('treeitem').first()).toContainText('/home/kim/shop');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('combobox')).toHaveCount(0);
});

test('s searches the pending text, and a line found leads to its file at that line', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  await expect(page.getByRole('tree')).toBeVisible();
  await page.keyboard.press('s');
  await page.keyboard.type('MATH.max');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 line in 1 file.')).toBeVisible();
  const line = page.getByRole('link', { name: /Math\.max/ });
  await expect(line.locator('mark')).toHaveText('Math.max');
  await line.click();
  await expect(page.locator('tr.target')).toContainText('Math.max(0, round(sum - off))');
  await expect(page.locator('tr.target')).toBeInViewport();
  await page.getByRole('button', { name: 'Match case' }).click();
  await expect(page.getByText('0 lines in 0 files.')).toBeVisible();
  await page.getByRole('searchbox').press('Escape');
  await expect(page.getByRole('tree')).toBeVisible();
});

test('a line that is far from every change is brought into sight', async ({ watched: page }) => {
  await open(page, '/s/odd-names/f/home/kim/odd/far.txt?line=40');
  await expect(page.locator('tr.target')).toContainText('line 40');
  await expect(page.locator('tr.target')).toBeInViewport();
});

test('rows say how many lines are new and gone', async ({ watched: page }) => {
  await open(page, SHOP);
  await expect(
    page.getByRole('treeitem', { name: /cart\.ts.*7 lines added.*9 lines removed/ }),
  ).toBeVisible();
});

test('a click on a line number puts that line into the address, marks it, and moves nothing', async ({
  watched: page,
}) => {
  await open(page, '/s/odd-names/f/home/kim/odd/far.txt');
  await page
    .getByRole('button', { name: /^↓ Show/ })
    .first()
    .click();
  const row = page.locator('tr[data-line="110"]');
  const scrolled = () => page.locator('.diff-scroll').evaluate((box) => box.scrollTop);
  await row.scrollIntoViewIfNeeded();
  const before = await scrolled();
  await row.locator('td.number').last().click();
  await expect(page).toHaveURL(/far\.txt\?line=110$/);
  await expect(page.locator('tr.target')).toHaveAttribute('data-line', '110');
  // What was opened stays so: nothing was fetched anew.
  await expect(row).toBeInViewport();
  expect(await scrolled()).toBe(before);
  await page.reload();
  await expect(page.locator('tr.target')).toHaveAttribute('data-line', '110');
  await expect(page.locator('tr.target')).toBeInViewport();
});

test('the change that n has gone to is put into the address by l', async ({ watched: page }) => {
  await open(page, '/s/odd-names/f/home/kim/odd/far.txt');
  await expect(page.locator('table.diff')).toBeVisible();
  await page.keyboard.press('n');
  const first = (await page.locator('tr.here').getAttribute('data-line')) ?? '';
  await page.keyboard.press('n');
  await expect(page.locator('tr.here')).not.toHaveAttribute('data-line', first);
  const line = await page.locator('tr.here').getAttribute('data-line');
  await page.keyboard.press('l');
  await expect(page).toHaveURL(new RegExp(`line=${line}$`));
  await expect(page.locator('tr.target')).toHaveAttribute('data-line', line ?? '');
});
