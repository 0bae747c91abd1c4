/** Discard and its undo. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { commitAll, confirmDiscard, openSession, row } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';
import { contents, hostTree } from './support/host.ts';

test('a discard leaves the host alone, and the banner takes it back', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  writeFileSync(path.join(place.project, 'kept'), 'kept\n');
  writeFileSync(path.join(place.project, 'gone'), 'gone\n');
  const before = hostTree(place.project);
  const client = await startClient();
  await client.bash('echo more >> kept; rm gone; mkdir -p deep/er; echo x > deep/er/file; chmod 711 deep');
  await openSession(page, client.id);
  await page.getByRole('button', { name: 'Discard…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Discard what is pending' });
  await expect(sheet).toContainText('3 added');
  await expect(sheet).toContainText('1 modified');
  await expect(sheet).toContainText('1 deleted');
  // A click alone drops nothing: the number is typed, and it is that number.
  const order = sheet.getByRole('button', { name: 'Discard', exact: true });
  await expect(order).toBeDisabled();
  await sheet.getByRole('textbox', { name: /to confirm/ }).fill('4');
  await expect(order).toBeDisabled();
  await confirmDiscard(page);

  const banner = page.locator('.banners').getByText(/^Discarded 5 entries/);
  await expect(banner).toBeVisible();
  await expect(page.getByText('Nothing is pending')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Commit…' })).toBeDisabled();
  expect(hostTree(place.project)).toEqual(before);

  await page.getByRole('button', { name: 'Undo discard' }).click();
  await expect(banner).toBeHidden();
  await expect(row(page, 'kept')).toHaveAccessibleName(/modified/);
  await expect(row(page, 'gone')).toHaveAccessibleName(/deleted/);
  expect(hostTree(place.project)).toEqual(before);

  // What came back is whole: a call sees it, and commit applies it.
  expect((await client.bash('cat kept deep/er/file; ls')).output).toBe('kept\nmore\nx\ndeep\nkept');
  await openSession(page, client.id);
  await commitAll(page);
  const after = contents(hostTree(place.project));
  expect(Object.keys(after)).toEqual(['deep', 'deep/er', 'deep/er/file', 'kept']);
  expect(after['deep']).toBe('dir 711 ');
});

test('an undo onto newer work is refused and touches nothing', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  const client = await startClient();
  await client.bash('echo one > first');
  await openSession(page, client.id);
  await page.getByRole('button', { name: 'Discard…' }).click();
  await confirmDiscard(page);
  await expect(page.locator('.banners').getByText(/^Discarded 1 entry/)).toBeVisible();
  await client.bash('echo two > second');
  await openSession(page, client.id);
  await expect(row(page, 'second')).toBeVisible();
  const undo = page.getByRole('button', { name: 'Undo discard' });
  await undo.click();
  await expect(page.getByRole('alert')).toContainText('The overlay is not empty');
  expect((await client.bash('ls')).output).toBe('second');
  expect(Object.keys(hostTree(place.project))).toEqual([]);
});
