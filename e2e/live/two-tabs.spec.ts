/** More than one tab, more than one server: what is on show is never taken for newer than it is. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { clickIfThere, commitAll, openCommit, openSession, row, tree } from './support/dashboard.ts';
import { expect, signIn, test } from './support/fixtures.ts';
import { dashboardUrl, exec, serverJson, stopServer, writeConfig } from './support/place.ts';

test('one tab commits, the other is told and can not act on what it still shows', async ({
  place,
  dashboard: first,
  browser,
  watch,
}) => {
  for (const name of ['a', 'b']) writeFileSync(path.join(place.project, name), 'old\n');
  await exec(place, 'shared', 'echo new > a; rm b; echo made > c');
  const second = await (await browser.newContext()).newPage();
  await watch(second);
  await signIn(second, place);
  for (const page of [first, second]) await openSession(page, 'shared');
  const sheet = await openCommit(second);
  await expect(sheet.getByRole('button', { name: 'Commit 3 entries' })).toBeEnabled();

  await commitAll(first);
  await expect(first.getByText('Nothing is pending')).toBeVisible();
  // The first tab's commit is on the host; the host's owner goes on with it.
  writeFileSync(path.join(place.project, 'a'), 'newer on the host\n');

  await test.step('the other tab says that it is behind', async () => {
    await expect(second.getByRole('button', { name: /refresh$/ })).toBeVisible();
    await expect(row(second, 'a')).toHaveAccessibleName(/gone/);
  });
  await test.step('its order is refused', async () => {
    const button = sheet.getByRole('button', { name: 'Commit 3 entries' });
    if (await button.isEnabled()) await button.click();
    await expect(sheet).toContainText(/out of date/);
    expect(readFileSync(path.join(place.project, 'a'), 'utf8')).toBe('newer on the host\n');
    expect(existsSync(path.join(place.project, 'b'))).toBe(false);
  });
  await test.step('after a refresh it shows what is', async () => {
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    const pill = second.getByRole('button', { name: /refresh$/ });
    await clickIfThere(pill);
    await expect(second.getByText('Nothing is pending')).toBeVisible();
  });
  await second.context().close();
});

test('what one tab finds by asking, the other is told', async ({
  place,
  dashboard: first,
  browser,
  watch,
}) => {
  writeFileSync(path.join(place.project, 'a'), 'old\n');
  await exec(place, 'shared', 'echo new > a; echo made > b');
  const second = await (await browser.newContext()).newPage();
  await watch(second);
  await signIn(second, place);
  for (const page of [first, second]) await openSession(page, 'shared');
  await expect(row(second, 'a')).toBeVisible();
  // Nobody tells the server: the session is quiet, so the host is not watched.
  writeFileSync(path.join(place.project, 'a'), 'of the host\n');
  await first.reload();
  await expect(row(first, 'a')).toHaveAccessibleName(/conflict/);
  await second.getByRole('button', { name: /refresh$/ }).click();
  await expect(row(second, 'a')).toHaveAccessibleName(/conflict/);
  await second.context().close();
});

test('what comes in does not move what is being read', async ({ startClient, dashboard: page }) => {
  const client = await startClient();
  await client.bash('for i in $(seq 10 40); do echo "content $i" > m$i; done');
  await openSession(page, client.id);
  await row(page, 'm20').click();
  await expect(page.getByRole('table', { name: /^Differences in / })).toContainText('content 20');
  await tree(page)
    .locator('..')
    .evaluate((box) => box.scrollBy(0, 120));
  const before = await row(page, 'm20').boundingBox();
  const text = await page.getByRole('article').textContent();

  // Sorted before and after what is on show, and a new content of the entry that is open.
  await client.bash('for i in $(seq 60); do echo x > a$i; echo y > z$i; done; echo changed > m20');
  await expect(page.getByRole('button', { name: /refresh$/ })).toBeVisible();
  expect(await row(page, 'm20').boundingBox()).toEqual(before);
  await expect(row(page, 'a1')).toHaveCount(0);
  await expect(row(page, 'm20')).toHaveAccessibleName(/updated/);
  // The open diff says that a newer one is there and is not exchanged under the reader.
  await expect(page.getByRole('article')).toContainText('A newer version of this entry is available.');
  await expect(page.getByRole('table', { name: /^Differences in / })).toContainText('content 20');
  expect(await page.getByRole('article').textContent()).toContain(text?.slice(0, 20) ?? '');

  await page.getByRole('button', { name: /refresh$/ }).click();
  await expect(page.getByRole('table', { name: /^Differences in / })).toContainText('changed');
  await page.getByRole('searchbox', { name: 'Filter files' }).fill('z60');
  await expect(row(page, 'z60')).toBeVisible();
});

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return address.port;
}

test('a server that was killed is said to be gone, and a new one wants a new sign-in', async ({
  place,
  page,
  watch,
}) => {
  await watch(page);
  writeConfig(place, { server: { port: await freePort() } });
  await exec(place, 'kept', 'echo pending > file');
  await signIn(page, place);
  await openSession(page, 'kept');
  await expect(row(page, 'file')).toBeVisible();
  const killed = serverJson(place);

  await stopServer(place, 'SIGKILL');
  await expect(page.getByRole('alert').first()).toContainText('Server stopped');
  await expect(page.getByRole('alert').first()).toContainText('trai ui');
  await expect(page.getByRole('status').filter({ hasText: 'server stopped' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Commit…' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Discard…' })).toBeDisabled();
  // What was on show stays readable.
  await expect(row(page, 'file')).toBeVisible();

  const url = await dashboardUrl(place);
  expect(serverJson(place)?.port).toBe(killed?.port);
  expect(serverJson(place)?.pid).not.toBe(killed?.pid);
  await test.step('the old credential is worth nothing', async () => {
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await expect(page.getByRole('heading', { name: 'This tab is signed out' })).toBeVisible({
      timeout: 30_000,
    });
    await expect(page.getByText('The server was restarted')).toBeVisible();
    await expect(row(page, 'file')).toHaveCount(0);
  });
  await test.step('the new code signs in, and nothing was lost', async () => {
    await page.goto('about:blank');
    await page.goto(url);
    await openSession(page, 'kept');
    await commitAll(page);
    expect(readFileSync(path.join(place.project, 'file'), 'utf8')).toBe('pending\n');
  });
});

test('of an order that a killed server had, it is said that nobody knows what became of it', async ({
  place,
  page,
  watch,
}) => {
  await watch(page);
  await exec(place, 'cut', 'echo pending > file');
  await signIn(page, place);
  await openSession(page, 'cut');
  const sheet = await openCommit(page);
  const server = serverJson(place);
  if (server === null) throw new Error('expected a server');
  process.kill(server.pid, 'SIGSTOP');
  const sent = page.waitForRequest((request) => request.url().endsWith('/commit'));
  await sheet.getByRole('button', { name: /^Commit \d/ }).click();
  await sent;
  await stopServer(place, 'SIGKILL');
  await expect(sheet.getByRole('alert').first()).toContainText('It went before it said what became of this.');
  await expect(sheet.getByRole('alert').first()).toContainText('the history says what was done');
  await expect(sheet.getByRole('button', { name: /^Commit/ })).toBeDisabled();
  expect(existsSync(path.join(place.project, 'file'))).toBe(false);
});
