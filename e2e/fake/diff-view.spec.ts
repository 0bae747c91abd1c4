/** How a diff can be looked at: context, white space, pictures, bytes, copies. */
import { expect, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';
const FAR = '/s/odd-names/f/home/kim/odd/far.txt';

test('unchanged lines between the changes are shown on request, and the focus stays', async ({
  watched: page,
}) => {
  await open(page, FAR);
  const rows = page.locator('tr.line');
  await expect(rows.first()).toBeVisible();
  const before = await rows.count();
  await page.getByRole('button', { name: '↑ Show 20 more' }).first().click();
  await expect(rows).toHaveCount(before + 20);
  await expect(page.locator('.gap-button:focus')).toHaveCount(1);
  for (let gaps = 3; gaps > 0; gaps--) {
    await page
      .getByRole('button', { name: /^Show \d+ unchanged/ })
      .first()
      .click();
    await expect(page.getByRole('button', { name: /^Show \d+ unchanged/ })).toHaveCount(gaps - 1);
  }
  // 200 lines on the host, one changed and one new.
  await expect(rows).toHaveCount(202);
});

test('differences of white space can be left out, and the page says so', async ({ watched: page }) => {
  await open(page, '/s/odd-names/f/home/kim/odd/content/endings.txt');
  await expect(page.locator('tr.changed')).toHaveCount(4);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByText('Ignore all').click();
  await expect(page.locator('tr.changed')).toHaveCount(0);
  await expect(
    page.getByText('2 lines with other white space or line ends are shown as unchanged'),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'More', exact: true })).toBeFocused();
});

test('a picture is shown from both sides, and one over the other; bytes in hex', async ({
  watched: page,
}) => {
  await open(page, `${SHOP}/f/home/kim/shop/public/logo.png`);
  await expect(page.getByRole('img')).toHaveCount(2);
  await expect(page.getByText('96 × 96')).toBeVisible();
  await page.getByText('Swipe').click();
  const edge = page.getByRole('slider');
  await edge.fill('20');
  await expect(page.locator('.swipe-over')).toHaveCSS('clip-path', 'inset(0px 80% 0px 0px)');
  await page.getByRole('button', { name: 'Show the first bytes' }).click();
  await expect(page.locator('.hex').first()).toContainText('.PNG');
});

test('two pictures of different sizes are swiped at one scale from one corner, each on its side of the edge only', async ({
  watched: page,
}) => {
  await open(page, `${SHOP}/f/home/kim/shop/public/logo.png`);
  await page.getByText('Swipe').click();
  const stage = page.locator('.swipe-stage');
  // Drawn once the browser has read both.
  await expect(stage.getByRole('img')).toHaveCount(2);
  const places = await page.locator('.swipe-stage, .swipe-stage img').evaluateAll((all) =>
    all.map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    }),
  );
  const [x, y] = places[0] ?? [];
  expect(places).toEqual([
    [x, y, 128, 96],
    [x, y, 128, 96],
    [x, y, 96, 96],
  ]);
  // A quarter of the way: 32 of 128 pixels.
  await stage.click({ position: { x: 32, y: 40 } });
  await expect(page.getByRole('slider')).toHaveValue('25');
  await expect(page.locator('.swipe-over')).toHaveCSS('clip-path', 'inset(0px 75% 0px 0px)');
  await expect(page.locator('.swipe-under')).toHaveCSS('clip-path', 'inset(0px 0px 0px 25%)');
  expect(Math.round((await page.locator('.swipe-line').boundingBox())?.x ?? 0)).toBe((x ?? 0) + 31);
});

test('the name above a diff is as seen from the project, and whole where it lies outside', async ({
  watched: page,
}) => {
  const heading = page.getByRole('heading', { level: 2 }).first();
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  await expect(heading).toHaveText('src/cart/cart.ts');
  await expect(heading).toHaveAttribute('title', '/home/kim/shop/src/cart/cart.ts');
  await open(page, `${SHOP}/f/home/kim/shop/README.md`);
  await expect(heading).toHaveText('./README.md');
  await open(page, `${SHOP}/f/home/kim/.config/shop/login.toml`);
  await expect(heading).toHaveText('/home/kim/.config/shop/login.toml');
});

test('the edge is moved by keys, and those of the page work on', async ({ watched: page }) => {
  await open(page, `${SHOP}/f/home/kim/shop/public/logo.png`);
  await page.getByText('Swipe').click();
  const edge = page.getByRole('slider');
  await edge.press('ArrowRight');
  await expect(edge).toHaveValue('51');
  await expect(edge).toHaveAttribute('aria-valuetext', '51 % from the left');
  await edge.press('End');
  await expect(page.locator('.swipe-over')).toHaveCSS('clip-path', 'inset(0px 0% 0px 0px)');
  await edge.press(']');
  await expect(page.getByRole('heading', { level: 2 })).toContainText('release.sh');
});

test('who swipes before the pictures are there sees all of the page once they are', async ({
  watched: page,
}) => {
  // The last answer of all is that of a picture.
  await page.goto(`fake.html?fake=demo&last=image#${SHOP}/f/home/kim/shop/public/logo.png`);
  await page.getByText('Swipe').click();
  await expect(page.locator('.swipe-stage')).toBeVisible();
  await expect(page.getByText('SHA-256')).toBeVisible();
});

test('what is too large to display says so in a sentence, with its sizes and how it begins', async ({
  watched: page,
}) => {
  await open(page, `${SHOP}/f/home/kim/shop/dump.sql`);
  await expect(page.getByText('Too large to display')).toBeVisible();
  await expect(page.getByText(/^Not on the host, pending 48\.2 MB\./)).toBeVisible();
  await expect(page.getByText('CREATE TABLE orders (')).toBeVisible();
});

test('a picture that can not be had says why', async ({ watched: page }) => {
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  await page.evaluate(() =>
    window.traiFake.failNext('image', { code: 'too-large', message: 'It is too large.' }),
  );
  await page.getByRole('treeitem', { name: /logo\.png/ }).click();
  await expect(page.getByText('It is too large.')).toBeVisible();
  await expect(page.getByRole('img')).toHaveCount(1);
  await expect(page.getByText('SHA-256')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Swipe' })).toBeDisabled();
});

test('the path is copied, and the pending version is saved', async ({ watched: page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  await expect(page.locator('tr.changed').first()).toBeVisible();
  await page.keyboard.press('y');
  await expect(page.getByText('Copied /home/kim/shop/src/cart/cart.ts')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('/home/kim/shop/src/cart/cart.ts');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the pending version' }).click();
  expect((await saved).suggestedFilename()).toBe('cart.ts');
});

test('a renamed file says from where, above its lines', async ({ watched: page }) => {
  await open(page, '/s/shop-docs');
  await expect(page.getByText('Nothing is pending')).toBeVisible();
  await page.evaluate(() => {
    const side = { type: 'file', mode: 0o644, uid: 1, gid: 1, size: 1 };
    const of = (id: string, name: string, more: object) => ({
      change: {
        id,
        path: `/home/kim/shop/${name}`,
        pending: null,
        host: null,
        ignored: null,
        conflict: null,
        group: null,
        ...more,
      },
      diff: () => ({ kind: 'meta', id, etag: '1', notes: [] }),
    });
    const added = { kind: 'added', pending: side, renamedFrom: '/home/kim/shop/old.md' };
    const entries = [
      of('0123456789abcdef', 'new.md', added),
      of('0123456789abcde0', 'old.md', { kind: 'deleted', host: side }),
    ];
    window.traiFake.setEntries('shop-docs', () => entries as never);
  });
  await page.getByRole('treeitem', { name: /new\.md/ }).click();
  const head = page.locator('.diff-header');
  await expect(head).toContainText('Renamed from old.md');
  await expect(head).toContainText('The content is the same.');
  await head.getByRole('link', { name: 'old.md' }).click();
  await expect(head.getByText('deleted')).toBeVisible();
});
