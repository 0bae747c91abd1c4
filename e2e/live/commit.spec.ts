/** What commit asks before it acts: conflicts, mass deletions, ignored entries, running processes. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  clickIfThere,
  commitAll,
  confirmCommit,
  confirmDiscard,
  openCommit,
  openSession,
  row,
} from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';
import { hostTree } from './support/host.ts';
import { exec } from './support/place.ts';

test('conflicts are shown, decided one by one, and nothing is overwritten silently', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  const file = (name: string): string => path.join(place.project, name);
  for (const name of ['a', 'b', 'c']) writeFileSync(file(name), `${name} old\n`);
  const client = await startClient();
  await client.bash('for f in a b c; do echo "$f sandbox" > $f; done; echo made > d');
  writeFileSync(file('a'), 'a host\n');
  writeFileSync(file('b'), 'b host\n');
  writeFileSync(file('d'), 'd host\n');
  const before = hostTree(place.project);

  await openSession(page, client.id);
  for (const name of ['a', 'b', 'd']) await expect(row(page, name)).toHaveAccessibleName(/conflict/);
  await expect(row(page, 'c')).not.toHaveAccessibleName(/conflict/);

  const sheet = await openCommit(page);
  const button = sheet.getByRole('button', { name: /^Commit \d/ });
  await expect(sheet.getByRole('heading', { name: '3 conflicts' })).toBeVisible();
  await expect(button).toBeDisabled();
  await expect(sheet).toContainText('Choose what to do with 3 conflicts.');
  const choose = async (name: string, choice: string): Promise<void> => {
    await sheet
      .getByRole('group', { name: `What to do with ${file(name)}` })
      .getByText(choice)
      .click();
  };
  await choose('a', 'Keep host');
  await choose('b', 'Take sandbox');
  await expect(button).toBeDisabled();
  await choose('d', 'Keep host');
  await expect(button).toBeEnabled();
  expect(hostTree(place.project)).toEqual(before);

  const report = await confirmCommit(page);
  await expect(report.getByText('Committed.')).toBeVisible();
  const after = hostTree(place.project);
  expect(after['a']).toEqual(before['a']);
  expect(after['d']).toEqual(before['d']);
  expect(readFileSync(file('b'), 'utf8')).toBe('b sandbox\n');
  expect(readFileSync(file('c'), 'utf8')).toBe('c sandbox\n');
});

test('what the host changes while the panel is open is not overwritten', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  const file = path.join(place.project, 'note');
  writeFileSync(file, 'old\n');
  const client = await startClient();
  await client.bash('echo sandbox > note');
  await openSession(page, client.id);
  const sheet = await openCommit(page);
  writeFileSync(file, 'host, at the last moment\n');
  await sheet.getByRole('button', { name: 'Commit 1 entry' }).click();
  await expect(sheet.getByRole('alert')).toContainText('The list of changes is out of date');
  expect(readFileSync(file, 'utf8')).toBe('host, at the last moment\n');
  // After a refresh it is a conflict like any other.
  const refresh = sheet.getByRole('button', { name: 'Refresh' });
  await clickIfThere(refresh);
  await expect(sheet.getByRole('heading', { name: '1 conflict' })).toBeVisible();
  await expect(sheet.getByRole('button', { name: /^Commit \d/ })).toBeDisabled();
});

test('deleting more than 1,000 host files wants their number typed', async ({ place, dashboard: page }) => {
  mkdirSync(path.join(place.project, 'many'));
  for (let i = 0; i < 1_200; i++) writeFileSync(path.join(place.project, `many/${i}`), `${i}`);
  await exec(place, 'mass', 'rm -r many');
  await openSession(page, 'mass');
  const sheet = await openCommit(page);
  const button = sheet.getByRole('button', { name: /^Commit \d/ });
  // The files and their directory.
  await expect(sheet).toContainText('This deletes or replaces 1,201 entries on the host.');
  const field = sheet.getByRole('textbox', { name: /Type 1201 to confirm/ });
  await expect(button).toBeDisabled();
  for (const wrong of ['120', '1200', 'yes', '1201x']) {
    await field.fill(wrong);
    await expect(button).toBeDisabled();
  }
  expect(existsSync(path.join(place.project, 'many/1199'))).toBe(true);
  await field.fill('1201');
  await expect(button).toBeEnabled();
  await expect((await confirmCommit(page)).getByText('Committed.')).toBeVisible();
  expect(existsSync(path.join(place.project, 'many'))).toBe(false);
});

test('ignored entries are counted, stay behind, and come along when the box is ticked', async ({
  place,
  dashboard: page,
}) => {
  await exec(place, 'ignored', 'mkdir -p ~/.cache/tool; echo blob > ~/.cache/tool/blob; echo kept > kept');
  const blob = path.join(place.home, '.cache/tool/blob');
  await openSession(page, 'ignored');
  await expect(page.locator('.session-sum')).toContainText('1 added');
  await expect(page.locator('.session-sum')).toContainText('+ 3 ignored');

  const sheet = await openCommit(page);
  await expect(sheet.getByRole('checkbox', { name: /Also commit 3 ignored entries/ })).not.toBeChecked();
  const report = await confirmCommit(page);
  await expect(report).toContainText('1 entry');
  await report.getByRole('button', { name: 'Done' }).click();
  expect(readFileSync(path.join(place.project, 'kept'), 'utf8')).toBe('kept\n');
  expect(existsSync(blob)).toBe(false);

  await openCommit(page);
  await page.getByRole('checkbox', { name: /Also commit 3 ignored entries/ }).check();
  await expect(page.getByRole('button', { name: 'Commit 3 entries' })).toBeEnabled();
  await confirmCommit(page);
  expect(readFileSync(blob, 'utf8')).toBe('blob\n');
});

test('a running session is committed by copies; discarding it may end its processes', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  const client = await startClient();
  // The scratch directory is the host's: a file in it tells the writer to go on.
  const signal = `/tmp/trai-live-go-${process.pid}-${client.id.slice(0, 8)}`;
  const log = path.join(place.project, 'log');
  try {
    const writer = `exec 3>>log; echo first >&3; while [ ! -e ${signal} ]; do sleep 0.05; done; echo second >&3; sleep 600`;
    const started = await client.bash(
      `(${writer}) </dev/null >/dev/null 2>&1 & until [ -s log ]; do sleep 0.05; done`,
    );
    expect(started).toMatchObject({ status: 0, refused: null });

    await openSession(page, client.id);
    await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('live');
    const sheet = await openCommit(page);
    await expect(sheet).toContainText('copies of what is there now are committed');
    await expect(sheet.getByRole('list', { name: 'Processes' })).toContainText(/sleep|bash/);
    const report = await confirmCommit(page);
    await expect(report).toContainText('copies were committed');
    await report.getByRole('button', { name: 'Done' }).click();
    expect(readFileSync(log, 'utf8')).toBe('first\n');

    await test.step('what the writer writes next is pending', async () => {
      writeFileSync(signal, '');
      await expect.poll(async () => await exec(place, client.id, 'cat log')).toBe('first\nsecond\n');
      expect(readFileSync(log, 'utf8')).toBe('first\n');
      await openSession(page, client.id);
      await expect(row(page, 'log')).toHaveAccessibleName(/modified/);
      await expect(row(page, 'log')).not.toHaveAccessibleName(/conflict/);
    });

    await test.step('discard', async () => {
      await page.getByRole('button', { name: 'Discard…' }).click();
      const discard = page.getByRole('dialog', { name: 'Discard what is pending' });
      await expect(discard).toContainText(
        'What one has open for writing stays pending, unless you end them.',
      );
      await discard.getByRole('checkbox', { name: /^End / }).check();
      await confirmDiscard(page, 'End them and discard');
      await expect(page.locator('.banners').getByText(/^Discarded \d/)).toBeVisible();
      expect(readFileSync(log, 'utf8')).toBe('first\n');
    });
    await exec(place, client.id, 'cat log; echo on > after');
    await openSession(page, client.id);
    await commitAll(page);
    expect(readFileSync(path.join(place.project, 'after'), 'utf8')).toBe('on\n');
    expect(readFileSync(log, 'utf8')).toBe('first\n');
  } finally {
    rmSync(signal, { force: true });
  }
});
