/** A server that is lost: a banner, nothing that could be ordered, and after it came back all that was missed. */
import type { Page } from '@playwright/test';
import { expect, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';

/** Every button that changes something at the server, by what it says. */
const ORDERS =
  /^(Commit|Discard|Undo|Redo|End |End all|Viewed|Changed since viewed|Delete|Collect|Keep|Take|Save|Stop)/;

async function ordersOn(page: Page): Promise<{ name: string; disabled: boolean }[]> {
  const found = await page
    .getByRole('main')
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => ({
        name: button.getAttribute('aria-label') ?? (button.textContent ?? '').trim(),
        disabled: button.matches(':disabled'),
        filter: button.classList.contains('chip'),
      })),
    );
  return found.filter(({ name, filter }) => !filter && ORDERS.test(name));
}

const PAGES: { name: string; route: string; ready: string; orders: string[] }[] = [
  {
    name: 'a diff',
    route: `${SHOP}/f/home/kim/shop/src/cart/cart.ts`,
    ready: '@@ -1,15 +1,13 @@',
    orders: ['Commit…', 'Discard…', 'Viewed'],
  },
  {
    name: 'a call',
    route: `${SHOP}/call/c03`,
    ready: 'Wrote 1 entry',
    orders: ['Commit what this call wrote…', 'Discard what this call wrote…'],
  },
  { name: 'the details', route: `${SHOP}/details`, ready: 'Running now', orders: ['End all'] },
  { name: 'a discard to undo', route: '/s/tidied', ready: 'Discarded 12', orders: ['Undo discard'] },
];

for (const { name, route, ready, orders } of PAGES) {
  test(`without a server nothing can be ordered on ${name}, and all of it stays readable`, async ({
    watched: page,
  }) => {
    await open(page, route);
    await expect(page.getByText(ready).first()).toBeVisible();
    await expect
      .poll(async () => (await ordersOn(page)).map((one) => one.name))
      .toEqual(expect.arrayContaining(orders));
    await page.evaluate(() => window.traiFake.setStatus('offline'));
    await expect(page.getByRole('alert').first()).toContainText('Server stopped');
    expect((await ordersOn(page)).filter(({ disabled }) => !disabled)).toEqual([]);
    await expect(page.getByText(ready).first()).toBeVisible();
    await page.evaluate(() => window.traiFake.setStatus('connected'));
    await expect(page.getByText('Server stopped')).toHaveCount(0);
    await expect
      .poll(async () =>
        (await ordersOn(page)).filter(({ name: one, disabled }) => orders.includes(one) && disabled),
      )
      .toEqual([]);
  });
}

test('a mark by key is not taken for made', async ({ watched: page }) => {
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  await expect(page.getByText('@@ -1,15 +1,13 @@')).toBeVisible();
  await page.evaluate(() => window.traiFake.setStatus('offline'));
  await page.keyboard.press('v');
  await expect(page.getByText('Not marked: the server does not answer.')).toBeVisible();
});

for (const by of ['by itself', 'when asked to try']) {
  test(`what was missed is fetched when the server is back ${by}`, async ({ watched: page }) => {
    await open(page, `${SHOP}/calls`);
    await expect(page.getByRole('option').first()).toBeVisible();
    await page.evaluate(() => {
      const { traiFake } = window;
      traiFake.setStatus('offline');
      // Nobody is told of either.
      traiFake.endCall('shop-discounts', 'c08', 'npm run missed');
      traiFake.setEntries('shop-discounts', (entries) => entries.slice(0, 5));
    });
    await expect(page.getByRole('alert').first()).toContainText('Server stopped');
    await expect(page.getByRole('option').filter({ hasText: 'npm run dev' })).toContainText('running');
    if (by === 'by itself') await page.evaluate(() => window.traiFake.setStatus('connected'));
    else {
      await page.evaluate(() => window.traiFake.revive());
      await page.getByRole('button', { name: 'Try now' }).click();
    }
    await expect(page.getByRole('button', { name: '1 new call – show' })).toBeVisible();
    await expect(page.getByRole('option').filter({ hasText: 'npm run dev' })).toContainText('exit 0');
    await page.getByRole('link', { name: /^Changes/ }).click();
    await expect(page.getByRole('button', { name: /changes? – refresh$/ })).toBeVisible();
  });
}

test('what came about before the stream was there is in the list once it is', async ({ watched: page }) => {
  await open(page, '/');
  const card = page.locator('.session-card').filter({ hasText: 'shop-discounts' });
  await expect(card).toContainText('live');
  await page.evaluate(() => {
    const { traiFake } = window;
    traiFake.setStatus('connecting');
    // Nobody is told of it.
    traiFake.endClient('shop-discounts');
    traiFake.setStatus('connected');
  });
  await expect(card).toContainText('ended');
});

test('deep links lead to session, file, line, call and page, and back again', async ({ watched: page }) => {
  const routes: [string, string][] = [
    ['/s/shop-discounts', 'Choose a file'],
    [`${SHOP}/f/home/kim/shop/src/cart/cart.ts?line=7`, '@@ -1,15 +1,13 @@'],
    [`${SHOP}/call/c04`, 'AssertionError'],
    [`${SHOP}/call/prompt-1`, 'Write a test first.'],
    [`${SHOP}/history`, 'Each commit, discard and undo'],
    [`${SHOP}/details`, 'Where writes go'],
  ];
  await open(page, '/');
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  for (const [route, text] of routes) {
    await page.evaluate((to) => {
      location.hash = to;
    }, route);
    await expect(page.getByText(text).first()).toBeVisible();
  }
  for (const [route, text] of routes.slice(0, -1).toReversed()) {
    await page.goBack();
    expect(new URL(page.url()).hash).toBe(`#${route}`);
    await expect(page.getByText(text).first()).toBeVisible();
  }
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
});

test('a hidden tab asks for nothing by itself, and looks again when it is shown', async ({
  watched: page,
}) => {
  await page.clock.install();
  await open(page, '/s/shop-discounts/details');
  await expect(page.getByRole('table').filter({ hasText: 'Listens on' })).toBeVisible();
  await page.evaluate(() => {
    const { traiFake } = window;
    const asked: string[] = [];
    for (const name of ['sessions', 'session', 'seen'] as const) {
      const answer = traiFake[name] as (...words: unknown[]) => Promise<unknown>;
      Object.assign(traiFake, {
        [name]: async (...words: unknown[]) => {
          asked.push(name);
          return await answer(...words);
        },
      });
    }
    Object.assign(window, { asked });
  });
  const asked = () => page.evaluate(() => (window as unknown as { asked: string[] }).asked.splice(0).sort());
  const show = (visibilityState: DocumentVisibilityState) =>
    page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
      Object.defineProperty(document, 'hidden', { configurable: true, value: state === 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    }, visibilityState);
  const all = ['seen', 'session', 'sessions'];
  await page.clock.fastForward(31_000);
  await expect.poll(asked).toEqual(all);
  await show('hidden');
  await page.clock.fastForward(31_000);
  await page.clock.fastForward(31_000);
  expect(await asked()).toEqual([]);
  await show('visible');
  await expect.poll(asked).toEqual(all);
  await page.clock.fastForward(31_000);
  await expect.poll(asked).toEqual(all);
});
