/** The strip over time, the list below it, and the pages of calls and of what stands between them. */
import type { Locator, Page } from '@playwright/test';
import { expect, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';
const options = (page: Page): Locator => page.getByRole('listbox', { name: 'Calls' }).getByRole('option');
const article = (page: Page): Locator => page.getByRole('article');

/** Drags on the strip, from and to parts of its width. */
async function drag(page: Page, from: number, to: number, y = 50): Promise<void> {
  const box = await page.locator('.strip-box').boundingBox();
  if (box === null) throw new Error('expected the strip, it is not there');
  await page.mouse.move(box.x + from * box.width, box.y + y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, box.y + y);
  await page.mouse.move(box.x + to * box.width, box.y + y);
  await page.mouse.up();
}

test('calls, prompts, file tools and orders stand in one list in the order of time', async ({
  watched: page,
}) => {
  await open(page, `${SHOP}/calls`);
  await page.getByRole('button', { name: 'Newest first' }).click();
  await expect(options(page).first()).toContainText('Add discounts to the cart.');
  const texts = await options(page).allTextContents();
  const at = (text: string): number => texts.findIndex((one) => one.includes(text));
  const order = ['Add discounts', 'git restore README.md', 'git status', '/src/cart/cart.ts', 'npm install'];
  expect(order.map(at)).toEqual([...order.map(at)].sort((a, b) => a - b));
  expect(order.map(at)).not.toContain(-1);
  await page.getByRole('checkbox', { name: 'Clients 1' }).check();
  await expect(options(page).first()).toContainText('Claude Code started');
});

test('a drag on the strip shows only what was at work then, and the edges go on with it by key', async ({
  watched: page,
}) => {
  await open(page, `${SHOP}/calls`);
  const count = page.getByRole('status').filter({ hasText: /calls?$/ });
  await expect(count).toHaveText('12 calls');
  await drag(page, 0.1, 0.2);
  await expect(count).toHaveText(/^\d of 12 calls$/);
  await expect(options(page).filter({ hasText: 'npm install -D vitest' })).toBeVisible();
  await expect(options(page).filter({ hasText: 'nohup node watch.js' })).toHaveCount(0);

  const until = page.getByRole('slider', { name: 'Shown until' });
  const before = Number(await until.getAttribute('aria-valuenow'));
  await until.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => Number(await until.getAttribute('aria-valuenow'))).toBeGreaterThan(before);
  await page.keyboard.press('End');
  await page.getByRole('slider', { name: 'Shown from' }).focus();
  await page.keyboard.press('Home');
  await expect(count).toHaveText('12 calls');

  // By its ruler a window is moved; Escape lets it go.
  await drag(page, 0.1, 0.2);
  await drag(page, 0.15, 0.95, 8);
  await expect(options(page).filter({ hasText: 'npm install -D vitest' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(count).toHaveText('12 calls');
});

test('an edge is dragged, and a click on a bar opens its call', async ({ watched: page }) => {
  await open(page, `${SHOP}/calls`);
  await expect(options(page).first()).toBeVisible();
  const edge = await page.getByRole('slider', { name: 'Shown from' }).boundingBox();
  const box = await page.locator('.strip-box').boundingBox();
  if (edge === null || box === null) throw new Error('expected the strip, it is not there');
  await page.mouse.move(edge.x + edge.width / 2, edge.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.3, edge.y + 40);
  await page.mouse.move(box.x + box.width * 0.5, edge.y + 40);
  await page.mouse.up();
  await expect(options(page).filter({ hasText: 'npm install -D vitest' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show all' }).click();
  // The second lane's long bar.
  await page.mouse.click(box.x + box.width * 0.8, box.y + 18 + 20);
  await expect(page).toHaveURL(/call\/c10$/);
  await expect(article(page)).toContainText('sleep 600');
});

test('text and chips narrow the list, and what is chosen stays', async ({ watched: page }) => {
  await open(page, `${SHOP}/call/c03`);
  await expect(article(page)).toContainText('cart.test.ts');
  await page.keyboard.press('/');
  await page.keyboard.type('VITEST RUN');
  await expect(options(page)).toHaveCount(2);
  await expect(article(page)).toContainText('cart.test.ts');
  await page.getByRole('button', { name: 'Failed 3' }).click();
  await expect(options(page)).toHaveCount(1);
  await expect(options(page)).toContainText('exit 1');
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('button', { name: /^Wrote files/ }).click();
  await expect(options(page)).toHaveCount(5);
  await page.getByRole('searchbox').fill('no such thing');
  await expect(page.getByText('No matches.')).toBeVisible();
});

test('the page of a call leads to what it wrote and back, and orders exactly that', async ({
  watched: page,
}) => {
  await open(page, `${SHOP}/call/c03`);
  await expect(page.locator('.command .hljs-built_in, .command .hljs-string').first()).toBeVisible();
  const wrote = page.getByRole('region', { name: 'Files that it wrote' });
  await wrote.getByRole('link', { name: /cart\.test\.ts/ }).click();
  await expect(page.getByRole('article', { name: /cart\.test\.ts/ })).toBeVisible();
  // From the change to its call by link and by key, and back by the browser.
  await page.getByRole('link', { name: /^cat > src\/cart\/cart\.test\.ts/ }).click();
  await expect(page).toHaveURL(/call\/c03$/);
  await page.goBack();
  await expect(page.getByRole('article', { name: /cart\.test\.ts/ })).toBeVisible();
  await page.keyboard.press('c');
  await expect(article(page)).toContainText('Wrote 1 entry');
  await page.getByRole('link', { name: 'Show only these in Changes' }).click();
  await expect(page.getByRole('treeitem', { name: /cart\.test\.ts/ })).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /README/ })).toHaveCount(0);
  await page.goBack();
  await expect(article(page)).toContainText('Wrote 1 entry');
  await wrote.getByRole('button', { name: 'Commit what this call wrote…' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Commit 1 entry' }).click();
  await expect(page.getByRole('dialog', { name: 'Commit report' })).toBeVisible();
  const orders = await page.evaluate(() => window.traiFake.orders);
  expect(orders).toMatchObject([{ scope: { kind: 'call', call: 'c03' } }]);
});

test('the page of a call has its output and what it left running', async ({ watched: page }) => {
  await open(page, `${SHOP}/call/c11`);
  const left = page.getByRole('region', { name: 'Its processes' });
  await expect(left.getByRole('row', { name: /48211 node watch\.js/ })).toContainText(':5173');
  await expect(left).toContainText('1 process still running: 48219');
  await page.goto(page.url().replace('c11', 'c04'));
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('AssertionError');
});

test('a row has room for all that its call did, in a narrow window too; the page of the call says the rest', async ({
  watched: page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page, `${SHOP}/calls`);
  const row = page.getByRole('option', { name: /sleep 600/ });
  await expect(row.getByText('2 changes')).toBeInViewport({ ratio: 1 });
  const line = row.locator('.call-sub');
  expect(await line.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  await row.click();
  await expect(page.getByRole('article', { name: 'Call' }).getByText('exit 143 (SIGTERM)')).toBeVisible();
  await page.getByRole('link', { name: 'All calls' }).click();
  await page.getByRole('option', { name: /git add -A/ }).click();
  const head = page.getByRole('article', { name: 'Call' }).locator('.call-sub').first();
  // Nothing ran, so there is no outcome.
  await expect(head).toHaveText('refused');
});

test('a prompt has a page with the calls that it led to; a file tool says what it was told', async ({
  watched: page,
}) => {
  await open(page, `${SHOP}/call/prompt-5`);
  await expect(article(page)).toContainText('<b>and</b>');
  await article(page)
    .getByRole('link', { name: /npm run dev/ })
    .click();
  await expect(page).toHaveURL(/call\/c08$/);
  await page.goBack();
  await expect(article(page)).toContainText('4 calls');
  await page.goto(page.url().replace('prompt-5', 'file-t2'));
  await expect(article(page)).toContainText('This file has a pending version');
  await article(page).getByRole('link', { name: 'The sandbox has another version' }).click();
  await expect(page).toHaveURL(/f\/home\/kim\/shop\/README\.md$/);
});

test('10,000 calls are a few nodes, every one on the strip, and scroll and search at once', async ({
  watched: page,
}) => {
  await open(page, '/s/mono/calls', 'bulk');
  await expect(options(page).first()).toContainText('npm run step-9999');
  const { nodes, bars } = await page.evaluate(() => ({
    nodes: document.querySelectorAll('*').length,
    bars: [...document.querySelectorAll('.strip-bars path.bar')]
      .map((path) => path.getAttribute('d')?.match(/M/g)?.length ?? 0)
      .reduce((sum, count) => sum + count, 0),
  }));
  expect(bars).toBe(10_000);
  expect(nodes).toBeLessThan(1_000);
  await page.getByRole('searchbox').fill('step-4242');
  await expect(options(page)).toHaveCount(1);
  await options(page).click();
  await expect(article(page)).toContainText('npm run step-4242');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByRole('option', { selected: true })).toBeInViewport();
});

test('what comes meanwhile waits for the reader, and a running call goes on in its place', async ({
  watched: page,
}) => {
  await open(page, `${SHOP}/call/c03`);
  await expect(article(page)).toContainText('Wrote 1 entry');
  await page.evaluate(() => window.traiFake.endCall('shop-discounts', 'c08', 'npm run later'));
  await expect(page.getByRole('button', { name: '1 new call – show' })).toBeVisible();
  const row = options(page).filter({ hasText: 'npm run dev' });
  await expect(row).toContainText('exit 0');
  await expect(options(page).filter({ hasText: 'npm run later' })).toHaveCount(0);
  await page.keyboard.press('r');
  await expect(options(page).filter({ hasText: 'npm run later' })).toHaveCount(1);
});

test('a call that the address names is shown once the log has it, with what came before it', async ({
  watched: page,
}) => {
  await open(page, `${SHOP}/call/c08-next`);
  await expect(page.getByText('This call is not in the log')).toBeVisible();
  await page.evaluate(() => window.traiFake.endCall('shop-discounts', 'c08', 'npm run later'));
  await expect(article(page)).toContainText('npm run later');
  await expect(options(page).filter({ hasText: 'npm run later' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: /– show$/ })).toHaveCount(0);
});

test('what others wrote into prompts and paths is shown as it is, and does nothing', async ({
  watched: page,
}) => {
  await open(page, '/s/odd-names/calls');
  await page.getByRole('checkbox', { name: 'Clients 1' }).check();
  await expect(options(page)).toHaveCount(6);
  const texts = (await options(page).allTextContents()).join('\n');
  expect(texts).toContain('<img src=x onerror=alert(8)>');
  // What can't be seen has a name, in the list and on the page.
  expect(texts).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u200b\u202e]/);
  for (const [id, name] of [
    ['prompt-0', 'prompt'],
    ['file-t9', 'Write'],
    ['adopt-2', 'adopt'],
    ['session-3', 'client'],
  ] as const) {
    await page.goto(page.url().replace(/#.*/, `#/s/odd-names/call/${id}`));
    // The page before is on show until the route has changed.
    const mark = page.getByRole('article', { name, exact: true });
    await expect(mark).toBeVisible();
    await expect(page.getByRole('option', { selected: true })).toHaveCount(1);
    const text = (await mark.textContent()) ?? '';
    expect(text, id).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u200b\u202e]/);
  }
  await page.goto(page.url().replace(/#.*/, '#/s/odd-names/call/prompt-0'));
  await expect(article(page)).toContainText('12 more characters are not on record.');
  expect(await page.locator('main img, main script, main b').count()).toBe(0);
});
