/** axe on every page of the real server, in both themes; and the main job without a mouse. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { OF_COLOURS, violations } from '../axe.ts';
import { confirmDiscard, openCommit, openSession, row } from './support/dashboard.ts';
import { expect, signIn, test } from './support/fixtures.ts';
import { exec, stopServer } from './support/place.ts';

async function check(page: Page, what: string): Promise<void> {
  await test.step(what, async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await violations(page), what).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, OF_COLOURS), `${what}, dark`).toEqual([]);
  });
}

test('axe finds nothing on any page', async ({ place, startClient, page, watch }) => {
  test.setTimeout(180_000);
  await watch(page);
  writeFileSync(path.join(place.project, 'a'), 'old\nsame\n');
  writeFileSync(path.join(place.project, 'b'), 'old\n');
  await signIn(page, place);
  await check(page, 'no sessions');

  const client = await startClient();
  await client.bash(
    'echo new > a; echo same >> a; echo new > b; chmod 755 b; ln -s a link; printf "\\0\\1" > binary',
  );
  await client.bash('echo fails >&2; exit 3');
  await client.bash('mkdir -p ~/.cache/x; echo i > ~/.cache/x/i');
  writeFileSync(path.join(place.project, 'b'), 'host\n');
  await page.goto(new URL('/#/', page.url()).href);
  await expect(page.getByRole('link', { name: client.id })).toBeVisible();
  await check(page, 'sessions');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await check(page, 'help');
  await page.keyboard.press('Escape');

  await openSession(page, client.id);
  await expect(row(page, 'a')).toBeVisible();
  await check(page, 'changes');
  for (const name of ['a', 'b', 'link', 'binary']) {
    await row(page, name).click();
    await expect(page.locator('.diff-name')).toHaveText(name);
    await check(page, `the change of ${name}`);
  }
  await row(page, 'a').click();
  await page.getByText('Split', { exact: true }).click();
  await expect(page.locator('table.diff-split')).toBeVisible();
  await check(page, 'side by side');

  await page.getByRole('link', { name: /^Timeline/ }).click();
  await page.getByRole('option').filter({ hasText: 'exit 3' }).click();
  await expect(page.getByRole('article', { name: 'Call' })).toBeVisible();
  await check(page, 'a call');
  await page.getByRole('link', { name: 'Details' }).click();
  await expect(page.getByText('Where writes go')).toBeVisible();
  await check(page, 'details');

  const sheet = await openCommit(page);
  await check(page, 'the commit panel with a conflict');
  await sheet.getByRole('button', { name: 'Take sandbox' }).first().click();
  await sheet.getByRole('button', { name: /^Commit \d/ }).click();
  await expect(page.getByRole('dialog', { name: 'Commit report' })).toBeVisible();
  await check(page, 'the commit report');
  await page.getByRole('button', { name: 'Done' }).click();

  await client.bash('echo more > more');
  await openSession(page, client.id);
  await page.getByRole('button', { name: 'Discard…' }).click();
  await expect(page.getByRole('textbox', { name: /to confirm/ })).toBeVisible();
  await check(page, 'the discard panel');
  await confirmDiscard(page);
  await expect(page.getByRole('button', { name: 'Undo discard' })).toBeVisible();
  await check(page, 'undo');

  await stopServer(place, 'SIGKILL');
  await expect(page.getByRole('alert').first()).toContainText('Server stopped');
  await check(page, 'offline');
  await signIn(page, place);
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page.getByRole('button', { name: 'Sign in with a code' }).click();
  await expect(page.locator('.pair-command')).toBeVisible();
  await check(page, 'pairing');
});

/** Presses Tab until the wanted element has the focus. */
async function tabTo(
  page: Page,
  name: RegExp,
  role: 'button' | 'link' | 'treeitem' | 'textbox',
): Promise<void> {
  const wanted = page.getByRole(role, { name }).first();
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`expected Tab to reach ${name}, 60 presses did not`);
}

test('from the list of sessions to a committed one without the mouse', async ({ place, dashboard: page }) => {
  writeFileSync(path.join(place.project, 'edited'), 'old\n');
  await exec(place, 'by-keyboard', 'echo new > edited; echo x > made');
  await page.goto(new URL('/#/', page.url()).href);
  await expect(page.getByRole('link', { name: /by-keyboard/ })).toBeVisible();
  // Whoever uses a mouse must not be needed: any use of it fails the test.
  await page.evaluate(() => {
    for (const type of ['pointerdown', 'mousedown'])
      addEventListener(type, () => document.body.setAttribute('data-mouse', 'used'), true);
  });
  await tabTo(page, /by-keyboard/, 'link');
  await page.keyboard.press('Enter');
  await expect(row(page, 'edited')).toBeVisible();

  await tabTo(page, /project/, 'treeitem');
  for (
    let i = 0;
    i < 5 && !(await row(page, 'edited').evaluate((one) => one === document.activeElement));
    i++
  )
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: /^Differences in .*edited$/ })).toContainText('new');

  // The tree is behind the orders: back to them.
  await page.keyboard.press('Escape');
  await tabTo(page, /^Commit…$/, 'button');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Commit to the host' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Commit 2 entries' })).toBeEnabled();
  await tabTo(page, /^Commit 2 entries$/, 'button');
  expect(existsSync(path.join(place.project, 'made'))).toBe(false);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Commit report' }).getByText('Committed.')).toBeVisible();
  await tabTo(page, /^Done$/, 'button');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing is pending')).toBeVisible();
  expect(readFileSync(path.join(place.project, 'edited'), 'utf8')).toBe('new\n');
  expect(readFileSync(path.join(place.project, 'made'), 'utf8')).toBe('x\n');
  await expect(page.locator('[data-mouse]')).toHaveCount(0);
});
