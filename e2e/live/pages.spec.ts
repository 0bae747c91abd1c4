/** The pages around a session on the real server: sessions, doctor, settings. */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, signIn, test } from './support/fixtures.ts';
import { exec, writeConfig } from './support/place.ts';

test('a session whose client has left with changes waits for review, with its branch', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  execFileSync('git', ['init', '-q', '-b', 'topic/one', place.project]);
  const [client, other] = [await startClient(), await startClient()];
  await client.bash('echo 1 > same');
  await other.bash('echo 2 > same');
  await page.goto(new URL('/#/', page.url()).href);
  const card = page.locator('.session-card', { has: page.getByRole('link', { name: client.id }) });
  await expect(card).toContainText('topic/one');
  await expect(card).toContainText(`1 path also pending in ${other.id}`);
  await expect(card.getByText('to review')).toHaveCount(0);
  await client.end();
  await expect(card.getByText('to review')).toBeVisible();
  await expect(page.getByText('to review', { exact: true })).toHaveCount(1);
});

test('settings are the same in every tab, outlast it, and stand in the page that is sent', async ({
  place,
  dashboard: page,
  browser,
  watch,
}) => {
  await page.goto(new URL('/#/settings', page.url()).href);
  const second = await (await browser.newContext()).newPage();
  await watch(second);
  await signIn(second, place);
  await page.getByRole('group', { name: 'Theme' }).getByText('Dark', { exact: true }).click();
  await expect(second.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('switch', { name: 'Wrap long lines' }).click();
  await second.goto(new URL('/#/settings', second.url()).href);
  await expect(second.getByRole('switch', { name: 'Wrap long lines' })).not.toBeChecked();
  const file = path.join(place.state, 'settings.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ v: 1, theme: 'dark', wrap: false });
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
  const html = await (await fetch(new URL('/', page.url()))).text();
  expect(html).toContain('<html lang="en" data-theme="dark">');
  await second.context().close();
});

test('what was set a moment before the tab was closed is kept, also while another change was being saved', async ({
  place,
  dashboard: page,
}) => {
  await page.goto(new URL('/#/settings', page.url()).href);
  await expect(page.getByRole('switch', { name: 'Wrap long lines' })).toBeVisible();
  // In one step of the page: the second waits for the first, and the page is left before either was answered.
  await page.evaluate(() => {
    const choices = document.querySelectorAll<HTMLElement>('input[value=dark], [role=switch]');
    for (const choice of choices) choice.click();
    location.href = 'about:blank';
  });
  await page.waitForURL('about:blank');
  const file = path.join(place.state, 'settings.json');
  await expect
    .poll(() => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null))
    .toMatchObject({ theme: 'dark', wrap: false, keys: false });
});

test('the doctor looks at this machine and the project, and names what is wrong with the config', async ({
  place,
  page,
  watch,
}) => {
  writeConfig(place, { passthrough: { add: ['kubectl'] }, scratch: ['tmp'] });
  await exec(place, 'looked-at', 'echo 1 > made');
  await watch(page);
  await signIn(page, place);
  await page.getByRole('link', { name: 'Doctor' }).click();
  await expect(page.getByText('The sandbox works here.')).toBeVisible();
  await expect(page.getByText(/scratch\[0\]: expected an absolute directory/)).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'kubectl' })).toContainText('changed');
  await page.getByRole('combobox', { name: 'Check' }).selectOption('looked-at');
  await expect(page.getByRole('heading', { name: 'Where writes go' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'pending', exact: true }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Details of session looked-at' })).toBeVisible();
});
