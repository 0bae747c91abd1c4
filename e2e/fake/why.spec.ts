/** Why an entry and a call are as they are, and the end of processes. */
import { expect, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';

test('the diff says which call wrote the entry, and leads to it', async ({ watched: page }) => {
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  const ask = page.getByRole('button', { name: 'Why?' });
  await expect(ask).toHaveAttribute('aria-expanded', 'false');
  await ask.click();
  const why = page.getByRole('region', { name: 'Why', exact: true });
  await expect(why).toContainText('Last changed');
  await expect(why).not.toContainText('Created');
  await expect(why).toContainText('Host had');
  await expect(why).toContainText('covered directory /home/kim/shop');
  // It stays open for the next entry, and says what holds for that.
  await page.getByRole('treeitem', { name: /legacy-sum\.ts/ }).click();
  await expect(why).toContainText('by one of 2 calls that ran then');
  await why.getByRole('link').last().click();
  await expect(page).toHaveURL(/call\/c10$/);
  await expect(page.getByRole('article', { name: 'Call' })).toContainText('sleep 600');
});

test('a call says which list or rule decided, and what was pending', async ({ watched: page }) => {
  await open(page, `${SHOP}/call/c01`);
  await page.getByRole('button', { name: 'Why here?' }).click();
  const why = page.getByRole('region', { name: 'Why here' });
  await expect(why).toContainText('Something was pending.');
  await expect(why).toContainText('git is on the list "passthrough"; this use of it only reads');
  await page.goto(page.url().replace('c01', 'c04'));
  await expect(page.getByText('AssertionError')).toBeVisible();
  // Another call, another question.
  await expect(page.getByRole('button', { name: 'Why here?' })).toHaveAttribute('aria-expanded', 'false');
});

test('an error is shown in the panel, and asking again works', async ({ watched: page }) => {
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  await expect(page.getByRole('button', { name: 'Why?' })).toBeVisible();
  await page.evaluate(() =>
    window.traiFake.failNext('why', { code: 'io', message: 'The log cannot be read.' }),
  );
  await page.getByRole('button', { name: 'Why?' }).click();
  await expect(page.getByRole('alert')).toContainText('The log cannot be read.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Why', exact: true })).toContainText('Last changed');
});

test('running processes are listed with port and call, and end one by one or all at once', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  await page.getByRole('link', { name: '2 processes running' }).click();
  const table = page.getByRole('table').filter({ hasText: 'Listens on' });
  await expect(table.getByRole('row', { name: /48211 node watch\.js/ })).toContainText(':5173');
  await expect(table.getByRole('row', { name: /48211/ })).toContainText('nohup node watch.js & disown');
  await expect(table.getByRole('row', { name: /48219/ })).toContainText('not known');
  await table.getByRole('button', { name: 'End process 48219' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.evaluate(() => window.traiFake.orders)).toEqual([]);
  await table.getByRole('button', { name: 'End process 48219' }).click();
  await page
    .getByRole('region', { name: 'End process 48219' })
    .getByRole('button', { name: 'End process' })
    .click();
  await expect(table.getByRole('row', { name: /48219/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'End all' }).click();
  await page
    .getByRole('region', { name: 'End process 48211' })
    .getByRole('button', { name: 'End process' })
    .click();
  await expect(table).toHaveCount(0);
  const orders = await page.evaluate(() => window.traiFake.orders);
  expect(orders).toEqual([
    { endProcesses: 'shop-discounts', processes: [{ pid: 48_219, start: '2' }] },
    { endProcesses: 'shop-discounts', processes: [{ pid: 48_211, start: '1' }] },
  ]);
});

test('without a server nothing can be ended', async ({ watched: page }) => {
  await open(page, `${SHOP}/details`);
  const end = page.getByRole('button', { name: 'End process 48211' });
  await expect(end).toBeEnabled();
  await page.evaluate(() => window.traiFake.setStatus('offline'));
  await expect(end).toBeDisabled();
});
