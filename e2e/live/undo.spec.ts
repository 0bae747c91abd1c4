/** A commit is taken back: from its report, and from the history. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { confirmCommit, openCommit, openSession, row } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';
import { contents, hostTree } from './support/host.ts';

test('a commit is taken back from its report, and committed again from the history', async ({
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
  await openCommit(page);
  await confirmCommit(page);
  const after = hostTree(place.project);
  expect(after).not.toEqual(before);

  await page.getByRole('button', { name: 'Undo commit…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Undo commit 1' });
  await expect(sheet).toContainText('2 entries');
  await expect(sheet).toContainText('3 entries');
  await sheet.getByRole('button', { name: 'Undo commit', exact: true }).click();
  await expect(sheet).toBeHidden();
  // The very same files, with their inodes and times.
  expect(hostTree(place.project)).toEqual(before);
  await expect(row(page, 'kept')).toHaveAccessibleName(/modified/);
  await expect(row(page, 'gone')).toHaveAccessibleName(/deleted/);
  expect((await client.bash('cat kept deep/er/file; ls')).output).toBe('kept\nmore\nx\ndeep\nkept');

  await page.getByRole('link', { name: 'History' }).first().click();
  await page.getByRole('button', { name: /entr.* of Commit 1/ }).click();
  const paths = page.getByRole('list', { name: 'Paths of Commit 1' });
  await expect(paths.getByRole('listitem')).toHaveCount(5);
  await expect(paths.getByRole('listitem').filter({ hasText: 'gone' })).toContainText('removed');
  await expect(paths.getByRole('link', { name: path.join(place.project, 'deep/er/file') })).toBeVisible();
  await page.getByRole('button', { name: 'Commit again' }).click();
  await expect(page.getByRole('row', { name: /Commit 3, again/ })).toBeVisible();
  expect(contents(hostTree(place.project))).toEqual(contents(after));
});
