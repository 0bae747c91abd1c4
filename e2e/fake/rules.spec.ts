/** The pages of the permission rules and of the audit on recorded data. */
import type { Page } from '@playwright/test';
import { expect, open, test } from './page.ts';

const orders = (page: Page) => page.evaluate(() => window.traiFake.orders);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

test('a rule is added, edited, moved, disabled and removed; each change names what was seen', async ({
  watched: page,
}) => {
  await open(page, '/rules/shop-discounts');
  await button(page, 'New rule').click();
  const form = page.getByRole('form', { name: 'New rule' });
  await form.getByLabel('Pattern of the field').fill('^make$');
  await form.getByLabel('Reason').fill('build');
  await button(page, 'Try on past calls').click();
  await expect(page.getByText('It matches 37 of your last 400 calls.')).toBeVisible();
  await button(page, 'Add rule').click();
  await expect(form).toHaveCount(0);
  await expect(page.getByText('^Bash$ command=^make$', { exact: true })).toHaveCount(2);
  await button(page, 'Edit user allow 0').click();
  await page.getByRole('form', { name: 'Edit rule' }).getByLabel('Decision').selectOption('ask');
  await button(page, 'Save').click();
  await button(page, 'Move up user ask 1').click();
  await button(page, 'Disable user ask 0').click();
  await expect(button(page, 'Enable user ask 0')).toBeVisible();
  await button(page, 'Remove user ask 0').click();
  await button(page, 'Remove it').click();
  await expect(button(page, 'Remove user ask 1')).toHaveCount(0);
  const made = (await orders(page)) as { changeRules: { scope: string; seen: string; change: unknown } }[];
  const npm = { tool: '^Bash$', match: { command: '^npm (test|run [a-z:]+)$' } };
  expect(made.map(({ changeRules: { change } }) => change)).toEqual([
    {
      do: 'add',
      list: 'allow',
      rule: { tool: '^Bash$', match: { command: '^make$' }, reason: 'build' },
    },
    { do: 'replace', list: 'allow', index: 0, rule: npm, to: 'ask' },
    { do: 'move', list: 'ask', index: 1, before: 0 },
    { do: 'replace', list: 'ask', index: 0, rule: { ...npm, disabled: true }, to: 'ask' },
    { do: 'remove', list: 'ask', index: 0 },
  ]);
  expect(new Set(made.map(({ changeRules: { seen } }) => seen)).size).toBe(5);
});

test('who edits or removes a rule by the keyboard goes on where that continues', async ({
  watched: page,
}) => {
  await page.setViewportSize({ width: 1_280, height: 400 });
  await open(page, '/rules/shop-discounts');
  await button(page, 'Edit project allow 0').press('Enter');
  const form = page.getByRole('form', { name: 'Edit rule' });
  await expect(form.getByLabel('Decision')).toBeFocused();
  await expect(form.getByLabel('Decision')).toBeInViewport();
  await button(page, 'Cancel').click();
  await button(page, 'Remove project allow 0').press('Enter');
  await expect(button(page, 'Remove it')).toBeFocused();
  expect(await orders(page)).toEqual([]);
});

const ofAllow = (page: Page) =>
  page.locator('.rule-table').first().locator('tr', { hasText: 'allow' }).locator('.rule-text');
const NPM = '^Bash$ command=^npm (test|run [a-z:]+)$';
const MAKE = '^Bash$ command=^make$';

test('a rule is dragged within its list, and to no other', async ({ watched: page }) => {
  await open(page, '/rules');
  await expect(ofAllow(page)).toHaveText([NPM, MAKE]);
  const row = (text: string) => page.locator('.rule-table').first().locator('tr', { hasText: text });
  const grip = (text: string) => row(text).locator('.rule-grip');
  await grip('^make$').dragTo(row('^rm'));
  await grip('^make$').dragTo(page.getByRole('heading', { name: 'Built in' }));
  expect(await orders(page)).toEqual([]);
  await grip('^make$').dragTo(row('npm (test'));
  await expect(ofAllow(page)).toHaveText([MAKE, NPM]);
  // The list shows it before it is written.
  await expect
    .poll(() => orders(page))
    .toMatchObject([
      { changeRules: { scope: 'user', change: { do: 'move', list: 'allow', index: 1, before: 0 } } },
    ]);
});

test('a move shows at once, and is taken back with the reason when the file was changed meanwhile', async ({
  watched: page,
}) => {
  await open(page, '/rules');
  await page.evaluate(() =>
    window.traiFake.failNext('changeRules', {
      code: 'stale-revision',
      message: 'the rule file was changed meanwhile',
    }),
  );
  const rows = page.locator('.rule-table').first().locator('tr');
  await rows
    .filter({ hasText: 'npm (test' })
    .locator('.rule-grip')
    .dragTo(rows.filter({ hasText: '^make$' }));
  await expect(page.getByRole('alert')).toContainText('the rule file was changed meanwhile');
  await expect(ofAllow(page)).toHaveText([NPM, MAKE]);
});

test('a rule is moved by the keyboard alone: the focus goes with it', async ({ watched: page }) => {
  await open(page, '/rules');
  await button(page, 'Move up user allow 1').focus();
  await page.keyboard.press('Enter');
  await expect(ofAllow(page)).toHaveText([MAKE, NPM]);
  await expect(button(page, 'Move down user allow 0')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(ofAllow(page)).toHaveText([NPM, MAKE]);
  await expect(button(page, 'Move up user allow 1')).toBeFocused();
  await expect(page.locator('[aria-live="polite"]', { hasText: 'Moved to place 2 of allow.' })).toHaveCount(
    1,
  );
});

test('a rule that moves while another move is written moves too, and is written next', async ({
  watched: page,
}) => {
  await open(page, '/rules');
  // Before the page is drawn again, as fast fingers and slow servers have it.
  await button(page, 'Move up user allow 1').evaluate((up: HTMLElement) => {
    up.click();
    up.click();
    up.click();
  });
  await expect(ofAllow(page)).toHaveText([MAKE, NPM]);
  const move = { scope: 'user', change: { do: 'move', list: 'allow', index: 1, before: 0 } };
  await expect
    .poll(() => orders(page))
    .toMatchObject([{ changeRules: move }, { changeRules: move }, { changeRules: move }]);
  await expect(ofAllow(page)).toHaveText([MAKE, NPM]);
  await page.evaluate(() =>
    window.traiFake.failNext('changeRules', { code: 'stale-revision', message: 'changed meanwhile' }),
  );
  await button(page, 'Move up user allow 1').evaluate((up: HTMLElement) => {
    up.click();
    up.click();
  });
  await expect(page.getByRole('alert')).toContainText('changed meanwhile');
  await expect(ofAllow(page)).toHaveText([MAKE, NPM]);
  expect(await orders(page)).toHaveLength(3);
});

test('a change that the server refuses is said, and the form stays', async ({ watched: page }) => {
  await open(page, '/rules');
  await button(page, 'New rule').click();
  await page.evaluate(() =>
    window.traiFake.failNext('changeRules', {
      code: 'bad-input',
      message: 'the change was refused: allow[0]',
    }),
  );
  await button(page, 'Add rule').click();
  await expect(page.getByRole('alert')).toContainText('the change was refused');
  await expect(page.getByRole('form', { name: 'New rule' })).toBeVisible();
});

test('a suggestion has its evidence, and becomes a rule with one click', async ({ watched: page }) => {
  await open(page, '/rules');
  await expect(page.getByText('up to 14 prompts in 2 sessions; 1 of these calls failed')).toBeVisible();
  await expect(page.getByText('wrote 9 paths: 6 committed, 1 discarded, 0 undone')).toBeVisible();
  await expect(page.getByText('^Bash$ command=^make all')).toBeVisible();
  await button(page, 'Add this rule').click();
  await expect(page.getByRole('table').getByText('command=^make all', { exact: false })).toHaveCount(1);
  expect(await orders(page)).toMatchObject([
    { changeRules: { scope: 'user', change: { do: 'add', list: 'allow' } } },
  ]);
});

test('what messages put between backquotes is shown as code', async ({ watched: page }) => {
  await open(page, '/rules');
  await expect(page.getByText('acts beyond the sandbox').locator('code')).toHaveText('curl');
  await expect(page.getByText('`')).toHaveCount(0);
});

test('the content of a project is trusted as it was shown', async ({ watched: page }) => {
  await open(page, '/rules/shop-discounts');
  await expect(page.getByText('does not count')).toBeVisible();
  await expect(page.getByText('Allowed directories, which do not count yet: /data')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Effects on commits' })).toHaveText('never **/.env* keys');
  await button(page, 'Trust this content').click();
  await expect(page.getByText('Allowed directories: /data')).toBeVisible();
  await expect(page.getByText('does not count')).toHaveCount(0);
  expect(await orders(page)).toMatchObject([
    { trustRules: { session: 'shop-discounts', hashes: [expect.stringMatching(/^[0-9a-f]{64}$/)] } },
  ]);
});

test('the bench says what decides each command of a text, by the keyboard', async ({ watched: page }) => {
  await open(page, '/');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  const command = page.getByRole('textbox', { name: 'Command' });
  await command.focus();
  await page.keyboard.type('rm -rf build && npm test');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('row', { name: /rm -rf build denied/ })).toBeVisible();
  await expect(page.getByText('It would run in the sandbox.')).toBeVisible();
});

test('what turning prompts off would have meant stands above the button', async ({ watched: page }) => {
  await open(page, '/rules');
  await expect(page.getByText('would have let 31 run without a prompt')).toBeVisible();
  await button(page, 'Allow them without a prompt').click();
  await expect(page.getByText('Now: allow')).toBeVisible();
  expect(await orders(page)).toEqual([{ setSandboxed: 'allow' }]);
});

test('the audit filters, shows more, and exports what the filter leaves', async ({ watched: page }) => {
  await open(page, '/audit', 'many');
  await expect(page.getByText('100,000 decisions')).toBeVisible();
  await expect(page.getByRole('table').first().getByRole('row')).toHaveCount(101);
  await button(page, 'Show 100 more').click();
  await expect(page.getByRole('table').first().getByRole('row')).toHaveCount(201);
  await expect(page.getByRole('table').first().getByRole('row').nth(101)).toBeFocused();
  await page.evaluate(() => {
    const { traiFake } = window;
    const answer = traiFake.audit;
    const later = new Promise<void>((release) => Object.assign(window, { release }));
    traiFake.audit = async (...words) => {
      await later;
      return await answer(...words);
    };
  });
  await button(page, 'Show 100 more').click();
  await page.getByRole('searchbox', { name: 'Filter by text' }).focus();
  await page.evaluate(() => (window as unknown as { release: () => void }).release());
  await expect(page.getByRole('table').first().getByRole('row')).toHaveCount(301);
  await expect(page.getByRole('searchbox', { name: 'Filter by text' })).toBeFocused();
  await page.getByLabel('Decision').selectOption('deny');
  await expect(page.getByText('20,000 of 100,000 decisions')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('nothing like it');
  await expect(page.getByText('No matches')).toBeVisible();
  await open(page, '/audit');
  await page.getByLabel('Outcome').selectOption('denied');
  const saving = page.waitForEvent('download');
  await button(page, 'Export as JSONL').click();
  const stream = await (await saving).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const lines = Buffer.concat(chunks)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(48);
  expect(new Set(lines.map(({ outcome }) => outcome))).toEqual(new Set(['denied']));
});

test('the audit’s filter stands in the address: a reload and Back keep it', async ({ watched: page }) => {
  await open(page, '/audit');
  await expect(page.getByText('120 decisions')).toBeVisible();
  await page.getByLabel('Decision').selectOption('deny');
  await expect(page).toHaveURL(/#\/audit\?decision=deny$/);
  await page.getByLabel('Tool').selectOption('WebFetch');
  await expect(page.getByText('0 of 120 decisions')).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Tool')).toHaveValue('');
  await expect(page.getByText('24 of 120 decisions')).toBeVisible();
  await page.getByLabel('Session').selectOption('shop-discounts');
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('rm & #?');
  await expect(page).toHaveURL(/text=rm\+%26\+%23%3F&session=shop-discounts&decision=deny$/);
  await page.reload();
  await expect(page.getByLabel('Decision')).toHaveValue('deny');
  await expect(page.getByRole('searchbox', { name: 'Filter by text' })).toHaveValue('rm & #?');
  await button(page, 'Clear').click();
  await expect(page).toHaveURL(/#\/audit$/);
  await expect(page.getByText('120 decisions', { exact: true })).toBeVisible();
});

test('the audit begins at a time that is typed, by the keyboard, and says what is none', async ({
  watched: page,
}) => {
  await open(page, '/audit');
  const since = page.getByLabel('Since');
  await since.focus();
  await page.keyboard.type('2026-03-02T09:30:00Z');
  await page.keyboard.press('Enter');
  await expect(page.getByText('30 of 120 decisions')).toBeVisible();
  await expect(page).toHaveURL(/since=2026-03-02T09%3A30%3A00Z$/);
  await since.fill('yesterday');
  await expect(page.getByText('Type 1h, 7d, today, or a date such as 2026-01-31.')).toBeVisible();
  await expect(page).toHaveURL(/since=2026-03-02T09%3A30%3A00Z$/);
  await since.fill('7d');
  await page.keyboard.press('Tab');
  await expect(page).toHaveURL(/since=7d$/);
  await expect(page.getByText('No matches')).toBeVisible();
});

test('an address with what nothing can mean asks for nothing that the server would refuse', async ({
  watched: page,
}) => {
  await open(page, '/audit?decision=%3Cimg%3E&by=x&session=..%2F..&tool=%3Cimg%20src=x%3E&since=x');
  await expect(page.getByText('“Since” is not a time')).toBeVisible();
  await expect(page.getByLabel('Decision')).toHaveValue('');
  await expect(page.getByLabel('Tool')).toHaveValue('<img src=x>');
  await expect(page.locator('img')).toHaveCount(0);
});

test('a rule says when it counts; a file that cannot be used is named, with what counts instead', async ({
  watched: page,
}) => {
  await open(page, '/rules', 'hostile-rules');
  await expect(page.getByText('until 2026-01-01', { exact: true })).toBeVisible();
  await expect(page.getByText(/^\/home\/kim\/\.config\/trai\/rules\.imported\.json: not JSON/)).toContainText(
    'its last good version stays in force',
  );
});

test('hostile commands and rules are text, with what is hidden in them visible', async ({
  watched: page,
}) => {
  for (const route of ['/rules', '/audit']) {
    await open(page, route, 'hostile-rules');
    const text = page.getByText(/<img src=x onerror=alert\(1\)>/).first();
    await expect(text).toBeVisible();
    expect(await text.textContent()).not.toMatch(/[\u202e\u001b]/);
    await expect(page.locator('img')).toHaveCount(0);
  }
});
