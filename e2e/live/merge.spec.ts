/** A conflict in a text: what merging would put on the host is shown first, and lands as it was shown. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { confirmCommit, openCommit, openSession } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';

const OLD = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`);
const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const withLine = (n: number, line: string): string[] => OLD.with(n - 1, line);

test('changes in different lines are merged, changes of the same line only with markers and when asked', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  const file = (name: string): string => path.join(place.project, name);
  for (const name of ['apart', 'same']) writeFileSync(file(name), text(OLD));
  const client = await startClient();
  await client.bash(`sed -i 's/^line 2$/line 2, sandbox/' apart same`);
  // Until the base is on record nobody knows what both began with.
  const bases = path.join(place.state, 'sessions', client.id, 'overlay/base.jsonl');
  await expect.poll(() => existsSync(bases) && readFileSync(bases, 'utf8')).toMatch(/apart[\s\S]*same/);
  writeFileSync(file('apart'), text(withLine(18, 'line 18, host')));
  writeFileSync(file('same'), text(withLine(2, 'line 2, host')));

  await openSession(page, client.id);
  const sheet = await openCommit(page);
  const choose = async (name: string): Promise<void> => {
    const group = sheet.getByRole('group', { name: `What to do with ${file(name)}` });
    await group.getByText('Merge', { exact: true }).click();
  };
  await choose('apart');
  const look = sheet.locator('.merge-result');
  await expect(look).toContainText('line 2, sandbox');
  await look.getByRole('button', { name: 'Use this merge' }).click();
  await expect(look).toHaveCount(0);

  await sheet.getByRole('button', { name: `Compare ${file('same')}` }).click();
  const sides = sheet.getByRole('group', { name: 'Both changed this (1 of 1)' }).locator('.pane');
  await expect(sides).toHaveText([/line 2, host$/, /2line 2$/, /line 2, sandbox$/]);
  await choose('same');
  await expect(look).toContainText('1 overlap. Insert conflict markers');
  await look.getByRole('button', { name: 'Insert conflict markers' }).click();

  await confirmCommit(page);
  expect(readFileSync(file('apart'), 'utf8')).toBe(
    text(withLine(2, 'line 2, sandbox').with(17, 'line 18, host')),
  );
  expect(readFileSync(file('same'), 'utf8')).toBe(
    text(
      withLine(
        2,
        '<<<<<<< host\nline 2, host\n||||||| base\nline 2\n=======\nline 2, sandbox\n>>>>>>> sandbox',
      ),
    ),
  );
});
