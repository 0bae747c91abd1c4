/** Marks of what was looked at. */
import { expect, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';
const CART = `${SHOP}/f/home/kim/shop/src/cart/cart.ts`;

test('v marks the file on show, V goes on to the next that is not marked', async ({ watched: page }) => {
  await open(page, CART);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  const button = page.getByRole('button', { name: 'Viewed', exact: true });
  const counter = page.getByRole('button', { name: /viewed\. Show only/ });
  await expect(counter).toContainText('0 of 335 viewed');
  await page.keyboard.press('v');
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(counter).toContainText('1 of 335 viewed');
  await expect(page.getByRole('treeitem', { name: /cart\.ts.*viewed/ })).toBeVisible();
  await page.keyboard.press('v');
  await expect(counter).toContainText('0 of 335 viewed');

  const heading = page.getByRole('heading', { level: 2 }).first();
  await page.keyboard.press('V');
  await expect(counter).toContainText('1 of 335 viewed');
  await expect(heading).not.toContainText('cart.ts');
});

test('a directory is marked with all below it, and only the rest can be shown', async ({ watched: page }) => {
  await open(page, SHOP);
  const counter = page.getByRole('button', { name: /viewed\. Show only/ });
  const fixtures = page.getByRole('treeitem', { name: /^fixtures/ });
  await fixtures.focus();
  await page.keyboard.press('v');
  await expect(counter).not.toContainText('0 of 335');
  await counter.click();
  await expect(fixtures).toHaveCount(0);
  await expect(page.getByRole('treeitem', { name: /cart\.ts/ })).toBeVisible();
  await counter.click();
  await expect(fixtures).toBeVisible();
});

test('the button of a file marks that file, whatever row the keys were at before', async ({
  watched: page,
}) => {
  await open(page, CART);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  const counter = page.getByRole('button', { name: /viewed\. Show only/ });
  await page.getByRole('treeitem', { name: /^src/ }).focus();
  await page.getByRole('button', { name: 'Viewed', exact: true }).click();
  await expect(counter).toContainText('1 of 335 viewed');
});

test('the bar below a file goes through the list with a pointer, and keeps the focus', async ({
  watched: page,
}) => {
  await open(page, CART);
  const heading = page.getByRole('heading', { level: 2 }).first();
  await expect(heading).toContainText('cart.ts');
  const bar = page.getByRole('navigation', { name: 'Review' });
  await bar.getByRole('button', { name: 'Next file' }).click();
  await expect(heading).toContainText('legacy-sum.ts');
  await bar.getByRole('button', { name: 'Previous file' }).click();
  await expect(heading).toContainText('cart.ts');
  const next = bar.getByRole('button', { name: 'Mark viewed & next' });
  await next.press('Enter');
  await expect(heading).toContainText('legacy-sum.ts');
  await expect(next).toBeFocused();
  await next.press('Enter');
  await expect(page.getByRole('button', { name: /viewed\. Show only/ })).toContainText('2 of 335 viewed');
});

test('each file is said that a key leads to, and after the last the bar offers the commit', async ({
  watched: page,
}) => {
  await open(page, '/s/hotfix', 'several');
  await expect(page.getByText('Choose a file')).toBeVisible();
  const said = page.locator('#main ~ [aria-live=polite]');
  await page.keyboard.press(']');
  await expect(said).toHaveText('fixtures/orders.jsonl, modified');
  await page.keyboard.press('V');
  await expect(said).toHaveText('Marked as viewed. src/cart/cart.test.ts, added');
  const bar = page.getByRole('navigation', { name: 'Review' });
  const next = bar.getByRole('button', { name: 'Mark viewed & next' });
  for (let i = 0; i < 5; i++) {
    await next.press('Enter');
    await expect(page.getByRole('button', { name: /viewed\. Show only/ })).toContainText(`${i + 2} of 7`);
  }
  await next.press('Enter');
  await expect(said).toHaveText('Marked as viewed. No unviewed entries are left.');
  const commit = bar.getByRole('button', { name: 'All viewed: commit…' });
  await expect(commit).toBeFocused();
  await commit.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Commit to the host' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(commit).toBeFocused();
  // A selection has orders of its own.
  await page
    .getByRole('treeitem', { name: /^README/ })
    .locator('.tick')
    .click();
  await expect(next).toBeVisible();
});

test('where everything is ignored, the bar offers no commit', async ({ watched: page }) => {
  await open(page, '/s/cached/f/home/kim/.cache/vite/deps.json', 'ignored');
  const bar = page.getByRole('navigation', { name: 'Review' });
  await expect(bar.getByRole('button', { name: /^(Mark viewed|All viewed)/ })).toHaveText(
    'Mark viewed & next',
  );
});

test('a directory is opened as a whole with o or its sign, is the row on show, and the bar marks all of it', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  const src = page.getByRole('treeitem', { name: /^src/ });
  await src.focus();
  await page.keyboard.press('o');
  const pane = page.getByRole('article', { name: 'Directory /home/kim/shop/src' });
  await expect(pane).toBeVisible();
  await expect(src).toHaveAttribute('aria-selected', 'true');
  await expect(src).toHaveAttribute('aria-expanded', 'true');
  const fixtures = page.getByRole('treeitem', { name: /^fixtures/ });
  await fixtures.hover();
  await fixtures.locator('.row-open').click();
  await expect(page.getByRole('article', { name: 'Directory /home/kim/shop/fixtures' })).toBeVisible();
  await expect(src).toHaveAttribute('aria-selected', 'false');
  await page.goBack();
  await expect(pane).toBeVisible();
  await page.getByRole('button', { name: 'Mark all viewed & next' }).click();
  await expect(page.getByRole('button', { name: /viewed\. Show only/ })).toContainText('4 of 335 viewed');
  // The next that is not viewed comes after the directory, not from the start of the list.
  await expect(page.getByRole('heading', { level: 2 }).first()).toContainText('README.md');
});

test('a directory that the project lies in says that its orders take the project along', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.evaluate(() =>
    window.traiFake.setEntries('shop-discounts', (entries) =>
      entries.map((entry) =>
        entry.change.path.endsWith('/login.toml')
          ? { ...entry, change: { ...entry.change, path: '/home/kim/.npmrc' as typeof entry.change.path } }
          : entry,
      ),
    ),
  );
  await page.getByRole('button', { name: /– refresh/ }).click();
  await page.getByRole('treeitem', { name: '/home/kim', exact: false }).last().focus();
  await page.keyboard.press('o');
  const pane = page.getByRole('article', { name: 'Directory /home/kim', exact: true });
  await expect(pane).toContainText('The project lies in it and has a row of its own');
  await pane.getByRole('button', { name: 'Commit this directory…' }).click();
  await expect(page.getByRole('dialog')).toContainText('Commit 335 entries');
  await page.keyboard.press('Escape');
  await page.getByRole('treeitem', { name: /^src/ }).focus();
  await page.keyboard.press('o');
  await expect(page.getByRole('article', { name: 'Directory /home/kim/shop/src' })).toBeVisible();
  await expect(page.getByText('The project lies in it')).toHaveCount(0);
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('the sign of a directory is there without a pointer, and opens it as a whole', async ({
    watched: page,
  }) => {
    await open(page, SHOP);
    await page.getByRole('treeitem', { name: /^src/ }).locator('.row-open').tap();
    await expect(page.getByRole('article', { name: 'Directory /home/kim/shop/src' })).toBeVisible();
  });
});

test('a codemod is reviewed by keyboard, and what was installed beside it is one thing', async ({
  watched: page,
}) => {
  await open(page, '/s/codemod', 'codemod');
  const row = (name: RegExp) => page.getByRole('treeitem', { name });
  const heading = page.getByRole('heading', { level: 2 }).first();
  const counter = page.getByRole('button', { name: /viewed\. Show only/ });
  await expect(row(/^src/)).toHaveAttribute('aria-expanded', 'true');
  await expect(row(/^node_modules/)).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press(']');
  await expect(heading).toContainText('node_modules');
  await expect(row(/^node_modules/)).toHaveAttribute('aria-expanded', 'false');
  // Its page has all of it in sums: one key marks it, and goes on.
  await expect(page.getByRole('button', { name: 'Mark all viewed & next' })).toBeVisible();
  await page.keyboard.press('V');
  await expect(counter).toContainText('301 of 5,322 viewed');
  await expect(heading).toContainText('page-0.ts');
  await page.keyboard.press('V');
  await expect(heading).toContainText('page-1.ts');
  // `[` does not open what is viewed.
  await page.keyboard.press('[');
  await page.keyboard.press('[');
  await expect(heading).toContainText('node_modules');
  // What was folded by hand is not passed over either: page-0.ts is viewed, page-1.ts is not.
  await row(/^src/).press('ArrowLeft');
  await expect(row(/^src/)).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press(']');
  await expect(heading).toContainText('page-1.ts');
  await expect(row(/^src/)).toHaveAttribute('aria-expanded', 'true');
  await expect(row(/^page-1\.ts/)).toHaveAttribute('aria-selected', 'true');
});

test('each of two quick keys counts, although the address has not changed between them', async ({
  watched: page,
}) => {
  await open(page, '/s/codemod/f/home/kim/app/src/page-0.ts', 'codemod');
  await expect(page.getByRole('treeitem', { name: /^page-0\.ts/ })).toHaveAttribute('aria-selected', 'true');
  await page.evaluate(async () => {
    const press = () =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ']', bubbles: true }));
    press();
    await Promise.resolve();
    press();
  });
  await expect(page.getByRole('heading', { level: 2 }).first()).toContainText('page-10.ts');
});

test('] goes into what was installed, file by file, until it is viewed', async ({ watched: page }) => {
  await open(page, '/s/codemod', 'codemod');
  const modules = page.getByRole('treeitem', { name: /^node_modules/ });
  const heading = page.getByRole('heading', { level: 2 }).first();
  await expect(modules).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press(']');
  await expect(heading).toContainText('node_modules');
  await page.keyboard.press(']');
  await expect(heading).toContainText('node_modules/p/f0.js');
  await expect(modules).toHaveAttribute('aria-expanded', 'true');
});

test('what changes after it was viewed says so', async ({ watched: page }) => {
  await open(page, CART);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  await page.keyboard.press('v');
  // It is shown at once; now it is kept too.
  await expect(page.getByText('Marked as viewed.')).toBeAttached();
  await expect(page.getByRole('button', { name: 'Viewed', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.evaluate(() =>
    window.traiFake.setEntries('shop-discounts', (entries) =>
      entries.map((entry) => {
        if (!entry.change.path.endsWith('/cart.ts') || entry.change.pending === null) return entry;
        const pending = { ...entry.change.pending, size: entry.change.pending.size + 1 };
        return { ...entry, change: { ...entry.change, pending } };
      }),
    ),
  );
  await expect(page.getByRole('button', { name: 'Changed since viewed' })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
  await expect(page.getByRole('treeitem', { name: /cart\.ts.*changed since viewed/ })).toBeVisible();
});

test('a mark that is refused says why, and is not shown', async ({ watched: page }) => {
  await open(page, CART);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  await page.evaluate(() =>
    window.traiFake.failNext('markViewed', { code: 'stale-revision', message: 'The changes moved on.' }),
  );
  await page.keyboard.press('v');
  await expect(page.getByText('Not marked: The changes moved on.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Viewed', exact: true })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
});
