/** The pages of the rules and of the audit on the real server: what a tab writes decides the next call. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './support/fixtures.ts';

test('a rule that the user adds on the page denies the next call, which the audit and the timeline name', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  const client = await startClient();
  expect((await client.bash('echo before > kept')).status).toBe(0);
  await page.goto(new URL(`/#/rules/${client.id}`, page.url()).href);
  await page.getByRole('button', { name: 'New rule' }).click();
  const form = page.getByRole('form', { name: 'New rule' });
  await form.getByLabel('Decision').selectOption('deny');
  await form.getByLabel('Pattern of the field').fill('^rm\\b');
  await form.getByLabel('Reason').fill('use trash');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await expect(page.getByText('^Bash$ command=^rm\\b', { exact: true })).toBeVisible();
  const file = path.join(place.home, '.config/trai/rules.json');
  expect(JSON.parse(readFileSync(file, 'utf8')).deny).toEqual([
    { tool: '^Bash$', match: { command: '^rm\\b' }, reason: 'use trash' },
  ]);
  const denied = await client.bash('true && \\rm kept');
  expect(denied.refused).toContain('use trash');
  await page.getByRole('textbox', { name: 'Command' }).fill('true && \\rm kept');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText(/^denied rule deny\[0\]/)).toBeVisible();
  await page.goto(new URL('/#/audit', page.url()).href);
  await page.getByLabel('Decision').selectOption('deny');
  await page.getByRole('link', { name: 'true && \\rm kept' }).click();
  await expect(page.getByText(/^Denied by .*rules\.json deny\[0\]/)).toBeVisible();
});
