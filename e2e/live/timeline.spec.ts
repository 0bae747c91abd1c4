/** The timeline on a real server and real sessions: prompts, parallel calls, what a call wrote, tests, a lost stream. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { clickIfThere, confirmCommit, openCommit, openSession, row } from './support/dashboard.ts';
import { expect, signIn, test } from './support/fixtures.ts';
import { runToEnd } from './support/process.ts';

const shown = { name: 'Calls' };

test('a call is followed from its prompt to its files and back, and committed alone, in step with another tab', async ({
  place,
  startClient,
  dashboard: page,
  browser,
  watch,
}) => {
  const client = await startClient();
  await client.prompt('Make three files.\nTwo of them at once.');
  // Each waits for the other's file: they overlap, however slow the machine is.
  await Promise.all([
    client.bash('echo 1 > one; until [ -e two ]; do sleep 0.05; done'),
    client.bash('echo 2 > two; until [ -e one ]; do sleep 0.05; done'),
  ]);
  await client.bash("echo 'it is' > three && cat three");
  const second = await (await browser.newContext()).newPage();
  await watch(second);
  await signIn(second, place);
  for (const tab of [page, second]) {
    await openSession(tab, client.id);
    await tab.getByRole('link', { name: /^Timeline/ }).click();
    await expect(tab.getByRole('listbox', shown).getByRole('option')).toHaveCount(4);
  }
  await expect(page.getByText('3 calls, up to 2 at the same time')).toBeAttached();

  await test.step('from the prompt to the call', async () => {
    await page.getByRole('option', { name: /Make three files/ }).click();
    const prompt = page.getByRole('article', { name: 'prompt' });
    await expect(prompt).toContainText('Two of them at once.');
    await prompt.getByRole('link', { name: /cat three/ }).click();
    await expect(page.getByRole('region', { name: 'Output' })).toContainText('it is');
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });

  await test.step('from the call to its file, and back', async () => {
    const wrote = page.getByRole('region', { name: 'Files that it wrote' });
    await expect(wrote).toContainText('Wrote 1 entry');
    await wrote.getByRole('link', { name: /three/ }).click();
    await expect(page.getByRole('table', { name: /^Differences in / })).toContainText('it is');
    await page.goBack();
    await expect(wrote).toBeVisible();
  });

  await test.step('what it wrote is committed, and nothing else', async () => {
    await page.getByRole('button', { name: 'Commit what this call wrote…' }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Commit 1 entry' })).toBeEnabled();
    const report = await confirmCommit(page);
    await expect(report.getByText('Committed.')).toBeVisible();
    expect(readFileSync(path.join(place.project, 'three'), 'utf8')).toBe('it is\n');
    expect(existsSync(path.join(place.project, 'one'))).toBe(false);
  });

  await test.step('the other tab is told, and its history has it', async () => {
    await second.getByRole('button', { name: 'Log updated – show' }).click();
    await expect(second.getByRole('option', { name: /Commit 1/ })).toContainText('1 entry');
    await second.getByRole('link', { name: 'History' }).first().click();
    await expect(second.getByRole('row', { name: /Commit 1/ })).toBeVisible();
    await second.goBack();
    await second.goBack();
  });
  await second.context().close();
});

test('the commit confirmation says whether tests passed on what will land', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  writeFileSync(path.join(place.project, 'Makefile'), 'check:\n\ttest -s out\n');
  const client = await startClient();
  await client.bash('echo data > out');
  await openSession(page, client.id);
  const sheet = await openCommit(page);
  const tests = sheet.getByRole('region', { name: 'Tests' });
  await expect(tests).toContainText('No tests were run');
  await expect(tests).toContainText('-- make check');

  expect((await client.bash('make check')).status).toBe(0);
  await tests.getByRole('button', { name: 'Check again' }).click();
  await expect(tests).toContainText('Tested: make check ended with 0');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await client.bash('echo more >> out');
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /refresh$/ }).click();
  await openCommit(page);
  await expect(tests).toContainText('Not tested as it is');
  await expect(tests.getByRole('link', { name: 'echo more >> out' })).toBeVisible();

  // The line as it stands there, pasted into a terminal of the user.
  const line = (await tests.locator('pre').textContent()) ?? '';
  const trai = `trai() { bash '${path.join(place.plugin, 'bin/trai')}' "$@"; }`;
  const ended = await runToEnd('/bin/bash', ['-c', `${trai}\n${line}`], { cwd: '/', env: place.env });
  expect(ended).toMatchObject({ status: 0 });
  await tests.getByRole('button', { name: 'Check again' }).click();
  await expect(tests).toContainText('Tested: make check ended with 0');
});

test('a stream that was cut is taken up again, with what was missed', async ({
  startClient,
  dashboard: page,
}) => {
  const client = await startClient();
  await client.bash('echo first > first');
  // The network between tab and server, in the tab.
  await page.addInitScript(() => {
    const real = window.fetch;
    const open = new Set<AbortController>();
    let cut = false;
    window.fetch = (input, init) => {
      if (cut) return Promise.reject(new TypeError('cut'));
      const own = new AbortController();
      open.add(own);
      init?.signal?.addEventListener('abort', () => own.abort());
      return real(input, { ...init, signal: own.signal });
    };
    Object.assign(window, {
      cutNetwork: (off: boolean) => {
        cut = off;
        if (off) for (const one of open) one.abort();
        open.clear();
      },
    });
  });
  const cutNetwork = (off: boolean) =>
    page.evaluate((to) => {
      const set: unknown = Reflect.get(window, 'cutNetwork');
      if (typeof set === 'function') set(to);
    }, off);
  await page.reload();
  await openSession(page, client.id);
  await expect(row(page, 'first')).toBeVisible();
  await page.getByRole('link', { name: /^Timeline/ }).click();
  await expect(page.getByRole('option')).toHaveCount(1);

  await cutNetwork(true);
  await expect(page.getByRole('alert').first()).toContainText('Server stopped');
  await client.bash('echo second > second');
  await expect(page.getByRole('button', { name: 'Commit…' })).toBeDisabled();
  await expect(page.getByRole('option')).toHaveCount(1);
  await cutNetwork(false);
  // It may be back by itself in this very moment.
  await page
    .getByRole('button', { name: 'Try now' })
    .click({ timeout: 2_000 })
    .catch(() => undefined);
  await page.getByRole('button', { name: '1 new call – show' }).click();
  await expect(page.getByRole('option', { name: /echo second/ })).toBeVisible();
  // The list of changes came with the calls, or comes after them and waits for the reader.
  await page.getByRole('link', { name: /^Changes/ }).click();
  const pill = page.getByRole('button', { name: /refresh$/ });
  await expect(row(page, 'second').or(pill)).toBeVisible();
  await clickIfThere(pill);
  await expect(row(page, 'second')).toBeVisible();
});
