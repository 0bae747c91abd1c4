/** What effect rules say of entries, beside the list. */
import { violations } from '../axe.ts';
import { expect, open, test } from './page.ts';

const RULED = '/s/ruled';

test('rules are named in the rows, filter the list, and stand above the diff', async ({ watched: page }) => {
  await open(page, RULED, 'effects');
  const row = (name: string) =>
    page.getByRole('treeitem').filter({ has: page.locator('.row-name', { hasText: name }) });
  const confirm = page.getByRole('button', { name: '5 to confirm' });
  await expect(confirm).toBeVisible();
  await expect(row('cart.test.ts')).toHaveAccessibleName(
    /to be confirmed: effects\[1\] of .*rules\.json: customers see the sum/,
  );
  // A flag shares the sign of risks; both are named.
  await expect(row('release.sh')).toHaveAccessibleName(
    /newly executable, flagged by a rule: effects\[2\] of/,
  );
  // Left out, and still there to be looked at.
  await expect(row('login.toml')).toHaveAccessibleName(
    /left out of commits: effects\[0\] of .*: keys stay here/,
  );
  await expect(row('login.toml')).toHaveClass(/row-dimmed/);
  // A folded directory that is written whole.
  await expect(row('node_modules')).toHaveAccessibleName(
    /committed by itself: effects\[3\] of .*: installed/,
  );
  await confirm.focus();
  await page.keyboard.press('Enter');
  await expect(confirm).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('5 of 335 shown')).toBeVisible();
  await expect(row('login.toml')).toHaveCount(0);
  await row('cart.test.ts').click();
  await expect(page.getByRole('list', { name: 'Rules about it' })).toHaveText(
    /^\s*To be confirmed: effects\[1\] of .*: customers see the sum\. A commit wants your tick for it\.$/,
  );
  expect(await violations(page)).toEqual([]);
});

test('a directory says what rules do with what is in it', async ({ watched: page }) => {
  await open(page, `${RULED}/f/home/kim/shop/src`, 'effects');
  await expect(page.getByRole('article', { name: 'Directory /home/kim/shop/src' })).toContainText(
    'Rules3 to confirm',
  );
});

test('a rule file that is changed changes the marks, and moves no row', async ({ watched: page }) => {
  await open(page, RULED, 'effects');
  const left = page.getByRole('button', { name: '1 left out' });
  await expect(left).toBeVisible();
  const tops = () => page.getByRole('treeitem').evaluateAll((rows) => rows.map((row) => row.textContent));
  const before = (await tops()).length;
  await page.evaluate(() =>
    window.traiFake.setEffects('ruled', [
      { do: 'flag', text: 'effects[0] of <b>f</b>\u202e', paths: ['/home/kim/shop/package.json'] },
    ]),
  );
  await expect(left).toHaveCount(0);
  await expect(page.getByRole('button', { name: '1 flagged' })).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /package\.json/ })).toHaveAccessibleName(
    /flagged by a rule: effects\[0\] of <b>f<\/b>\\u\{202E\}/i,
  );
  expect((await tops()).length).toBe(before);
});

test('an answer that fails is said: a list without marks is not one without rules', async ({
  watched: page,
}) => {
  await open(page, RULED, 'effects');
  await expect(page.getByRole('button', { name: '1 left out' })).toBeVisible();
  await page.evaluate(() => {
    window.traiFake.failNext('effects', { code: 'internal', message: 'no worker' });
    window.traiFake.emit({ type: 'rules' });
  });
  await expect(page.getByRole('region', { name: 'Files' })).toContainText(
    'What rules say of these entries is not all known: no worker',
  );
  // Those known before stay.
  await expect(page.getByRole('button', { name: '1 left out' })).toBeVisible();
});

test('50,000 entries are marked and filtered, and only the rows in sight are drawn', async ({
  watched: page,
}) => {
  await open(page, '/s/mono', 'bulk');
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  const effect = { do: 'confirm', text: 'effects[0] of f', paths: ['/home/kim/mono'] } as const;
  await page.evaluate((one) => window.traiFake.setEffects('mono', [one]), effect);
  const chip = page.getByRole('button', { name: /^50,\d+ to confirm$/ });
  await chip.click();
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText(/^50,\d+ of 50,\d+ shown$/)).toBeVisible();
  expect(await page.getByRole('treeitem').count()).toBeLessThan(100);
});
