import { expect, open, test } from './page.ts';

test('a commit is taken back from its report, and committed again from the history', async ({
  watched: page,
}) => {
  await open(page, '/s/odd-names');
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByRole('textbox', { name: 'Type 1 to confirm' }).fill('1');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Commit \d/ })
    .click();
  await page
    .getByRole('dialog', { name: 'Commit report' })
    .getByRole('button', { name: 'Undo commit…' })
    .click();
  const sheet = page.getByRole('dialog', { name: 'Undo commit 1' });
  await expect(sheet.getByText('Removed from the host')).toBeVisible();
  await sheet.getByRole('button', { name: 'Undo commit', exact: true }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.getByRole('link', { name: 'History' }).first().click();
  const history = page.getByRole('table').filter({ hasText: 'Undo of commit 1' });
  await expect(history.getByRole('row', { name: /Commit 1.*undone/ })).toBeVisible();
  await history.getByRole('button', { name: 'Commit again' }).click();
  await expect(history.getByRole('row', { name: /Commit 3, again/ })).toBeVisible();
  await history.getByRole('button', { name: 'Undo commit' }).click();
  await expect(page.getByRole('dialog', { name: 'Undo commit 3' })).toBeVisible();
});

test('what the host changed since has to be decided before a commit is taken back', async ({
  watched: page,
}) => {
  await open(page, '/s/shop-discounts');
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByRole('button', { name: 'Take sandbox' }).first().click();
  await page.getByRole('button', { name: /^Commit \d/ }).click();
  await page.getByRole('button', { name: 'Undo commit…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Undo commit 1' });
  await expect(sheet.getByText('/home/kim/shop/README.md: changed on the host since')).toBeVisible();
  const order = sheet.getByRole('button', { name: 'Undo commit', exact: true });
  await expect(order).toBeDisabled();
  await sheet.getByText('Undo too', { exact: true }).click();
  const kept = sheet.getByRole('heading', { name: '1 entry kept aside' });
  await expect(kept).toBeVisible();
  await expect(sheet.getByText(/README\.md: \/home\/kim\/.*\/back\//)).toBeVisible();
  await sheet.getByText('Keep host', { exact: true }).click();
  await expect(kept).toHaveCount(0);
  await order.click();
  await expect(sheet).toBeHidden();
  const orders = await page.evaluate(() => window.traiFake.orders);
  expect(orders.at(-1)).toMatchObject({
    undoCommit: 'shop-discounts',
    n: 1,
    revision: 'u1',
    conflicts: 'keep-host',
  });
});

test('conflicts of an undo that are not named are counted', async ({ watched: page }) => {
  await open(page, '/s/shop-discounts');
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByRole('button', { name: 'Take sandbox' }).first().click();
  await page.getByRole('button', { name: /^Commit \d/ }).click();
  await page.evaluate(() => {
    const { traiFake } = window;
    const ask = traiFake.undoPreview;
    traiFake.undoPreview = async (...asked) => {
      const plan = await ask(...asked);
      const [first] = plan.conflicts;
      if (first === undefined) throw new Error('expected a conflict');
      const conflicts = Array.from({ length: 130 }, (_, i) => ({ ...first, path: `${first.path}${i}` }));
      return { ...plan, conflicts: conflicts as typeof plan.conflicts };
    };
  });
  await page.getByRole('button', { name: 'Undo commit…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Undo commit 1' });
  await expect(sheet.getByText('130 entries not as the commit left it')).toBeVisible();
  await expect(sheet.getByText('Choose what to do with what is not as the commit left it.')).toBeVisible();
  await expect(sheet.getByRole('list', { name: 'Paths' }).getByRole('listitem').last()).toHaveText(
    'and 80 more',
  );
});

test('an undo that running processes stop offers to end those that it can end', async ({ watched: page }) => {
  await open(page, '/s/shop-discounts');
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByRole('button', { name: 'Keep host' }).first().click();
  await page.getByRole('button', { name: /^Commit \d/ }).click();
  await page.evaluate(() => {
    const { traiFake } = window;
    const ask = traiFake.undoPreview;
    const processes = [{ pid: 48_219, start: '2', command: 'node dev-server.mjs', seconds: 9 }];
    traiFake.undoPreview = async (...asked) => ({ ...(await ask(...asked)), processes });
    traiFake.failNext('undoCommit', { code: 'live', message: 'processes are running' });
  });
  await page.getByRole('button', { name: 'Undo commit…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Undo commit 1' });
  await sheet.getByText('Keep host', { exact: true }).click();
  const undo = sheet.getByRole('button', { name: 'Undo commit', exact: true });
  await undo.click();
  // The session has two: the other is Claude Code itself.
  await expect(sheet.getByRole('list', { name: 'Processes' }).getByRole('listitem')).toHaveCount(1);
  await sheet.getByRole('checkbox', { name: 'End this process' }).check();
  await undo.click();
  await expect(sheet).toBeHidden();
  const orders = await page.evaluate(() => window.traiFake.orders);
  expect(orders.at(-1)).toMatchObject({ undoCommit: 'shop-discounts', endProcesses: true });
});

test('a row of the history opens to its paths, page by page, with links to what is pending', async ({
  watched: page,
}) => {
  await open(page, '/s/shop-discounts');
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByRole('button', { name: 'Keep host' }).first().click();
  await page.getByRole('button', { name: /^Commit \d/ }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'History' }).first().click();
  const row = page.getByRole('button', { name: '333 entries of Commit 1' });
  await row.press('Enter');
  await expect(row).toHaveAttribute('aria-expanded', 'true');
  const paths = page.getByRole('list', { name: 'Paths of Commit 1' });
  await expect(paths.getByRole('listitem')).toHaveCount(100);
  await expect(paths.getByRole('listitem').filter({ hasText: 'legacy-sum.ts' })).toContainText('removed');
  const more = page.getByRole('button', { name: 'Show more' });
  for (const [first, count] of [
    [100, 200],
    [200, 300],
    [300, 333],
  ] as const) {
    await more.click();
    await expect(paths.getByRole('listitem')).toHaveCount(count);
    await expect(paths.getByRole('listitem').nth(first)).toBeFocused();
  }
  await expect(more).toHaveCount(0);
  await expect(paths.getByRole('link')).toHaveCount(0);

  // Taken back, they are pending again: each leads to its place in the list.
  await page.getByRole('button', { name: 'Undo commit' }).click();
  const sheet = page.getByRole('dialog', { name: 'Undo commit 1' });
  await sheet.getByText('Keep host', { exact: true }).click();
  await sheet.getByRole('button', { name: 'Undo commit', exact: true }).click();
  await page.getByRole('button', { name: 'entries of Undo of commit 1' }).click();
  const back = page.getByRole('list', { name: 'Paths of Undo of commit 1' });
  await expect(back.getByRole('listitem').filter({ hasText: 'legacy-sum.ts' })).toContainText('added');
  await back.getByRole('link', { name: '/home/kim/shop/src/cart/cart.ts' }).click();
  await expect(page.getByRole('article', { name: /src\/cart\/cart\.ts/ })).toBeVisible();
});
