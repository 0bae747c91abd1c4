/** The pages around a session: the list of sessions, the doctor; and every page in a small window. */
import { expect, layoutShift, open, test } from './page.ts';

test('sessions that nobody works in any more and that have changes stand out', async ({ watched: page }) => {
  await open(page, '/', 'several');
  const card = page.locator('.session-card', { has: page.getByRole('link', { name: 'hotfix' }) });
  await expect(card.getByText('to review')).toBeVisible();
  await expect(card).toContainText('hotfix/rounding');
  await expect(card).toContainText('worktree hotfix');
  // What of its client is in the session.
  await expect(card.getByText('box', { exact: true })).toBeVisible();
  await expect(page.locator('.session-card').getByText('plugin', { exact: true }).first()).toBeVisible();
  await expect(card).toContainText('7 paths also pending in discounts');
  await expect(page.getByText('to review', { exact: true })).toHaveCount(1);
  await page.getByText('To review 1').click();
  await expect(page.locator('.session-card')).toHaveCount(1);
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
});

test('search finds by branch and id; sessions with nothing to do are folded and found all the same', async ({
  watched: page,
}) => {
  await open(page, '/', 'many');
  const cards = page.locator('.session-card');
  await expect(page.getByRole('button', { name: /more sessions with nothing pending/ })).toHaveCount(2);
  const first = await cards.count();
  await page
    .getByRole('button', { name: /more sessions with nothing pending/ })
    .first()
    .click();
  await expect.poll(async () => await cards.count()).toBeGreaterThan(first);
  await expect(page.locator('.card-link:focus')).toHaveCount(1);
  await page.keyboard.press('/');
  await page.keyboard.type('TOPIC-37');
  await expect(cards).toHaveCount(1);
  await expect(page.getByRole('link', { name: 's-37' })).toBeVisible();
  await page.keyboard.type('x');
  await expect(page.getByText('No matches')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await expect(page.getByRole('link', { name: 's-00' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: 's-00' })).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: 's-03' })).toBeFocused();
});

test('the doctor says what is wrong, what to do, and what of the config could not be used', async ({
  watched: page,
}) => {
  await open(page, '/doctor', 'sick');
  await expect(page.getByText('The sandbox cannot be entered here.')).toBeVisible();
  const check = (id: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(id, { exact: true }) });
  const failed = check('namespaces');
  await expect(failed).toContainText('FAIL');
  // A box is not needed for the rest.
  await expect(check('bwrap')).toContainText('ok');
  await expect(check('nested')).toContainText('note');
  await expect(check('nested')).toContainText('user.max_user_namespaces=15000');
  await expect(check('terminal')).toContainText('TIOCSTI');
  await expect(failed).toContainText('sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0');
  await expect(page.getByText('scratch[0]: expected an absolute directory')).toBeVisible();
  const changed = page.getByRole('row').filter({ hasText: 'undo.keepDays' });
  await expect(changed).toContainText('30');
  await expect(changed).toContainText('changed');
});

test('the doctor looks at the project of a session, and can be asked again', async ({ watched: page }) => {
  await open(page, '/');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page.getByText('The sandbox works here.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Check' }).selectOption('shop-discounts');
  await expect(page.getByRole('row').filter({ hasText: 'on purpose' })).toContainText('written directly');
  await expect(page.getByText('12 files of the project belong to other users')).toBeVisible();
  await page.evaluate(() => window.traiFake.failNext('doctor', { code: 'io', message: 'no answer' }));
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('alert')).toContainText('no answer');
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('what can be removed is shown first, and exactly what is chosen of it goes', async ({
  watched: page,
}) => {
  await open(page, '/disk');
  await expect(page.getByRole('row').filter({ hasText: 'shop-discounts' })).toBeVisible();
  await page.getByRole('button', { name: 'Show what can be removed' }).click();
  const items = page.getByRole('list', { name: 'What can be removed' }).getByRole('checkbox');
  await expect(items).toHaveCount(2);
  await items.first().uncheck();
  await page.getByRole('button', { name: /^Remove 1 item/ }).click();
  await expect(page.getByText(/^Removed 1 item/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Show what can be removed' }).click();
  await expect(items).toHaveCount(1);
  await items.first().uncheck();
  await expect(page.getByRole('button', { name: /^Remove 0 items/ })).toBeDisabled();
});

test('a session whose disk use could not be counted is named, with what to do', async ({ watched: page }) => {
  await open(page, '/disk', 'sick');
  await page.getByText('1 session could not be read').click();
  const item = page.getByRole('listitem').filter({ hasText: 'shop-damaged' });
  await expect(item).toContainText('(/state/sessions/shop-damaged/meta.json). Put the file right');
  await open(page, '/disk');
  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: 'shop-discounts' })).toBeVisible();
  await expect(page.getByText('could not be read')).toHaveCount(0);
});

test('the tab has the name of what it shows, and how many questions wait', async ({ watched: page }) => {
  await open(page, '/doctor');
  await expect(page).toHaveTitle('Doctor – trai');
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  await expect(page).toHaveTitle('cart.ts – shop-discounts – trai');
  await open(page, '/', 'questions');
  await expect(page).toHaveTitle('(4) Sessions – trai');
  await open(page, '/', 'unauthorised');
  await expect(page).toHaveTitle('Sign in this tab – trai');
});

test('what is empty says how it fills, with commands that work, and what holds now', async ({
  watched: page,
}) => {
  await open(page, '/', 'empty');
  await expect(page.getByText('trai claude', { exact: true })).toBeVisible();
  // Without a name it wants a session that is there.
  await expect(page.getByText('trai exec --session NAME -- make', { exact: true })).toBeVisible();
  await open(page, '/questions');
  await page.reload();
  await expect(page.getByRole('main')).toContainText('No open questions');
  await expect(page.getByText('trai answer', { exact: true })).toBeVisible();
  await open(page, SHOP);
  await expect(page.getByText('Nothing of this is in your files yet')).toBeVisible();
  await open(page, '/s/nested');
  await expect(page.getByText('write your files directly: none of that is listed here.')).toBeVisible();
  await expect(page.getByText('before it reaches your files')).toHaveCount(0);
});

test('at 700 pixels, where rows are blocks, each part of a row says what it is', async ({
  watched: page,
}) => {
  await page.setViewportSize({ width: 700, height: 900 });
  const parts = async (text: string) => {
    const row = page.getByRole('row', { name: text });
    await expect(row).toBeVisible();
    return await row.getByRole('cell').evaluateAll((cells) =>
      cells.map((cell) => {
        const { content } = getComputedStyle(cell, '::before');
        const title = content === 'none' ? '' : (cell.getAttribute('data-title') ?? '');
        return `${title} ${cell.textContent}`.trim();
      }),
    );
  };
  await open(page, `${SHOP}/details`);
  const process = ['PID 48219', 'esbuild --service=0.25.1 --ping', 'Runs for 5 min 11 s'];
  expect(await parts('esbuild')).toEqual([...process, 'Started by not known', 'End']);
  await open(page, '/rules');
  expect(await parts('^rm')).toEqual(
    expect.arrayContaining(['Hits 12', expect.stringMatching(/^Last \d+ d ago$/)]),
  );
  await open(page, '/boxes', 'boxes');
  expect(await parts('/mnt/disk/p')).toEqual(
    expect.arrayContaining(['Sessions none left', 'Last use 6 d ago']),
  );
});

const SHOP = '/s/shop-discounts';
const PAGES = [
  { route: '/', ready: 'shop-docs' },
  { route: '/doctor/shop-discounts', ready: 'written directly' },
  { route: '/disk', ready: 'Make room' },
  { route: '/boxes', ready: 'No boxes yet' },
  { route: '/settings', ready: 'Single-letter shortcuts' },
  { route: SHOP, ready: 'cart.ts' },
  { route: `${SHOP}/f/home/kim/shop/src/cart/cart.ts`, ready: 'cart.ts' },
  { route: `${SHOP}/calls`, ready: 'npm' },
  { route: `${SHOP}/call/c04`, ready: 'AssertionError' },
  { route: `${SHOP}/details`, ready: 'Where writes go' },
];

test('in a narrow window a link leads from a file back to the list, and an order of the history is in sight', async ({
  watched: page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page, `${SHOP}/f/home/kim/shop/src/cart/cart.ts`);
  await expect(page.getByRole('tree')).toBeHidden();
  await page.getByRole('link', { name: 'All files' }).click();
  await expect(page.getByRole('tree')).toBeVisible();
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByRole('button', { name: 'Keep host' }).first().click();
  await page.getByRole('button', { name: /^Commit \d/ }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'History' }).first().click();
  const undo = page.getByRole('button', { name: 'Undo commit' });
  await expect(undo).toBeInViewport({ ratio: 1 });
});

// 640 x 400 is a window of 1280 x 800 at 200 %.
for (const [width, height] of [
  [1024, 768],
  [640, 400],
  [390, 800],
] as const) {
  test(`every page can be used ${width} pixels wide: nothing is cut off at its side`, async ({
    watched: page,
  }) => {
    await page.setViewportSize({ width, height });
    for (const { route, ready } of PAGES) {
      await test.step(route, async () => {
        await open(page, route);
        await expect(page.getByText(ready).filter({ visible: true }).first()).toBeVisible();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(wide, 'pixels that stick out').toBeLessThanOrEqual(0);
        const outside = await page.evaluate(() =>
          [...document.querySelectorAll('button, a, select, input')]
            .filter((one) => {
              const box = one.getBoundingClientRect();
              if (box.width === 0 || one.closest('.tabs, .diff, [role=tree], .sr-only') !== null)
                return false;
              return one.checkVisibility() && box.right > window.innerWidth + 1;
            })
            .map((one) => one.outerHTML.slice(0, 120)),
        );
        expect(outside, 'controls beyond the right edge').toEqual([]);
      });
    }
  });
}

test('a session that is not there is said once, with the way to those that are', async ({
  watched: page,
}) => {
  await open(page, '/s/nothing');
  await expect(page.getByText('There is no session nothing')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'All sessions' }).click();
  await expect(page.getByRole('link', { name: 'shop-discounts' })).toBeVisible();
});

test('what runs stands first among the details, and can be read in a narrow window', async ({
  watched: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/s/shop-discounts/details');
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText('Running now');
  const command = page.getByRole('row', { name: /48211/ }).getByRole('link');
  await expect(command).toContainText('nohup node watch.js & disown');
  // 27 characters: two lines, not one of each few letters.
  expect((await command.boundingBox())?.height).toBeLessThan(45);
  for (const row of await page.locator('.running tbody tr').all()) {
    const cells = await row.boundingBox();
    const end = await row.getByRole('button', { name: /^End/ }).boundingBox();
    const before = await row.getByRole('cell').nth(-2).boundingBox();
    if (cells === null || end === null || before === null) throw new Error('not shown');
    expect(cells.x + cells.width - end.x - end.width, 'from the right edge').toBeLessThan(2);
    expect(end.y, 'beside what is named before it').toBeLessThan(before.y + before.height);
  }
});

test('the head of the page covers nothing of its own', async ({ watched: page }) => {
  const boxOf = (selector: string) =>
    page.locator(selector).evaluate((one) => {
      const { left, right } = one.getBoundingClientRect();
      return { left, right };
    });
  await open(page, '/questions', 'questions');
  await expect(page.locator('.page-count')).toBeVisible();
  const count = await boxOf('.page-count');
  const name = await boxOf('.top-page:has(.page-count) .top-page-name');
  expect(count.left, 'the count beside the name').toBeGreaterThan(name.right - 2);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/s/shop-discounts');
  await expect(page.locator('.session-head')).toBeVisible();
  const dot = await boxOf('.status-dot');
  const rights = await page
    .locator('.crumbs > *')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  expect(Math.max(...rights)).toBeLessThan(dot.left);
});

test('the list of keys has one column in a narrow window, and three in a wide one, where all of it is in sight', async ({
  watched: page,
}) => {
  await open(page, '/s/shop-discounts');
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.keyboard.press('?');
  const lefts = () =>
    page
      .locator('.help-body h3')
      .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().left)).size);
  expect(await lefts()).toBe(3);
  await expect(page.getByText('Commit and discard have no key on purpose.')).toBeInViewport();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await lefts()).toBe(1);
});

// Two classes of one element may disagree about its `display`: no other test notices a row that became a column.
test('every checkbox stands before its words, on their first line', async ({ watched: page }) => {
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const places: [string, RegExp, () => Promise<unknown>][] = [
    [SHOP, /List \d+ ignored/, () => press('Filter and sort')],
    [SHOP, /Also commit \d+ ignored/, () => press('Commit…')],
    [SHOP, /End these 2 processes/, () => press('Discard…')],
    [`${SHOP}/calls`, /Prompts/, async () => {}],
    ['/disk', /shop-discounts/, () => press('Show what can be removed')],
    ['/', /Single-letter shortcuts are on/, () => press('Keyboard shortcuts')],
  ];
  for (const [route, words, act] of places)
    await test.step(words.source, async () => {
      await open(page, route);
      await act();
      const labels = page.locator('label:has(input[type=checkbox])').filter({ visible: true });
      await expect(labels.filter({ hasText: words }).first()).toBeVisible();
      const misplaced = await labels.evaluateAll((all) =>
        all.flatMap((label) => {
          const text = document.createTreeWalker(label, NodeFilter.SHOW_TEXT).nextNode();
          const range = document.createRange();
          if (text !== null) range.selectNodeContents(text);
          const [line] = range.getClientRects();
          const {
            top = 0,
            bottom = 0,
            right = 0,
          } = label.querySelector('input')?.getBoundingClientRect() ?? {};
          const middle = (top + bottom) / 2;
          const isBeside =
            line !== undefined && right <= line.left && line.top < middle && middle < line.bottom;
          return isBeside ? [] : [label.textContent];
        }),
      );
      expect(misplaced).toEqual([]);
    });
});

test('each kind of change has a colour of its own in the filter', async ({ watched: page }) => {
  await open(page, '/s/shop-discounts');
  for (const kind of ['added', 'modified', 'deleted', 'replaced', 'meta']) {
    const chip = page.locator(`.chip.tone-${kind}:not(.chip-toned)`);
    await chip.click();
    await expect(chip).toHaveAttribute('aria-pressed', 'true');
    const { has, wanted } = await chip.evaluate((shown, name) => {
      const sample = document.createElement('i');
      sample.style.background = `var(--${name}-soft)`;
      document.body.append(sample);
      const colour = (of: Element): string => getComputedStyle(of).backgroundColor;
      return { has: colour(shown), wanted: colour(sample) };
    }, kind);
    expect(has, kind).toBe(wanted);
  }
});
