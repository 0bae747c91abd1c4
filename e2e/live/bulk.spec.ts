/** 50,000 pending files: the page stays usable, and commit takes all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { openCommit, openSession, row, tree } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';
import { exec } from './support/place.ts';

const DIRS = 50;
const FILES = 1_000;
/** The dashboard's own budget. */
const MAX_NODES = 15_000;

async function nodes(page: Page): Promise<number> {
  return await page.evaluate(() => document.querySelectorAll('*').length);
}

test('50,000 pending files are listed, searched, scrolled and committed', async ({
  place,
  dashboard: page,
}) => {
  test.setTimeout(300_000);
  const make = `echo x > note; mkdir -p big && cd big && for d in $(seq ${DIRS}); do mkdir d$d; for f in $(seq ${FILES}); do echo "$d/$f" > d$d/f$f; done; done`;
  await exec(place, 'bulk', make);
  await openSession(page, 'bulk');
  // The list of sessions may have scanned in the middle of the command: then the newer list waits for a click.
  const newer = page.getByRole('button', { name: /changes? – refresh$/ });
  await expect(async () => {
    if (await newer.isVisible()) await newer.click({ timeout: 1_000 });
    await expect(page.locator('.session-sum')).toContainText('50,052 added', { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  expect(await nodes(page)).toBeLessThan(MAX_NODES);

  await test.step('open and scroll to the end', async () => {
    const opened = row(page, 'd1');
    await row(page, 'big').locator('.twist').click();
    await opened.locator('.twist').click();
    await expect(opened).toHaveAttribute('aria-expanded', 'true');
    await opened.press('End');
    await expect(tree(page).getByRole('treeitem').last()).toBeFocused();
    expect(await nodes(page)).toBeLessThan(MAX_NODES);
  });

  await test.step('search', async () => {
    await page.getByRole('searchbox', { name: 'Filter files' }).fill('d37/f999');
    await expect(row(page, 'f999')).toBeVisible();
    await row(page, 'f999').click();
    await expect(page.getByRole('table', { name: /^Differences in / })).toContainText('37/999');
    await page.getByRole('searchbox', { name: 'Filter files' }).fill('f');
    expect(await nodes(page)).toBeLessThan(MAX_NODES);
    await page.getByRole('searchbox', { name: 'Filter files' }).fill('');
  });

  await test.step('commit', async () => {
    const sheet = await openCommit(page);
    await expect(sheet.getByRole('button', { name: 'Commit 50,052 entries' })).toBeEnabled({
      timeout: 60_000,
    });
    await sheet.getByRole('button', { name: 'Commit 50,052 entries' }).click();
    const report = page.getByRole('dialog', { name: 'Commit report' });
    await expect(report.getByText('Committed.')).toBeVisible({ timeout: 180_000 });
    await expect(report).toContainText('50,052 entries');
    for (let d = 1; d <= DIRS; d++) {
      const dir = path.join(place.project, `big/d${d}`);
      const names = readdirSync(dir);
      expect(names.length).toBe(FILES);
      const wrong = names.filter(
        (name) => readFileSync(path.join(dir, name), 'utf8') !== `${d}/${name.slice(1)}\n`,
      );
      expect(wrong).toEqual([]);
    }
    await report.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText('Nothing is pending')).toBeVisible({ timeout: 60_000 });
  });
});
