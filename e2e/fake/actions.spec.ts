import { expect, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';

test('commit asks what is open, names what was seen, and reports', async ({ watched: page }) => {
  await open(page, SHOP);
  await page.getByRole('button', { name: 'Commit…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit to the host' });
  const order = sheet.getByRole('button', { name: 'Commit 335 entries' });
  await expect(order).toBeDisabled();
  await expect(sheet.getByText('node watch.js')).toBeVisible();
  await sheet
    .getByRole('group', { name: /README\.md/ })
    .getByText('Keep host')
    .click();
  await expect(sheet.getByText('Choose what to do with one conflict.')).toBeVisible();
  await sheet
    .getByRole('group', { name: /package\.json/ })
    .getByText('Take sandbox')
    .click();
  await sheet.getByRole('checkbox', { name: /2 ignored entries/ }).check();
  await sheet.getByRole('button', { name: 'Commit 337 entries' }).click();
  await expect(page.getByRole('dialog', { name: 'Commit report' })).toContainText('336 entries');
  await expect(page.getByRole('dialog')).toContainText('Left as on the host, still pending');
  const orders = await page.evaluate(() => window.traiFake.orders);
  expect(orders).toEqual([
    expect.objectContaining({
      revision: 'r1',
      includeIgnored: true,
      conflicts: 'refuse',
      yes: false,
      typedCount: null,
    }),
  ]);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('treeitem', { name: /README\.md/ })).toBeVisible();
});

test('the mass guard wants the number typed', async ({ watched: page }) => {
  await open(page, '/s/odd-names');
  await page.getByRole('button', { name: 'Commit…' }).click();
  const order = page.getByRole('dialog').getByRole('button', { name: /^Commit \d/ });
  await expect(page.getByText('This deletes or replaces 1 entry on the host.')).toBeVisible();
  await expect(page.getByText('deletes the repository data /home/kim/odd/.git')).toBeVisible();
  await expect(order).toBeDisabled();
  const field = page.getByRole('textbox', { name: 'Type 1 to confirm' });
  await field.fill('7');
  await expect(order).toBeDisabled();
  await field.fill('1');
  await expect(order).toBeEnabled();
});

test('a list that moved on must be looked at again before it can be committed', async ({ watched: page }) => {
  await open(page, '/s/odd-names');
  await page.getByRole('button', { name: 'Commit…' }).click();
  await expect(page.getByText(/deletes or replaces/)).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.evaluate(() => window.traiFake.setEntries('odd-names', (entries) => entries.slice(1)));
  await page.getByRole('button', { name: 'Commit…' }).click();
  await expect(page.getByText('The changes are out of date. Refresh first.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('Type the number of entries to confirm.')).toBeVisible();
});

test('an order that fails says why and what to do', async ({ watched: page }) => {
  await open(page, SHOP);
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take sandbox' }).click();
  await page.evaluate(() =>
    window.traiFake.failNext('commit', {
      code: 'no-space',
      message: 'No space left on /home.',
      hint: 'Free 48 MB and commit again.',
    }),
  );
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Commit \d/ })
    .click();
  await expect(page.getByRole('alert')).toContainText('The disk is full');
  await expect(page.getByRole('alert')).toContainText('Free 48 MB and commit again.');
});

test('what a discard had to leave pending stays named until the reader has seen it', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  await page.evaluate(() => {
    const { traiFake } = window;
    const { discard } = traiFake;
    traiFake.discard = async (...asked) => ({
      ...(await discard(...asked)),
      left: ['a', 'b'].map((name) => ({
        path: `/home/kim/shop/${name}` as never,
        why: 'it is in use',
      })),
    });
  });
  await page.getByRole('button', { name: 'Discard…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /to confirm/ }).fill('337');
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(dialog).toContainText('2 entries stay pending:');
  await expect(dialog.getByRole('listitem')).toHaveText([
    '/home/kim/shop/a: it is in use',
    '/home/kim/shop/b: it is in use',
  ]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
});

test('discard ends processes only when told to, and can be undone', async ({ watched: page }) => {
  await open(page, SHOP);
  await page.getByRole('button', { name: 'Discard…' }).click();
  const order = page.getByRole('button', { name: 'End them and discard' });
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true })).toBeDisabled();
  await expect(order).toHaveCount(0);
  await expect(page.getByRole('dialog')).toContainText(/Size\s*48\.3 MB/);
  await page.getByRole('checkbox', { name: 'End these 2 processes' }).check();
  await expect(order).toBeDisabled();
  await page.getByRole('textbox', { name: /to confirm/ }).fill('337');
  await page.evaluate(() => {
    const { traiFake } = window;
    const fetchList = traiFake.changes;
    document.body.dataset['lists'] = '0';
    traiFake.changes = (...asked) => {
      document.body.dataset['lists'] += '1';
      return fetchList(...asked);
    };
  });
  await order.click();
  await expect(page.getByText('Nothing is pending')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Fetched once.
  await expect(page.locator('body')).toHaveAttribute('data-lists', '01');
  await expect(page.locator('.empty').getByRole('link', { name: 'History' })).toHaveAttribute(
    'href',
    `#${SHOP}/history`,
  );
  await page.getByRole('button', { name: 'Undo discard' }).click();
  await expect(page.getByRole('treeitem', { name: /README\.md/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo discard' })).toHaveCount(0);
});

test('without a server nothing can be ordered, and everything read stays', async ({ watched: page }) => {
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  await page.evaluate(() => window.traiFake.setStatus('offline'));
  await expect(page.getByText('You are looking at the last known state')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Commit…' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Discard…' })).toBeDisabled();
  await expect(page.locator('tr.changed').first()).toBeVisible();
  await page.evaluate(() => window.traiFake.setStatus('connected'));
  await expect(page.getByRole('button', { name: 'Commit…' })).toBeEnabled();
});

test('a commit that runs is stopped between two entries, and the report says so', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take sandbox' }).first().click();
  await page.evaluate(() => {
    window.traiFake.hold = true;
  });
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Commit \d/ })
    .click();
  await expect(page.getByText('What is done stays done')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close' })).toBeDisabled();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('dialog', { name: 'Commit report' })).toContainText('Cancelled after');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('treeitem', { name: /README\.md/ })).toBeVisible();
});

test('before a commit one reads in words what happens, and to which files', async ({ watched: page }) => {
  await open(page, '/s/shop-discounts');
  await page.getByRole('button', { name: 'Commit…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit to the host' });
  await expect(sheet).toContainText('Writes these changes to your real files.');
  await expect(sheet.locator('.count-word').first()).toBeVisible();
  const places = sheet.getByRole('region', { name: 'Where' });
  // The project by its top directories; then what nobody expects, with its whole path.
  await expect(places).toContainText(/^\/home\/kim\/shop/);
  const lines = places.getByRole('listitem');
  await expect(lines.filter({ hasText: 'src/' })).toHaveCount(1);
  await expect(lines.first()).not.toContainText('outside the project');
  await expect(lines.last()).toContainText(/^\/.*outside the project/);
});

test('in a large session the project is said first, by top directory, and caches last', async ({
  watched: page,
}) => {
  await open(page, '/s/codemod', 'codemod');
  await page.getByRole('button', { name: 'Commit…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit to the host' });
  const lines = sheet.getByRole('region', { name: 'Where' }).getByRole('listitem');
  await expect(lines).toHaveText([
    /^node_modules\/.*301/,
    /^src\/.*5,000/,
    /^\/home\/kim\/\.bashrc outside the project/,
    /^\/home\/kim\/\.npm\/ cache.*20/,
  ]);
});

test('what is ignored and goes along with a discard is called that', async ({ watched: page }) => {
  await open(page, '/s/shop-discounts');
  await page.getByRole('button', { name: 'Discard…' }).click();
  const places = page.getByRole('dialog', { name: 'Discard' }).getByRole('region', { name: 'Where' });
  await expect(places.getByRole('listitem').filter({ hasText: '/.cache/vite/deps.json' })).toContainText(
    /cache\s*1 ignored$/,
  );
  await expect(places).not.toContainText('nothing pending');
});

test('a panel with hidden texts for screen readers does not make the page scroll', async ({
  watched: page,
}) => {
  await page.setViewportSize({ width: 1280, height: 620 });
  await open(page, '/s/shop-discounts');
  await page.getByRole('button', { name: 'Commit…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit to the host' });
  await sheet
    .getByRole('button', { name: /^Compare / })
    .first()
    .click();
  await expect(sheet.locator('.panes-body')).toBeVisible();
  const over = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(over).toBeLessThanOrEqual(0);
});
