import type { Page } from '@playwright/test';
import { expect, open, saved, test } from './page.ts';

const SHOP = '/s/shop-discounts';

test('a user without a mouse gets from the list of sessions to a diff, a call and back', async ({
  watched: page,
}) => {
  await open(page, '/');
  // A key finds nothing to choose before the list is there.
  await expect(page.getByRole('link', { name: /shop-discounts/ })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('treeitem').first()).toBeVisible();

  await page.keyboard.press(']');
  await expect(page.getByRole('heading', { level: 2 }).first()).toContainText('default.json');
  await page.keyboard.press('f');
  await expect(page.getByRole('treeitem', { name: /default\.json/ })).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.getByRole('treeitem', { name: /^fixtures/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('treeitem', { name: /orders\.jsonl/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Load diff' })).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page.getByText('Choose a call')).toBeVisible();
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('option', { selected: true })).toContainText('nohup node watch.js');
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
});

test('from a filter the arrow down and Enter go on to what it left over', async ({ watched: page }) => {
  await open(page, SHOP);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  for (const key of ['Enter', 'ArrowDown']) {
    await page.keyboard.press('/');
    await page.keyboard.type('legacy');
    await expect(page.getByRole('treeitem', { name: /cart\.test\.ts/ })).toHaveCount(0);
    await page.keyboard.press(key);
    await expect(page.locator('[role=treeitem]:focus')).toHaveCount(1);
    await page.keyboard.press('End');
    await expect(page.getByRole('treeitem', { name: /legacy-sum\.ts/ })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('searchbox')).toHaveValue('');
  }
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('vitest');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listbox', { name: 'Calls' })).toBeFocused();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page.getByRole('link', { name: 'odd-names' })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('odd');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: 'odd-names' })).toBeFocused();
});

test('a key brings the row of what is on show back into sight; others lead to details and disk', async ({
  watched: page,
}) => {
  await page.setViewportSize({ width: 1024, height: 500 });
  await open(page, `${SHOP}/f/home/kim/shop/config/default.json`);
  const shown = page.getByRole('treeitem', { name: /default\.json/ });
  await expect(shown).toBeInViewport();
  await page
    .getByRole('tree')
    .locator('..')
    .evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(shown).not.toBeInViewport();
  await page.keyboard.press('.');
  await expect(shown).toBeInViewport();
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await expect(page.getByRole('heading', { name: 'Running now' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await expect(page.getByRole('heading', { name: 'Make room' })).toBeVisible();
});

test('the tree answers to the keys of a tree', async ({ watched: page }) => {
  await open(page, SHOP);
  const items = page.getByRole('treeitem');
  await items.first().focus();
  const below = page.getByRole('treeitem', { name: /README/ });
  await expect(below).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(items.first()).toHaveAttribute('aria-expanded', 'false');
  await expect(below).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(items.first()).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('End');
  await expect(page.getByRole('treeitem', { name: /login\.toml/ })).toBeFocused();
  await page.keyboard.press('Home');
  await expect(items.first()).toBeFocused();
  await expect(page.locator('[role=treeitem][tabindex="0"]')).toHaveCount(1);
});

test('who comes by a link has the tab stop of the tree at the row on show, also when that is a directory', async ({
  watched: page,
}) => {
  for (const [path, name] of [
    ['src/cart/cart.ts', /^cart\.ts/],
    ['src', /^src/],
    ['node_modules', /^node_modules/],
  ] as const) {
    await open(page, `${SHOP}/f/home/kim/shop/${path}`);
    await expect(page.getByRole('treeitem', { name })).toHaveAttribute('tabindex', '0');
    await expect(page.getByRole('treeitem', { name })).toHaveAttribute('aria-selected', 'true');
  }
});

test('the filter takes the slash, narrows, and gives way to Escape', async ({ watched: page }) => {
  await open(page, SHOP);
  await expect(page.getByRole('tree')).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('jgcart.te');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await page.keyboard.press('/');
  await page.keyboard.type('CART.TEST');
  await expect(page.getByRole('treeitem', { name: /cart\.test\.ts/ })).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /README/ })).toHaveCount(0);
});

test('n and p walk the changes of a file; m and w change how it is drawn', async ({ watched: page }) => {
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.locator('tr.here')).toHaveCount(1);
  const first = (await page.locator('tr.here').textContent()) ?? '';
  await page.keyboard.press('n');
  await expect(page.locator('tr.here')).not.toHaveText(first, { useInnerText: false });
  await page.keyboard.press('p');
  await expect(page.locator('tr.here')).toHaveText(first, { useInnerText: false });
  await page.keyboard.press('m');
  await expect(page.locator('table.diff-split tr.changed').first()).toBeVisible();
  await page.keyboard.press('w');
  await expect(page.locator('table.diff-wrap')).toHaveCount(0);
});

test('help lists the keys, keeps the focus, and gives it back', async ({ watched: page }) => {
  await open(page, '/');
  const button = page.getByRole('button', { name: 'Keyboard shortcuts' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog.getByText('Unified or split diff')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('letters can be switched off; Escape still works', async ({ watched: page }) => {
  await open(page, SHOP);
  await expect(page.getByRole('tree')).toBeVisible();
  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: /Single-letter/ }).uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await saved(page, { keys: false });
  await page.reload();
  await expect(page.getByRole('tree')).toBeVisible();
  await page.keyboard.press(']');
  await expect(page.getByText('Choose a file')).toBeVisible();
});

test('the commit panel takes the focus and gives it back', async ({ watched: page }) => {
  await open(page, SHOP);
  const commit = page.getByRole('button', { name: 'Commit…' });
  await commit.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Commit to the host' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(commit).toBeFocused();
});

/** Presses keys in tasks that follow each other, with no painting between them: each goes to what has the focus by then. */
async function pressFast(page: Page, keys: readonly string[]): Promise<void> {
  await page.evaluate(async (all) => {
    const channel = new MessageChannel();
    for (const key of all) {
      const press = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      (document.activeElement ?? document.body).dispatchEvent(press);
      await new Promise<void>((resolve) => {
        channel.port1.onmessage = () => resolve();
        channel.port2.postMessage(null);
      });
    }
  }, keys);
}

test('keys that come faster than the page is painted all count', async ({ watched: page }) => {
  await open(page, SHOP);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await pressFast(page, [']', 'f', 'j', 'ArrowDown']);
  await expect(page.getByRole('treeitem', { name: /orders\.jsonl/ })).toBeFocused();
  await pressFast(page, ['End', 'ArrowUp', 'Home', 'ArrowDown', 'End']);
  await expect(page.getByRole('treeitem', { name: /login\.toml/ })).toBeFocused();
  await expect(page.locator('[role=treeitem][tabindex="0"]')).toHaveCount(1);
});

test('in a long list too, where the row that a key goes to is not drawn yet', async ({ watched: page }) => {
  await open(page, '/s/mono', 'bulk');
  const modules = page.getByRole('treeitem', { name: /node_modules/ });
  await modules.focus();
  await pressFast(page, [
    'ArrowRight',
    'ArrowRight',
    'ArrowRight',
    'End',
    'ArrowUp',
    'Home',
    'End',
    'ArrowUp',
  ]);
  const focused = page.locator('[role=treeitem]:focus');
  await expect(focused).toBeInViewport();
  const numberOf = async (name: string) => Number(await focused.getAttribute(name));
  await expect.poll(async () => (await numberOf('aria-setsize')) - (await numberOf('aria-posinset'))).toBe(1);
});

test('the row with the focus keeps it while it is scrolled out of sight', async ({ watched: page }) => {
  await open(page, '/s/mono', 'bulk');
  const modules = page.getByRole('treeitem', { name: /node_modules/ });
  await modules.focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('.tree-box').evaluate((box) => box.scrollTo(0, box.scrollHeight / 2));
  await expect(modules).not.toBeInViewport();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('[role=treeitem]:focus')).toBeInViewport();
});

test('the focus stays on the page when what was ordered took its button away', async ({ watched: page }) => {
  await open(page, '/s/odd-names');
  const inMain = page.locator('main:focus');
  await page.getByRole('button', { name: 'Commit…' }).press('Enter');
  await page.getByRole('textbox', { name: /to confirm/ }).fill('1');
  await page.getByRole('textbox', { name: /to confirm/ }).press('Tab');
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: /^Commit \d/ }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Commit report' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Commit…' })).toBeDisabled();
  await expect(inMain).toHaveCount(1);
  await page.getByRole('link', { name: 'History', exact: true }).first().press('Enter');
  await page.getByRole('button', { name: 'Undo commit' }).press('Enter');
  const undo = sheet.getByRole('button', { name: 'Undo commit' });
  await expect(undo).toBeEnabled();
  await undo.press('Enter');
  await expect(page.getByRole('row', { name: /Commit 1.*undone/ })).toBeVisible();
  await expect(inMain).toHaveCount(1);
});
