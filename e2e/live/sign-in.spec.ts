/** How a tab gets its credential, and that nobody else does. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { dashboardUrl, exec, serverJson, stopServer, trai } from './support/place.ts';

const SESSION = 'secret-work';

async function tokenOf(page: Page): Promise<string> {
  return await page.evaluate(() => sessionStorage.getItem('trai-token') ?? '');
}

test('a code signs one tab in; a second use gets nothing, and the first tab stays signed in', async ({
  place,
  page,
  browser,
  watch,
}) => {
  await exec(place, SESSION, 'echo x > file');
  await watch(page);
  const url = await dashboardUrl(place);
  await page.goto(url);
  // `trai ui` names the newest session of the project: the tab opens there.
  await expect(page.getByRole('heading', { level: 1, name: 'project' })).toBeVisible();
  expect(new URL(page.url()).hash).toBe(`#/s/${SESSION}`);

  const thief = await (await browser.newContext()).newPage();
  await watch(thief);
  await thief.goto(url);
  await expect(thief.getByRole('alert')).toContainText('this link was already used');
  await expect(thief.getByText(SESSION)).toHaveCount(0);
  expect(await tokenOf(thief)).toBe('');

  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'project' })).toBeVisible();
  // Nor does the tab itself lose anything by it.
  await page.goto('about:blank');
  await page.goto(url);
  await expect(page.getByText('connected', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'project' })).toBeVisible();
  await thief.context().close();
});

test('a tab that is signed out says so at once, with what to do', async ({ place, page, watch }) => {
  await exec(place, SESSION, 'echo x > file');
  await watch(page);
  await page.goto(await dashboardUrl(place));
  await expect(page.getByText('connected', { exact: true })).toBeVisible();
  await page.evaluate(() => sessionStorage.setItem('trai-token', 'worth-nothing'));
  await page.getByRole('link', { name: 'Disk' }).click();
  await expect(page.getByRole('heading', { name: 'This tab is signed out' })).toBeVisible();
  await expect(page.getByText('signed out', { exact: true })).toBeVisible();
  await expect(page.getByText('trai ui', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
});

test('after a restart the tab that is open is signed in again by the new address, at the same port', async ({
  place,
  page,
  watch,
}) => {
  await exec(place, SESSION, 'echo x > file');
  await watch(page);
  await page.goto(await dashboardUrl(place));
  await expect(page.getByText('connected', { exact: true })).toBeVisible();
  const origin = new URL(page.url()).origin;
  await stopServer(place, 'SIGTERM');
  await expect(page.getByRole('alert').first()).toContainText('Server stopped');
  const again = await dashboardUrl(place);
  expect(new URL(again).origin).toBe(origin);
  await page.goto(again);
  await expect(page.getByText('connected', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'project' })).toBeVisible();
  expect(page.url()).not.toContain('c=');
});

test('the credential is in the tab’s storage and in one header, nowhere else', async ({
  place,
  page,
  watch,
}) => {
  await exec(place, SESSION, 'echo x > file');
  await watch(page);
  const url = await dashboardUrl(place);
  const code = /#c=([A-Za-z0-9_-]+)/.exec(url)?.[1] ?? '';
  const requests: { url: string; headers: Record<string, string>; body: string }[] = [];
  page.on('request', (request) => {
    requests.push({ url: request.url(), headers: request.headers(), body: request.postData() ?? '' });
  });
  await page.goto(url);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  const token = await tokenOf(page);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(token).not.toBe(code);
  expect(page.url()).not.toContain(code);
  expect(page.url()).not.toContain(token);
  const html = await page.content();
  expect(html).not.toContain(token);
  expect(html).not.toContain(code);
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(token);

  expect(requests.length).toBeGreaterThan(3);
  for (const { url: asked, headers, body } of requests) {
    const { authorization = '', ...rest } = headers;
    expect(asked).not.toContain(token);
    expect(asked).not.toContain(code);
    expect(JSON.stringify(rest)).not.toContain(token);
    expect(rest['referer'] ?? '').toBe('');
    if (authorization !== '' && authorization !== 'Bearer') expect(authorization).toBe(`Bearer ${token}`);
    expect(body.includes(code)).toBe(asked.endsWith('/api/exchange'));
  }
});

test('six digits, typed with `trai ui NUMBER`, sign a page in', async ({ place, page, watch }) => {
  await exec(place, SESSION, 'echo x > file');
  await dashboardUrl(place);
  await watch(page);
  await page.goto(`http://127.0.0.1:${serverJson(place)?.port}/`);
  await expect(page.getByRole('heading', { name: 'Sign in this tab' })).toBeVisible();
  await expect(page.getByText(SESSION)).toHaveCount(0);
  await expect(page.getByText('trai ui', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Sign in with a code' }).click();
  const shown = page.locator('.pair-command strong');
  await expect(shown).toHaveText(/^\d{6}$/);
  const number = (await shown.textContent()) ?? '';

  const wrong = number === '111111' ? '111112' : '111111';
  const refused = await trai(place, ['ui', wrong]);
  expect(refused.status).not.toBe(0);
  expect(refused.err).toContain(`no page shows the number ${wrong}`);
  await expect(page.getByText(SESSION)).toHaveCount(0);

  const typed = await trai(place, ['ui', number]);
  expect(typed).toMatchObject({ status: 0, out: 'The page is signed in.\n' });
  await expect(page.getByRole('link', { name: SESSION })).toBeVisible();
  expect((await trai(place, ['ui', number])).status).not.toBe(0);
});

test('a made-up code shows why it does not work', async ({ place, page, watch }) => {
  await dashboardUrl(place);
  await watch(page);
  await page.goto(`http://127.0.0.1:${serverJson(place)?.port}/#c=${'A'.repeat(43)}`);
  await expect(page.getByRole('alert')).toContainText('this code is not known');
  await expect(page.getByRole('alert')).toContainText('trai ui');
});
