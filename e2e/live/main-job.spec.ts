/** The main job: a session made through the plugin's hooks, reviewed in the tab, committed by a click. */
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commitAll, confirmCommit, diffRows, openCommit, openSession, row } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';
import { contents, hostTree } from './support/host.ts';
import type { Place } from './support/place.ts';

const OLD = new Date('2024-05-06T07:08:09.000Z');

/** The project before Claude comes. */
function makeProject({ project }: Place): void {
  const files = {
    'src/app.ts': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n',
    'src/old-name.ts': 'export const kept = 1;\n',
    'README.md': 'untouched\n',
    'gone.txt': 'to be deleted\n',
    'run.sh': '#!/bin/sh\necho run\n',
    'secret.env': 'KEY=1\n',
  };
  mkdirSync(path.join(project, 'src'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text);
  chmodSync(path.join(project, 'secret.env'), 0o600);
  for (const name of Object.keys(files)) utimesSync(path.join(project, name), OLD, OLD);
}

test('a session made through the hooks is reviewed and committed', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  makeProject(place);
  const before = hostTree(place.project);
  const client = await startClient();

  const edit = await client.bash(
    "sed -i -e 's/^two$/TWO/' -e '/^nine$/d' -e '$a eleven' src/app.ts && greet you",
  );
  expect(edit).toEqual({ status: 0, output: 'hello you', refused: null });
  const generate = 'mkdir -p gen && for i in $(seq 60); do echo "file $i" > gen/f$i.txt; done';
  expect((await client.bash(generate)).status).toBe(0);
  await client.bash('rm gone.txt');
  await client.bash('mv src/old-name.ts src/new-name.ts');
  await client.bash('chmod 755 run.sh');
  await client.bash('echo KEY=2 >> secret.env; umask 077; echo private > made.key; ln -s src/app.ts link');
  const failing = await client.bash('echo half > half.txt; echo oops >&2; exit 7');
  expect(failing).toEqual({ status: 7, output: 'oops', refused: null });

  await test.step('nothing has reached the host', () => {
    expect(hostTree(place.project)).toEqual(before);
  });

  await test.step('the tree shows every kind of change', async () => {
    await openSession(page, client.id);
    const expected: [string, RegExp][] = [
      ['app.ts', /modified/],
      ['new-name.ts', /added/],
      ['old-name.ts', /deleted/],
      ['gone.txt', /deleted/],
      ['run.sh', /executable.*mode or owner changed/],
      ['secret.env', /modified/],
      ['made.key', /added/],
      ['half.txt', /added/],
      ['link', /symbolic link.*added/],
    ];
    await expect(row(page, 'gen')).toHaveAccessibleName(/gen 61 entries, 471 B added/);
    await row(page, 'gen').locator('.twist').click();
    for (const [name, words] of expected) await expect(row(page, name)).toHaveAccessibleName(words);
    await expect(row(page, 'README.md')).toHaveCount(0);
    // 60 generated files, their directory, new-name.ts, made.key, half.txt, link.
    await expect(page.locator('.session-sum')).toContainText('65 added');
    await expect(page.locator('.session-sum')).toContainText('2 modified');
    await expect(page.locator('.session-sum')).toContainText('2 deleted');
    await expect(page.locator('.session-sum')).toContainText('1 mode or owner');
  });

  await test.step('the diff is right, line by line', async () => {
    expect(await diffRows(page, 'app.ts')).toEqual([
      { kind: 'context', old: '1', new: '1', text: 'one' },
      { kind: 'removed', old: '2', new: '', text: 'two' },
      { kind: 'added', old: '', new: '2', text: 'TWO' },
      { kind: 'context', old: '3', new: '3', text: 'three' },
      { kind: 'context', old: '4', new: '4', text: 'four' },
      { kind: 'context', old: '5', new: '5', text: 'five' },
      { kind: 'context', old: '6', new: '6', text: 'six' },
      { kind: 'context', old: '7', new: '7', text: 'seven' },
      { kind: 'context', old: '8', new: '8', text: 'eight' },
      { kind: 'removed', old: '9', new: '', text: 'nine' },
      { kind: 'context', old: '10', new: '9', text: 'ten' },
      { kind: 'added', old: '', new: '10', text: 'eleven' },
    ]);
    expect(await diffRows(page, 'gone.txt')).toEqual([
      { kind: 'removed', old: '1', new: '', text: 'to be deleted' },
    ]);
    await row(page, 'run.sh').click();
    await expect(page.locator('.side-notes')).toContainText('Mode0644 → 0755');
  });

  await test.step('the timeline shows every call, where it ran and how it ended', async () => {
    await page.getByRole('link', { name: /^Timeline/ }).click();
    const calls = page.getByRole('listbox', { name: 'Calls' }).getByRole('option');
    await expect(calls).toHaveCount(7);
    await expect(calls.filter({ hasText: 'sandbox' })).toHaveCount(7);
    await expect(calls.filter({ hasText: 'exit 0' })).toHaveCount(6);
    await calls.filter({ hasText: 'half.txt' }).click();
    const detail = page.getByRole('article', { name: 'Call' });
    await expect(detail).toContainText('exit 7');
    await expect(detail).toContainText('oops');
    await expect(detail).toContainText(place.project);
  });

  await test.step('the click on commit', async () => {
    await openCommit(page);
    // 65 added, 2 modified, 2 deleted, 1 mode.
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Commit 70 entries' })).toBeEnabled();
    expect(hostTree(place.project)).toEqual(before);
    const report = await confirmCommit(page);
    await expect(report.getByText('Committed.')).toBeVisible();
    await expect(report).toContainText('70 entries');
    await report.getByRole('button', { name: 'Done' }).click();
  });

  await test.step('the host is what the sandbox was, and nothing else of it moved', () => {
    const after = hostTree(place.project);
    const file = (name: string): string => readFileSync(path.join(place.project, name), 'utf8');
    expect(file('src/app.ts')).toBe('one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nten\neleven\n');
    expect(file('secret.env')).toBe('KEY=1\nKEY=2\n');
    for (let i = 1; i <= 60; i++) expect(file(`gen/f${i}.txt`)).toBe(`file ${i}\n`);
    const { 'gone.txt': _gone, 'src/old-name.ts': moved, ...stayed } = before;
    const made = [...Array(60).keys()].map((i) => `gen/f${i + 1}.txt`);
    expect(Object.keys(after).sort()).toEqual(
      [...Object.keys(stayed), 'gen', ...made, 'src/new-name.ts', 'half.txt', 'made.key', 'link'].sort(),
    );
    expect(after['README.md']).toEqual(before['README.md']);
    // A rename keeps content and times; a mode change keeps them too.
    expect(contents(after)['src/new-name.ts']).toBe(contents(before)['src/old-name.ts']);
    expect(after['src/new-name.ts']?.mtime).toBe(moved?.mtime);
    expect(after['run.sh']).toMatchObject({ mode: '755', mtime: before['run.sh']?.mtime });
    expect(after['secret.env']?.mode).toBe('600');
    expect(after['made.key']?.mode).toBe('600');
    expect(after['link']).toMatchObject({ type: 'link', content: 'src/app.ts' });
  });

  await test.step('nothing is pending, and the session goes on', async () => {
    await page.getByRole('link', { name: /^Changes/ }).click();
    await expect(page.getByText('Nothing is pending')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Commit…' })).toBeDisabled();
    const next = await client.bash('cat src/app.ts | wc -l; echo more > later.txt');
    expect(next).toEqual({ status: 0, output: '10', refused: null });
    await expect(row(page, 'later.txt')).toBeVisible();
    await commitAll(page);
    expect(readFileSync(path.join(place.project, 'later.txt'), 'utf8')).toBe('more\n');
  });
  await client.end();
});
