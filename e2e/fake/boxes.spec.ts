/** The pages of boxes: what one sees and how it is ended; what boxes of all projects keep and how that is collected. */
import type { Page } from '@playwright/test';
import { expect, layoutShift, open, test } from './page.ts';

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Fails where a mouse is used, or a key leads nowhere. */
async function tabTo(page: Page, role: 'link' | 'button' | 'checkbox', name: RegExp | string): Promise<void> {
  const wanted = page.getByRole(role, { name }).first();
  for (let presses = 0; presses < 80; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`expected Tab to reach ${name}`);
}

test('the badge on the card and the link in the head lead to what the box sees', async ({
  watched: page,
}) => {
  await open(page, '/', 'boxes');
  const card = page.locator('.session-card', { has: page.getByRole('link', { name: 'boxed' }) });
  await card.getByRole('link', { name: 'box', exact: true }).click();
  await expect(page).toHaveURL(/#\/s\/boxed\/box$/);
  await expect(group(page, 'Writes to your machine')).toContainText('/run/docker.sock');
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('link', { name: 'boxed' }).click();
  await page.locator('.session-head').getByRole('link', { name: 'box', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Box', exact: true })).toHaveAttribute('aria-current', 'page');
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
});

test('rows are grouped by how they can be written; a filter finds by path and reason', async ({
  watched: page,
}) => {
  await open(page, '/s/boxed/box', 'boxes');
  const titles = page.locator('.box-group').getByRole('heading', { level: 3 });
  await expect(titles).toHaveText([
    ...[
      'Writes to your machine 1',
      'Pending 2',
      'Kept 8',
      'Read-only 11',
      'Hidden 1',
      'Temporary 4',
      'Its own 2',
    ],
  ]);
  await expect(page.getByText('The box can write 1 place of this machine directly:')).toBeVisible();
  await expect(group(page, 'Kept').getByRole('row').nth(1)).toContainText('cache/xdg');
  await page.keyboard.press('/');
  await page.keyboard.type('DOCKER');
  await expect(titles).toHaveText(['Writes to your machine 1']);
  await page.keyboard.press('Escape');
  await expect(titles).toHaveCount(7);
});

test('state, network with its log, variables and instance are said', async ({ watched: page }) => {
  await open(page, '/s/boxed/box', 'boxes');
  const fact = (name: string) =>
    page.locator('.fact-list > div').filter({ has: page.locator('dt').getByText(name, { exact: true }) });
  await expect(fact('State')).toContainText('running');
  await expect(fact('Network')).toContainText(
    'only listed hosts – 7 listed now: preset:anthropic (5 hosts), *.npmjs.org, [2606:4700::1111]:443; 1 always refused',
  );
  await expect(page.locator('.box-hosts')).toContainText('[2606:4700::1111]:443');
  await expect(fact('Keeps').getByRole('link', { name: 'all boxes' })).toHaveAttribute('href', '#/boxes');
  await expect(fact('Started by').getByRole('link')).toHaveText('trai box');
  const row = page.getByRole('row').filter({ hasText: 'pastebin' });
  await expect(row).toContainText('pastebin\\u{202e}.example ⏎ :8443');
  await expect(row).toContainText('refused');
  await expect(page.getByRole('list', { name: 'Variables' }).getByRole('listitem').first()).toHaveText(
    'ANTHROPIC_API_KEY',
  );
  await open(page, '/s/cut-off/box', 'boxes');
  await page.reload();
  await expect(fact('State')).toContainText('ended');
  await expect(fact('Keeps')).toContainText('what it kept is gone');
  await expect(page.getByText('The box had no network.')).toBeVisible();
  await expect(page.locator('.box-hosts')).toHaveCount(0);
});

test('a row of the processes stands on one line, and the red frame has no line of its own at its end', async ({
  watched: page,
}) => {
  await open(page, '/s/boxed/box', 'boxes');
  const row = page.locator('.running tbody tr').first();
  const middle = async (part: string) =>
    await row.locator(part).evaluate((one) => {
      const { top, height } = one.getBoundingClientRect();
      return top + height / 2;
    });
  expect(Math.abs((await middle('.why-call code')) - (await middle('button')))).toBeLessThan(2);
  await expect(page.locator('.box-group-host tr').last().locator('td').first()).toHaveCSS(
    'border-bottom-width',
    '0px',
  );
});

test('ending the box names what ends, wants a second step, and ends nothing else', async ({
  watched: page,
}) => {
  await open(page, '/s/boxed/box', 'boxes');
  await tabTo(page, 'button', 'End the box');
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('region', { name: 'End the box' });
  await expect(confirm).toBeFocused();
  await expect(confirm).toContainText('Sends SIGTERM to 3 processes of the box');
  await expect(confirm.getByRole('listitem')).toHaveCount(3);
  await expect(confirm).toContainText('node watch.js');
  expect(await page.evaluate(() => window.traiFake.orders)).toEqual([]);
  await tabTo(page, 'button', 'Cancel');
  await page.keyboard.press('Enter');
  await expect(confirm).toHaveCount(0);
  await expect(page.locator('.actions:focus')).toContainText('End the box');
  const others = page.locator('table.running').getByRole('button');
  for (const one of [others.first(), others.last()]) {
    await one.click();
    const name = (await one.getAttribute('aria-label')) ?? '';
    await expect(page.getByRole('region', { name })).toBeFocused();
  }
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'End the box' }).click();
  await confirm.getByRole('button', { name: 'End the box' }).click();
  await expect(page.locator('.fact-list')).toContainText('ended');
  const [order] = (await page.evaluate(() => window.traiFake.orders)) as [
    { endProcesses: string; processes: object[] },
  ];
  expect(order.endProcesses).toBe('boxed');
  expect(order.processes).toHaveLength(3);
  await expect(page.getByRole('button', { name: 'End the box' })).toHaveCount(0);
});

test('an ended box is spoken of as one that has ended', async ({ watched: page }) => {
  await open(page, '/s/odd-box/box', 'boxes');
  await expect(page.getByText('The box could write 6 places of this machine directly:')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What it saw' })).toBeVisible();
  await expect(page.getByText('What the box wrote here was in your files directly')).toBeVisible();
  await expect(page.locator('.page')).not.toContainText(/The box (sees|finds|has|can)\b|is in your files/);
});

test('a session that is in no box says what a box is', async ({ watched: page }) => {
  await open(page, '/s/plain/box', 'boxes');
  await expect(page.getByText('it sees only the part of this machine that it was given')).toBeVisible();
  await expect(page.getByText('This session never ran in one.')).toBeVisible();
  await open(page, '/s/left-box/box', 'boxes');
  await expect(page.getByText('An earlier client of this session ran in one')).toBeVisible();
});

test('a box whose record is damaged is not said to be none', async ({ watched: page }) => {
  await open(page, '/', 'boxes');
  await expect(page.locator('.session-card').first()).toBeVisible();
  await page.evaluate(() => {
    const { traiFake } = window;
    const { box } = traiFake;
    traiFake.box = async (...asked) => ({ ...(await box(...asked)), record: null });
    window.location.hash = '#/s/boxed/box';
  });
  await expect(page.getByText('box.json of this session is damaged')).toBeVisible();
  await expect(page.getByText('Not in a box')).toHaveCount(0);
});

test('odd names are shown for what they are, and 500 rows are there on request', async ({
  watched: page,
}) => {
  await open(page, '/s/odd-box/box', 'boxes');
  const cells = group(page, 'Writes to your machine').locator('.box-to');
  await expect(cells).toHaveText([
    ...['/srv/two\\nlines', '/srv/invoice\\u{202e}gpj.exe', '/srv/zero\\u{200b}width'],
    ...['/srv/<img src=x onerror=alert(1)>', `/srv/${'n'.repeat(300)}`, '/srv/\\xff\\xfe'],
  ]);
  await expect(page.getByRole('list', { name: 'Variables' })).toContainText('SECRET\\u{202e}');
  const text = await page.locator('main').textContent();
  expect(text).not.toMatch(/[\u200b-\u200f\u202a-\u202e]/);
  await expect(page.locator('main :is(img, b)')).toHaveCount(0);
  const rows = group(page, 'Read-only').getByRole('row');
  await expect(rows).toHaveCount(13);
  await page.getByRole('button', { name: 'Show 488 more rows' }).click();
  await expect(rows).toHaveCount(501);
  await expect(rows.nth(13)).toBeFocused();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(wide).toBe(true);
});

test('the sessions lead to the boxes only where there are any', async ({ watched: page }) => {
  await open(page, '/');
  await expect(page.getByText('5 sessions')).toBeVisible();
  await expect(page.getByRole('link', { name: /boxes$/ })).toHaveCount(0);
  await page.goto('about:blank');
  await open(page, '/', 'boxes');
  await page.getByRole('link', { name: '6 boxes' }).click();
  await expect(page.getByRole('heading', { name: 'Boxes' })).toBeVisible();
  await page.goto('about:blank');
  await open(page, '/', 'boxes');
  await expect(page.getByText('5 sessions')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await expect(page).toHaveURL(/#\/boxes$/);
});

test('what would be collected is shown first; exactly what is chosen goes, and what brings it back is said', async ({
  watched: page,
}) => {
  await open(page, '/boxes', 'boxes');
  const list = page.getByRole('list', { name: 'What would be collected' });
  await expect(list.getByRole('checkbox')).toHaveCount(2);
  await expect(list).toContainText('/home/kim/spike\\nnext\\u{202e}');
  const row = page.getByRole('row').filter({ hasText: '/home/kim/old-shop' });
  await expect(row.getByRole('link')).toHaveText(['old-1', 'old-2', 'old-3']);
  await row.getByRole('button', { name: '2 more' }).click();
  await expect(row.getByRole('link')).toHaveCount(5);
  await expect(row.getByRole('link', { name: 'old-4' })).toBeFocused();
  await expect(row.getByRole('link', { name: 'old-4' })).toHaveAttribute('href', '#/s/old-4/box');
  await expect(page.getByRole('row').filter({ hasText: '/mnt/disk/p' })).toContainText(
    'a disk that is not mounted?',
  );
  await list.getByRole('checkbox').nth(1).uncheck();
  await tabTo(page, 'button', /^Move 1 box to the trash/);
  await page.keyboard.press('Enter');
  const report = page.getByRole('status').filter({ hasText: 'Moved 1 box' });
  await expect(report).toContainText(/mv -T \S+\/trash\/box\.[0-9a-f]{16}\.\d+ \S+\/box\/[0-9a-f]{16}/);
  await expect(list.getByRole('checkbox')).toHaveCount(1);
  await expect(page.getByRole('row').filter({ hasText: '/home/kim/old-shop' })).toHaveCount(0);
  const orders = (await page.evaluate(() => window.traiFake.orders)) as { collectBoxes: string[] }[];
  expect(orders.map(({ collectBoxes }) => collectBoxes.length)).toEqual([1]);
});

test('500 boxes are a page of some, the rest on request, and found by project', async ({ watched: page }) => {
  await open(page, '/boxes', 'boxes-many');
  const rows = page.locator('.box-table').getByRole('row');
  await expect(rows).toHaveCount(31);
  await page.getByRole('button', { name: 'Show 476 more boxes' }).click();
  await expect(rows).toHaveCount(507);
  await page.keyboard.press('/');
  await page.keyboard.type('p499');
  await expect(rows).toHaveCount(2);
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
});

test('what a running box does is shown as it is now, without an event', async ({ watched: page }) => {
  await page.clock.install();
  await open(page, '/s/boxed/box', 'boxes');
  const row = page.locator('.box-hosts').getByRole('row').filter({ hasText: 'late.example' });
  await expect(page.locator('.box-hosts')).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.evaluate(() => {
    const { traiFake } = window;
    const [session, box] = [traiFake.session, traiFake.box];
    traiFake.session = async (...asked) => {
      const found = await session(...asked);
      return { ...found, processes: [...found.processes, ...found.processes.slice(-1)] };
    };
    traiFake.box = async (...asked) => {
      const found = await box(...asked);
      const [host] = found.hosts ?? [];
      return { ...found, hosts: host === undefined ? [] : [{ ...host, host: 'late.example' }] };
    };
  });
  const running = page.locator('.session-head').getByText(/\d+ process(es)? running/);
  const before = Number.parseInt((await running.textContent()) ?? '', 10);
  await page.clock.fastForward(31_000);
  await expect(row).toHaveCount(1);
  await expect(running).toContainText(`${before + 1} processes`);
});

test('a card names trai exec only where a session was started by it', async ({ watched: page }) => {
  await open(page, '/', 'boxes');
  const cards = page.locator('.session-card');
  await expect(cards.first()).toBeVisible();
  // As after `trai box --shell`, in which no hook tells of a client.
  await page.evaluate(() => {
    const { traiFake } = window;
    const { sessions } = traiFake;
    traiFake.sessions = async (...asked) =>
      (await sessions(...asked)).map((one) => ({ ...one, client: 'none', calls: 77 }));
    traiFake.emit({ type: 'sessions' });
  });
  const boxed = cards.filter({ has: page.getByRole('link', { name: 'box', exact: true }) });
  await expect(boxed.first()).toContainText('77 calls');
  await expect(boxed.getByText('trai exec')).toHaveCount(0);
  await expect(cards.getByText('trai exec').first()).toBeVisible();
});

test('what is below thousands of processes and hosts is in sight', async ({ watched: page }) => {
  await open(page, '/', 'boxes');
  await expect(page.locator('.session-card').first()).toBeVisible();
  await page.evaluate(() => {
    const { traiFake } = window;
    const { box } = traiFake;
    traiFake.box = async (...asked) => {
      const found = await box(...asked);
      const [process, host] = [found.processes[0], found.hosts?.[0]];
      const of = <T extends object>(one: T | undefined, name: string, count: number): T[] =>
        Array.from({ length: count }, (_, i) => ({ ...one, [name]: `${i}` }) as T);
      return { ...found, processes: of(process, 'start', 5_000), hosts: of(host, 'host', 1_000) };
    };
    window.location.hash = '#/s/boxed/box';
  });
  await expect(page.locator('.box-hosts tbody tr')).toHaveCount(30);
  await expect(page.locator('table.running tbody tr')).toHaveCount(30);
  await page.getByRole('button', { name: 'End the box' }).click();
  const confirm = page.getByRole('region', { name: 'End the box' });
  await expect(confirm).toContainText('Sends SIGTERM to 5,000 processes of the box');
  const named = confirm.getByRole('listitem');
  await expect(named).toHaveCount(30);
  await confirm.getByRole('button', { name: 'Show 4,970 more processes' }).press('Enter');
  await expect(named).toHaveCount(5_000);
  await expect(named.nth(30)).toBeFocused();
  const hosts = page.locator('.box-hosts tbody tr');
  await page.getByRole('button', { name: 'Show 970 more hosts' }).press('Enter');
  await expect(hosts).toHaveCount(1_000);
  await expect(hosts.nth(30)).toBeFocused();
});
