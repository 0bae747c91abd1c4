/** Names and contents made to mislead, from a real overlay: shown for what they are, committed byte by byte. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { commitAll, openSession, readRows, row } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';
import { hostTree } from './support/host.ts';
import { exec, type Place } from './support/place.ts';

/** File names as bytes, and how each must read. */
const NAMES: [Buffer, string][] = [
  [Buffer.from('new\nline'), 'new\\nline'],
  [Buffer.from('new\\nline'), 'new\\\\nline'],
  [Buffer.from('tab\there'), 'tab\\there'],
  [Buffer.from('return\rhere'), 'return\\rhere'],
  [Buffer.from('escape\x1b[31mred'), 'escape\\x1b[31mred'],
  [Buffer.from('doc\u202etxt.exe'), 'doc\\u{202e}txt.exe'],
  [Buffer.from('zero\u200bwidth'), 'zero\\u{200b}width'],
  [Buffer.from('zerowidth'), 'zerowidth'],
  [Buffer.from('bad-\xff\xfe-utf8', 'latin1'), 'bad-\\xff\\xfe-utf8'],
  [Buffer.from('<img src=x onerror=alert(1)>'), '<img src=x onerror=alert(1)>'],
  [Buffer.from('&lt;b&gt;'), '&lt;b&gt;'],
  [Buffer.from('"quo\'te`s"'), '"quo\'te`s"'],
  [Buffer.from('__proto__'), '__proto__'],
  [Buffer.from('constructor'), 'constructor'],
  [Buffer.from('-rf'), '-rf'],
  [Buffer.from('%00%2e%2e'), '%00%2e%2e'],
  [Buffer.from('🙂 smile'), '🙂 smile'],
  [Buffer.from('n'.repeat(255)), 'n'.repeat(255)],
  [Buffer.from('é'), 'é'],
  [Buffer.from('e\u0301'), 'e\u0301'],
];

/** Makes the files in the sandbox, by a program that takes the bytes as they are. */
async function writeInSandbox(
  place: Place,
  session: string,
  files: readonly [Buffer, Buffer][],
): Promise<void> {
  const list = files.map(([name, content]) => [name.toString('base64'), content.toString('base64')]);
  const script = `for (const [n, c] of ${JSON.stringify(list)}) require('fs').writeFileSync(Buffer.from(n, 'base64'), Buffer.from(c, 'base64'))`;
  const program = path.join(place.dir, 'tmp/write.js');
  writeFileSync(program, script);
  await exec(place, session, `'${process.execPath}' '${program}'`);
}

test('names that try to hide or to run are shown escaped and told apart', async ({
  place,
  dashboard: page,
}) => {
  await writeInSandbox(
    place,
    'names',
    NAMES.map(([name], index) => [name, Buffer.from(`content ${index}\n`)]),
  );
  await page.setViewportSize({ width: 1280, height: 1000 });
  await openSession(page, 'names');
  const rows = page.getByRole('treeitem', { level: 2 });
  await expect(rows).toHaveCount(NAMES.length);

  await test.step('each row reads as it should, and carries no raw control character', async () => {
    const shown = await rows.locator('.row-name').allTextContents();
    expect([...shown].sort()).toEqual(NAMES.map(([, text]) => text).sort());
    expect(new Set(shown).size).toBe(NAMES.length);
    for (const text of shown)
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/);
    await expect(page.locator('.tree img, .tree b, .tree script')).toHaveCount(0);
  });

  await test.step('each opens its own content', async () => {
    const contents: string[] = [];
    for (let index = 0; index < NAMES.length; index++) {
      await rows.nth(index).click();
      const table = page.getByRole('table', { name: /^Differences in / });
      await expect(table).toBeVisible();
      await expect(rows.nth(index)).toHaveAttribute('aria-selected', 'true');
      const name = await rows.nth(index).locator('.row-name').textContent();
      await expect(page.locator('.diff-name')).toHaveText(name ?? '', { useInnerText: false });
      await expect(table).toContainText(/content \d+/);
      contents.push((await readRows(table)).map((line) => line.text).join());
    }
    expect(contents.sort()).toEqual(NAMES.map((_, index) => `content ${index}`).sort());
  });

  await test.step('commit puts exactly these bytes on the host', async () => {
    await commitAll(page);
    expect(Object.keys(hostTree(place.project)).sort()).toEqual(
      NAMES.map(([name]) => name.toString('latin1')).sort(),
    );
    NAMES.forEach(([name], index) => {
      const file = Buffer.concat([Buffer.from(`${place.project}/`), name]);
      expect(readFileSync(file, 'utf8')).toBe(`content ${index}\n`);
    });
  });
});

/** What is on the host, and what the sandbox makes of it. */
const CONTENTS: Record<string, [string | null, string]> = {
  'script.html': [
    null,
    '</script><script>alert(1)</script>\n<svg onload=alert(1)>\n<img src=x onerror=alert(2)>\n',
  ],
  'links.md': ['[a](javascript:alert(1))\nsame\n', '[b](javascript:alert(2))\nsame\n'],
  'ansi.log': [null, 'plain\n\x1b[2K\x1b[1A\x1b[31mred\x1b[0m\n\x07\x08\n'],
  'bare-cr.txt': ['one\n', 'one\nharmless\rrm -rf everything\n'],
  'crlf.txt': ['a\nb\nc\n', 'a\r\nb\r\nc\r\n'],
  'patch.txt': [
    'one\ntwo\nthree\n',
    'one\n--- a/other\n+++ b/other\n@@ -1,1 +1,1 @@\n-two\n+two\ndiff --git a/x b/x\n\\ No newline at end of file\nthree\n',
  ],
  'removed-dashes.sql': ['-- comment\n-- more\nselect 1;\n', 'select 1;\n'],
  'no-newline.txt': ['same\nlast', 'same\nlast\n'],
  'bidi.ts': [null, 'if (a\u202e && b\u2066) {}\nconst zero\u200bwidth = 1;\n'],
  'html-entities.txt': ['&amp;\n', '&lt;\n'],
  'private-use.txt': [null, 'mark \u{f000d} and \u{10fff0}\n'],
  'bom.txt': ['x\n', '\ufeffx\n'],
};

/** Rows that GNU diff shows: its own counter, and nothing of ours. */
function countedByDiff(before: string | null, after: string, place: Place): Record<string, number> {
  const [first, second] = [path.join(place.dir, 'tmp/before'), path.join(place.dir, 'tmp/after')];
  writeFileSync(first, before ?? '');
  writeFileSync(second, after);
  const out = execFileSync('sh', ['-c', 'diff --text -U3 "$1" "$2" || true', 'sh', first, second], {
    encoding: 'utf8',
  });
  const rows = out
    .split('\n')
    .slice(2, -1)
    .filter((line) => !line.startsWith('\\') && !line.startsWith('@@ '));
  const count = (sign: string): number => rows.filter((line) => line.startsWith(sign)).length;
  return { context: count(' '), removed: count('-'), added: count('+') };
}

async function openDiff(page: Page, name: string): Promise<ReturnType<Page['getByRole']>> {
  await row(page, name).click();
  const table = page.getByRole('table', {
    name: new RegExp(`^Differences in .*${name.replaceAll('.', '\\.')}$`),
  });
  await expect(table).toBeVisible();
  return table;
}

test('contents that try to hide or to run are shown line by line', async ({ place, dashboard: page }) => {
  for (const [name, [before]] of Object.entries(CONTENTS))
    if (before !== null) writeFileSync(path.join(place.project, name), before);
  await writeInSandbox(
    place,
    'contents',
    Object.entries(CONTENTS).map(([name, [, after]]) => [Buffer.from(name), Buffer.from(after)]),
  );
  await openSession(page, 'contents');

  for (const [name, [before, after]] of Object.entries(CONTENTS)) {
    await test.step(name, async () => {
      const rows = await readRows(await openDiff(page, name));
      const count = (kind: string): number => rows.filter((line) => line.kind === kind).length;
      const found = { context: count('context'), removed: count('removed'), added: count('added') };
      expect(found).toEqual(countedByDiff(before, after, place));
      for (const { text } of rows)
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066]/);
    });
  }

  await test.step('the list and the confirmation say which files hide something, whoever opens no diff', async () => {
    const chip = page.getByRole('button', { name: '3 files with hidden characters' });
    await chip.click();
    const flagged = page.getByRole('treeitem').filter({ has: page.locator('.risk-mark') });
    await expect(flagged.locator('.row-name')).toHaveText(['ansi.log', 'bare-cr.txt', 'bidi.ts']);
    await chip.click();
    await page.getByRole('button', { name: 'Commit…' }).click();
    await expect(page.getByRole('dialog')).toContainText('3 files with hidden characters');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('what would be swallowed has a name', async () => {
    const expected: [string, string[]][] = [
      ['bare-cr.txt', ['CR']],
      ['ansi.log', ['ESC', 'BEL', 'BS']],
      ['bidi.ts', ['RLO', 'LRI', 'ZWSP']],
      ['bom.txt', ['BOM']],
      ['no-newline.txt', ['no newline at end of file']],
      ['crlf.txt', ['CR']],
    ];
    for (const [name, labels] of expected) {
      const table = await openDiff(page, name);
      const shown = await table.locator('.ctl').allTextContents();
      for (const label of labels) expect(shown, name).toContain(label);
    }
    await openDiff(page, 'bidi.ts');
    await expect(page.getByRole('article')).toContainText('change the direction of text');
  });

  await test.step('side by side shows the same lines', async () => {
    await openDiff(page, 'patch.txt');
    await page.getByText('Split', { exact: true }).click();
    const table = page.getByRole('table', { name: /patch\.txt$/ });
    await expect(table).toHaveClass(/diff-split/);
    await expect(table).toBeVisible();
    await expect(table.locator('td.ins')).toHaveCount(7);
  });

  await test.step('commit puts exactly these bytes on the host', async () => {
    await commitAll(page);
    for (const [name, [, after]] of Object.entries(CONTENTS))
      expect(readFileSync(path.join(place.project, name), 'utf8'), name).toBe(after);
  });
});
