/** The settings page: each choice takes effect at once, is saved, and is there after a reload. */
import type { Page } from '@playwright/test';
import { expect, open, saved, test } from './page.ts';

const html = (page: Page) => page.locator('html');
const choose = (page: Page, group: string, name: string) =>
  page.getByRole('group', { name: group }).getByText(name, { exact: true }).click();

test('theme and density are on the page at once, and after a reload', async ({ watched: page }) => {
  await open(page, '/settings');
  await choose(page, 'Theme', 'Dark');
  await expect(html(page)).toHaveAttribute('data-theme', 'dark');
  await choose(page, 'Density', 'Compact');
  await expect(html(page)).toHaveAttribute('data-density', 'compact');
  await saved(page, { theme: 'dark', density: 'compact' });
  await page.reload();
  await expect(html(page)).toHaveAttribute('data-theme', 'dark');
  await expect(html(page)).toHaveAttribute('data-density', 'compact');
  await choose(page, 'Theme', 'System');
  await expect(html(page)).not.toHaveAttribute('data-theme');
});

test('layout, wrapping and tab width reach the diff, and its own buttons reach the settings', async ({
  watched: page,
}) => {
  await open(page, '/settings');
  await choose(page, 'Layout', 'Split');
  await page.getByRole('switch', { name: 'Wrap long lines' }).click();
  await choose(page, 'Tab width', '8');
  await saved(page, { layout: 'split', wrap: false, tabWidth: 8 });
  await open(page, '/s/shop-discounts/f/home/kim/shop/src/cart/cart.ts');
  const table = page.locator('table.diff-split');
  await expect(table).toBeVisible();
  await expect(table).not.toHaveClass(/diff-wrap/);
  await expect(table.locator('.text').first()).toHaveCSS('tab-size', '8');
  await page.keyboard.press('w');
  await expect(table).toHaveClass(/diff-wrap/);
  await page.keyboard.press(',');
  await expect(page.getByRole('switch', { name: 'Wrap long lines' })).toBeChecked();
});

test('compact rows are lower, and stand where they are drawn', async ({ watched: page }) => {
  await open(page, '/settings');
  await choose(page, 'Density', 'Compact');
  await saved(page, { density: 'compact' });
  for (const [route, rows, height] of [
    ['/s/shop-discounts', page.getByRole('treeitem'), 23],
    ['/s/shop-discounts/calls', page.getByRole('option'), 46],
  ] as const) {
    await open(page, route);
    await expect(rows.nth(2)).toBeVisible();
    const boxes = await rows.evaluateAll((all) => all.slice(0, 3).map((row) => row.getBoundingClientRect()));
    expect(boxes.map((box) => box.height)).toEqual([height, height, height]);
    expect(boxes.map((box, i) => box.top - (boxes[i - 1]?.bottom ?? box.top))).toEqual([0, 0, 0]);
  }
});

test('the editor is one of a list, and says what was not found', async ({ watched: page }) => {
  await open(page, '/settings');
  const editor = page.getByRole('combobox', { name: 'Open files in' });
  await expect(editor).toContainText('Zed (not found)');
  await editor.selectOption('Visual Studio Code');
  await saved(page, { editor: 'vscode' });
  await page.reload();
  await expect(editor).toHaveValue('vscode');
});

test('a change that is not saved is said, holds here, and is saved when asked again', async ({
  watched: page,
}) => {
  await open(page, '/settings');
  await expect(page.getByRole('switch', { name: 'Wrap long lines' })).toBeChecked();
  await page.evaluate(() => window.traiFake.failNext('saveSettings', { code: 'io', message: 'no room' }));
  await choose(page, 'Theme', 'Light');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('no room');
  await expect(html(page)).toHaveAttribute('data-theme', 'light');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toHaveCount(0);
  await saved(page, { theme: 'light' });
  await page.reload();
  await expect(html(page)).toHaveAttribute('data-theme', 'light');
});

test('notifications are asked for on a click only, and a refusal is said', async ({ watched: page }) => {
  await page.addInitScript(() => {
    const asked: string[] = [];
    Object.assign(window, { asked });
    const refused = {
      permission: 'default',
      requestPermission: async (): Promise<string> => {
        asked.push('asked');
        return 'denied';
      },
    };
    Object.defineProperty(window, 'Notification', { value: refused });
  });
  await open(page, '/settings');
  const toggle = page.getByRole('switch', {
    name: 'When a session ends with pending changes, or Claude Code asks',
  });
  await expect(toggle).not.toBeChecked();
  expect(await page.evaluate(() => Reflect.get(window, 'asked'))).toEqual([]);
  await toggle.click();
  await expect(page.getByText('This browser does not allow notifications')).toBeVisible();
  await expect(toggle).not.toBeChecked();
});

test('a session that ends with pending changes is told of, once, and leads there', async ({
  watched: page,
}) => {
  await page.addInitScript(() => {
    const told: { title: string; body: string }[] = [];
    Object.assign(window, { told });
    class Shown extends EventTarget {
      static permission = 'granted';
      static async requestPermission(): Promise<string> {
        return 'granted';
      }
      constructor(title: string, options: { body: string }) {
        super();
        told.push({ title, body: options.body });
        Object.assign(window, { lastTold: this });
      }
      close(): void {}
    }
    Object.defineProperty(window, 'Notification', { value: Shown });
  });
  await open(page, '/settings');
  await page
    .getByRole('switch', { name: 'When a session ends with pending changes, or Claude Code asks' })
    .click();
  await page.evaluate(async () => {
    const session = await window.traiFake.session('shop-discounts');
    await window.traiFake.endClient(session.id);
    window.traiFake.emit({ type: 'sessions' });
  });
  const told = () => page.evaluate(() => Reflect.get(window, 'told'));
  await expect
    .poll(told)
    .toEqual([{ title: 'shop', body: 'Session shop-discounts ended with 335 pending changes.' }]);
  await page.evaluate(() => window.traiFake.emit({ type: 'sessions' }));
  await page.evaluate(() => {
    const last: unknown = Reflect.get(window, 'lastTold');
    if (last instanceof EventTarget) last.dispatchEvent(new Event('click'));
  });
  await expect(page.locator('.session-id')).toHaveText('shop-discounts');
  expect(await told()).toHaveLength(1);
});
