/** Effect rules on the real server: what the commit dialog says about them, and what they commit by themselves. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Effect } from '../../shared/model/rule.ts';
import { openCommit, openSession, row } from './support/dashboard.ts';
import { expect, signIn, test } from './support/fixtures.ts';
import type { Place } from './support/place.ts';

const HOSTILE = 'dist/<img src=x onerror=alert(1)>';

function put({ home }: Place, effects: readonly Effect[], lists: object = {}): string {
  const file = path.join(home, '.config/trai/rules.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ version: 2, ...lists, effects }));
  return file;
}

test('the dialog names what rules flag, want confirmed, and leave out, and takes a tick by the keyboard', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  put(place, [
    { paths: ['dist/'], do: 'confirm', reason: '<b>look</b>' },
    { paths: ['*.sql'], do: 'flag' },
    { paths: ['*.key'], do: 'never', reason: 'keys' },
  ]);
  const client = await startClient();
  await client.bash(`mkdir dist; echo a > '${HOSTILE}'; echo b > x.sql; echo c > a.key; echo d > plain`);
  await openSession(page, client.id);
  const sheet = await openCommit(page);
  await expect(sheet.getByText('3 changes named by rules of yours')).toBeVisible();
  await expect(sheet.getByRole('list', { name: '1 entry is flagged by your rules' })).toContainText('x.sql');
  const never = sheet.getByRole('list', { name: '1 entry is never committed, by your rules' });
  await expect(never).toContainText(/a\.key effects\[2\] of .*: keys/);
  const named = sheet.getByRole('list', { name: 'To be confirmed' });
  await expect(named.getByRole('listitem')).toHaveCount(2);
  await expect(named).toContainText(HOSTILE);
  await expect(named).toContainText('<b>look</b>');
  await expect(page.locator('img')).toHaveCount(0);
  await expect(sheet.getByRole('button', { name: 'Commit 4 entries' })).toBeDisabled();
  await expect(sheet.getByText('Confirm what your rules name.')).toBeVisible();
  await sheet.getByRole('checkbox', { name: 'Yes, commit these 2 too' }).focus();
  await page.keyboard.press('Space');
  await sheet.getByRole('button', { name: 'Commit 4 entries' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Committed.')).toBeVisible();
  expect(readFileSync(path.join(place.project, HOSTILE), 'utf8')).toBe('a\n');
  expect(existsSync(path.join(place.project, 'a.key'))).toBe(false);
});

test('the list marks what rules are about, and a rule file that is written marks it anew', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  put(place, [{ paths: ['*.key'], do: 'never', reason: 'keys' }]);
  const client = await startClient();
  await client.bash('echo c > a.key; echo b > x.sql');
  await openSession(page, client.id);
  await expect(row(page, 'a.key')).toHaveAccessibleName(/left out of commits: effects\[0\] of .*: keys/);
  await expect(row(page, 'x.sql')).not.toHaveAccessibleName(/effects/);
  await expect(page.getByRole('button', { name: '1 left out' })).toBeVisible();
  put(place, [{ paths: ['*.sql'], do: 'confirm', reason: '<b>look</b>' }]);
  await expect(row(page, 'x.sql')).toHaveAccessibleName(/to be confirmed: .*: <b>look<\/b>/);
  await expect(row(page, 'a.key')).not.toHaveAccessibleName(/effects/);
  await row(page, 'x.sql').click();
  await expect(page.getByRole('list', { name: 'Rules about it' })).toContainText('A commit wants your tick');
});

test('a rule commits build output by itself; two tabs are told, and one takes it back', async ({
  place,
  startClient,
  dashboard: page,
  browser,
  watch,
}) => {
  const file = put(place, [{ paths: ['project:dist/'], do: 'auto' }]);
  const client = await startClient();
  const second = await (await browser.newContext()).newPage();
  await watch(second);
  await signIn(second, place);
  for (const tab of [page, second]) await tab.goto(new URL(`/#/s/${client.id}/history`, tab.url()).href);
  await client.bash(`mkdir dist; echo a > '${HOSTILE}'; echo b > src.ts`);
  for (const tab of [page, second]) {
    const row = tab.getByRole('row', { name: /Commit 1 auto/ });
    await expect(row).toContainText(`Committed after a call by effects[0] of ${file}`);
  }
  expect(readFileSync(path.join(place.project, HOSTILE), 'utf8')).toBe('a\n');
  expect(existsSync(path.join(place.project, 'src.ts'))).toBe(false);
  await second.getByRole('link', { name: 'Commit 1' }).click();
  await expect(second.getByText('auto commit').first()).toBeVisible();
  await expect(second.getByText(`Committed after a call by effects[0] of ${file}`)).toBeVisible();
  await page.getByRole('button', { name: 'Undo commit' }).focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Undo commit 1' });
  const undo = sheet.getByRole('button', { name: 'Undo commit', exact: true });
  await expect(undo).toBeEnabled();
  await undo.focus();
  await page.keyboard.press('Enter');
  await expect(sheet).toBeHidden();
  expect(existsSync(path.join(place.project, 'dist'))).toBe(false);
  // Left alone until it is written again.
  await client.bash('echo more > other.ts');
  await openSession(second, client.id);
  await expect(second.getByText('other.ts').first()).toBeVisible();
  expect(existsSync(path.join(place.project, HOSTILE))).toBe(false);
  await second.context().close();
});

test('a rule that one tab moves is another place in the other: its move is refused, and taken back', async ({
  place,
  dashboard: first,
  browser,
  watch,
}) => {
  const rule = (command: string) => ({ tool: '^Bash$', match: { command } });
  const file = put(place, [], { deny: [rule('^<b>a</b>$'), rule('^b$'), rule('^c$')] });
  const second = await (await browser.newContext()).newPage();
  await watch(second);
  await signIn(second, place);
  for (const tab of [first, second]) await tab.goto(new URL('/#/rules', tab.url()).href);
  const texts = (tab: typeof first) => tab.locator('.rule-table').first().locator('tr .rule-text');
  const row = (tab: typeof first, text: string) =>
    tab.locator('.rule-table').first().locator('tr', { hasText: text });
  for (const tab of [first, second]) await expect(texts(tab)).toHaveCount(3);
  await row(first, '^c$').locator('.rule-grip').dragTo(row(first, '^<b>a</b>$'));
  const moved = ['^c$', '^<b>a</b>$', '^b$'];
  await expect(texts(first)).toHaveText(moved.map((one) => `^Bash$ command=${one}`));
  const deny = () =>
    JSON.parse(readFileSync(file, 'utf8')).deny.map(
      (one: { match: { command: string } }) => one.match.command,
    );
  await expect.poll(deny).toEqual(moved);
  await row(second, '^b$').locator('.rule-grip').dragTo(row(second, '^<b>a</b>$'));
  await expect(second.getByRole('alert')).toContainText('the rule file was changed meanwhile');
  await expect(texts(second)).toHaveText(moved.map((one) => `^Bash$ command=${one}`));
  expect(deny()).toEqual(moved);
  await second.context().close();
});
