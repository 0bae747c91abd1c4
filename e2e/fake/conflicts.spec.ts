import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, open, test } from './page.ts';

const CLASH = '/s/clash';

async function openSheet(page: Page, scenario: string, route: string) {
  await open(page, route, scenario);
  await page.getByRole('button', { name: 'Commit…' }).click();
  return page.getByRole('dialog', { name: 'Commit to the host' });
}

test('the sides of a conflict stand beside one another, and the merge is built from them', async ({
  watched: page,
}) => {
  const sheet = await openSheet(page, 'demo', '/s/shop-discounts');
  const compare = sheet.getByRole('button', { name: /Compare .*README\.md/ });
  await compare.click();
  const panes = sheet.getByRole('region', { name: /Sides of .*README\.md/ });
  const both = panes.getByRole('group', { name: 'Both changed this (1 of 2)' });
  await expect(both.locator('.pane')).toHaveText([
    /Yours\s*3A small shop\./,
    /Base\s*3A little shop\./,
    /Sandbox\s*3A small shop, with discounts\./,
  ]);
  const one = panes.getByRole('group', { name: 'Only the sandbox changed this (2 of 2)' });
  await expect(one.locator('.pane').first()).toContainText('no lines');
  await expect(one.locator('.pane').last()).toContainText('npm ci');
  // One line of each side is one row: the same place in all panes.
  const tops = await both
    .locator('.pane-line')
    .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);

  const choice = sheet.getByRole('group', { name: /What to do with .*README\.md/ });
  await choice.getByText('Merge', { exact: true }).click();
  await sheet.getByRole('button', { name: 'Insert conflict markers' }).click();
  await expect(choice.getByRole('radio', { name: 'Merge, with markers' })).toBeChecked();
  await compare.click();
  await expect(panes).toHaveCount(0);
  const others = sheet.getByRole('group', { name: /What to do with/ });
  for (const group of await others.all())
    if ((await group.getByRole('radio', { checked: true }).count()) === 0)
      await group.getByText('Keep host', { exact: true }).click();
  await sheet.getByRole('button', { name: /^Commit \d/ }).click();
  const report = page.locator('.report');
  await expect(
    report.getByRole('heading', { name: 'Conflict markers were written into 1 file' }),
  ).toBeVisible();
  await expect(report.locator('section')).toContainText('/shop/README.md');
});

for (const where of ['the commit panel', 'the head of a file'] as const) {
  test(`n and p go from place to place of a conflict in ${where}`, async ({ watched: page }) => {
    if (where === 'the commit panel') {
      const sheet = await openSheet(page, 'demo', '/s/shop-discounts');
      await sheet.getByRole('button', { name: /Compare .*README\.md/ }).press('Enter');
    } else {
      await open(page, '/s/shop-discounts/f/home/kim/shop/README.md');
      await page.getByRole('button', { name: 'Compare the sides' }).press('Enter');
    }
    const panes = page.getByRole('region', { name: /Sides of .*README\.md/ });
    const [first, second] = [/Both changed this \(1 of 2\)/, /Only the sandbox changed this \(2 of 2\)/].map(
      (name) => panes.getByRole('group', { name }),
    );
    if (first === undefined || second === undefined) throw new Error('expected two places');
    await expect(second).toBeVisible();
    await page.keyboard.press('n');
    await expect(first).toBeFocused();
    await page.keyboard.press('n');
    await expect(second).toBeFocused();
    await expect(second).toBeInViewport();
    await page.keyboard.press('n');
    await expect(second).toBeFocused();
    await page.keyboard.press('p');
    await expect(first).toBeFocused();
    await expect(panes.locator('.here')).toHaveCount(1);
    // All other letters are the panel's own.
    if (where === 'the commit panel') {
      await page.keyboard.press(']');
      await expect(page.getByText('Choose a file')).toBeVisible();
    }
  });
}

test('without a base there are two panes, and a sentence why', async ({ watched: page }) => {
  const sheet = await openSheet(page, 'clash', CLASH);
  await sheet.getByRole('button', { name: /Compare .*made-twice/ }).click();
  const panes = sheet.locator('.panes');
  await expect(panes).toContainText('Without a common base: It is not on record');
  await expect(panes.getByRole('group').locator('.pane')).toHaveText([
    /made on the host/,
    /made in the sandbox/,
  ]);
  await sheet.getByRole('button', { name: /Compare .*removed/ }).click();
  await expect(panes.locator('.panes-head')).toContainText('no such entry');
  await expect(panes.getByRole('group').locator('.pane').first()).toContainText('no lines');
});

test('sides of a list that moved on are not what is decided about', async ({ watched: page }) => {
  const sheet = await openSheet(page, 'clash', CLASH);
  const compare = sheet.getByRole('button', { name: /Compare .*made-twice/ });
  await compare.click();
  const panes = sheet.locator('.panes');
  await expect(panes).toContainText('made on the host');
  await page.evaluate(() =>
    window.traiFake.setEntries('clash', (entries) =>
      entries.map((entry) =>
        entry.change.path.endsWith('/made-twice.txt') && entry.texts !== undefined
          ? { ...entry, texts: { ...entry.texts, host: 'made anew\n' } }
          : entry,
      ),
    ),
  );
  await sheet.getByRole('button', { name: 'Keep host' }).first().click();
  await sheet.getByRole('button', { name: /^Commit \d/ }).click();
  await expect(sheet).toContainText('The changes are not the ones that you saw.');
  await expect(panes).toHaveCount(0);
  await compare.click();
  await expect(panes).toContainText('made anew');
});

test('hostile lines are text, and every hidden character is named', async ({ watched: page }) => {
  const sheet = await openSheet(page, 'clash', CLASH);
  await sheet.getByRole('button', { name: /Compare .*trojan/ }).click();
  const panes = sheet.locator('.panes');
  await expect(panes).toContainText('<img src=x onerror=alert(1)>');
  await expect(panes.locator('img')).toHaveCount(0);
  await expect(panes.locator('.ctl')).toHaveText(['RLO', 'LRI', 'PDI', 'CR', 'no newline at end of file']);
});

test('a long text is folded, opens where asked, and is read to its end by keyboard', async ({
  watched: page,
}) => {
  await open(page, `${CLASH}/f/home/kim/clash/long.txt`, 'clash');
  await page.getByRole('button', { name: 'Compare the sides' }).press('Enter');
  const panes = page.locator('.panes');
  await expect(panes.getByRole('group')).toHaveCount(3);
  const fold = panes.getByRole('button', { name: /unchanged line/ });
  await expect(fold).toHaveText([
    'Show 6 unchanged lines',
    'Show 1,483 unchanged lines',
    'Show 1,393 unchanged lines',
    'Show 97 unchanged lines',
  ]);
  const lines = panes.locator('.pane:first-child > .pane-line');
  // Line 1, and the fourth behind the first change.
  for (const at of [0, 13]) {
    await fold.first().press('Enter');
    await expect(lines.nth(at)).toBeFocused();
  }
  await expect(panes).toContainText('left');
  const more = panes.getByRole('button', { name: /more lines/ });
  await more.press('Enter');
  await expect(more).toHaveCount(0);
  await expect(panes.locator('.pane-line:focus')).toHaveCount(1);
  await expect(panes).toContainText('the host, far below');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

for (const width of [1_280, 1_024, 390]) {
  test(`at ${width} px nothing is cut off, and axe finds nothing in both themes`, async ({
    watched: page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const sheet = await openSheet(page, 'clash', CLASH);
    await sheet.getByRole('button', { name: /Compare .*long/ }).click();
    const panes = sheet.locator('.panes');
    await expect(panes.getByRole('group')).toHaveCount(3);
    const body = panes.locator('.panes-body');
    expect(await body.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
    const stacked = await panes.getByRole('group').first().locator('.pane-name').first().isVisible();
    expect(stacked).toBe(width <= 1_024);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).include('.sheet').analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  });
}

test('the banner does not claim to know who changed a path first', async ({ watched: page }) => {
  await open(page, '/s/shop-discounts');
  await expect(page.locator('.banner', { hasText: 'You changed' })).toContainText(
    /of the \d+ pending paths, too\./,
  );
});
