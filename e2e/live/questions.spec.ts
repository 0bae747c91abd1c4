/** Questions of a client that waits for them, in browsers on a real server. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, signIn, test } from './support/fixtures.ts';

const openQuestions = async (page: Page): Promise<void> => {
  await page.goto(new URL('/#/questions', page.url()).href);
};
const decisionIn = (said: string): unknown => JSON.parse(said).hookSpecificOutput.decision;

test('a question is in every tab, the first answer counts, and the other tab says what became of it', async ({
  startClient,
  dashboard: first,
  browser,
  place,
  watch,
}) => {
  const client = await startClient();
  const second = await (await browser.newContext()).newPage();
  await watch(second);
  await signIn(second, place);
  const said = client.ask('Bash', { command: 'make one\rrm -rf ~ <img src=x onerror=alert(1)>' });
  for (const page of [first, second]) {
    await expect(page.getByRole('link', { name: /Questions\s+1/ })).toBeVisible();
    await openQuestions(page);
    await expect(page.getByRole('article').locator('pre')).toContainText('make one\\rrm -rf ~ <img');
  }
  await second.getByRole('article').focus();
  await first.getByRole('button', { name: 'Allow once' }).click();
  expect(decisionIn(await said)).toEqual({ behavior: 'allow' });
  for (const page of [first, second]) await expect(page.getByRole('article')).toContainText('Allowed, once');
  await second.keyboard.press('n');
  await expect(second.getByRole('article')).toContainText('Allowed, once');
  await second.context().close();
});

test('always writes the edited rule, and an Edit is shown as the diff that it would make', async ({
  startClient,
  dashboard: page,
  place,
}) => {
  const client = await startClient();
  const file = path.join(place.project, 'price.ts');
  writeFileSync(file, 'const tax = 1;\n');
  const edit = client.ask('Edit', { file_path: file, old_string: 'tax = 1', new_string: 'tax = 2' });
  await openQuestions(page);
  const card = page.getByRole('article');
  await expect(card.getByRole('table', { name: /price\.ts/ })).toContainText('const tax = 2;');
  await card.focus();
  await page.keyboard.press('a');
  await expect(card).toContainText('It decides this call.');
  await page.keyboard.press('Enter');
  await expect(card).toContainText('Added to the allow rules');
  expect(decisionIn(await edit)).toEqual({ behavior: 'allow' });
  const rules: unknown = JSON.parse(readFileSync(path.join(place.home, '.config/trai/rules.json'), 'utf8'));
  expect(rules).toMatchObject({
    allow: [{ tool: '^Edit$', match: { file_path: expect.stringContaining('^/') } }],
  });
});
