/** A part of what is pending, chosen in the list; and what the contents of pending files are asked for. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { confirmCommit, openSession, row } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';
import { hostTree } from './support/host.ts';

/** One white pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4////fwAJ+wP9KobjigAAAABJRU5ErkJggg==';

test('what is chosen is committed or discarded alone, with what it needs', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  writeFileSync(path.join(place.project, 'kept'), 'kept\n');
  const client = await startClient();
  await client.bash('mkdir d; echo x > d/x; echo y > d/y; echo more >> kept; echo a > a');
  await openSession(page, client.id);

  await row(page, 'x').locator('.tick').click();
  await page.getByRole('button', { name: 'Commit selection…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit x to the host' });
  await expect(sheet).toContainText('1 entry comes along');
  const report = await confirmCommit(page);
  await expect(report).toContainText('2 entries');
  await report.getByRole('button', { name: 'Done' }).click();
  await expect(row(page, 'x')).toHaveCount(0);
  expect(readFileSync(path.join(place.project, 'd/x'), 'utf8')).toBe('x\n');
  expect(Object.keys(hostTree(place.project)).sort()).toEqual(['d', 'd/x', 'kept']);

  await row(page, 'a').locator('.tick').click();
  await row(page, 'kept').locator('.tick').click();
  await page.getByRole('button', { name: 'Discard selection…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(row(page, 'a')).toHaveCount(0);
  await expect(row(page, 'y')).toBeVisible();
  expect(readFileSync(path.join(place.project, 'kept'), 'utf8')).toBe('kept\n');
  expect((await client.bash('cat kept d/y; ls')).output).toBe('kept\ny\nd\nkept');
});

test('text is found by line, a picture is drawn, and a file is saved as it is', async ({
  startClient,
  dashboard: page,
}) => {
  const client = await startClient();
  await client.bash(
    `seq 100 > numbers; echo '${PNG}' | base64 -d > pixel.png; printf '<b>Needle</b>\\n' > page.html`,
  );
  await openSession(page, client.id);
  await expect(row(page, 'numbers')).toBeVisible();
  await page.keyboard.press('s');
  await page.keyboard.type('needle');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /Needle/ }).click();
  await expect(page.locator('tr.target')).toContainText('<b>Needle</b>');
  await page.getByRole('searchbox').press('Escape');

  await page.getByRole('button', { name: 'More', exact: true }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the pending version' }).click();
  expect(readFileSync(await (await saved).path(), 'utf8')).toBe('<b>Needle</b>\n');

  await row(page, 'pixel.png').click();
  const picture = page.getByRole('img', { name: /Pending/ });
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await expect(row(page, 'numbers')).toHaveAccessibleName(/100 lines added/);
});

test('the commit sheet says the project first, the selection at the top, and caches last', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  const client = await startClient();
  const npx =
    'mkdir -p ~/.npm/_npx; for i in $(seq 30); do mkdir ~/.npm/_npx/x$i; echo $i > ~/.npm/_npx/x$i/f; done';
  await client.bash(
    `${npx}; mkdir src lib; for i in $(seq 20); do echo $i > src/f$i; done; echo 1 > lib/a; echo 1 > ~/.profile`,
  );
  await openSession(page, client.id);
  const head = page.locator('.session-actions');
  await page.getByRole('button', { name: 'Commit…' }).click();
  const lines = page.getByRole('region', { name: 'Where' }).getByRole('listitem');
  await expect(lines).toHaveText([
    ...[/^lib\/.*2/, /^src\/.*21/, /\.profile outside the project/, /\.npm\/ cache.*62/],
  ]);
  await page.keyboard.press('Escape');
  await row(page, 'a').locator('.tick').click();
  await head.getByRole('button', { name: /^Commit 1 of \d+…$/ }).click();
  await expect(page.getByRole('dialog', { name: 'Commit a to the host' })).toBeVisible();
  const report = await confirmCommit(page);
  await report.getByRole('button', { name: 'Done' }).click();
  expect(Object.keys(hostTree(place.project)).sort()).toEqual(['lib', 'lib/a']);
  await expect(head.getByRole('button')).toHaveText(['Discard…', 'Commit…']);
});
