/** Files of which only the modification time differs: never reviewed, always said, and committed along. */
import { expect, open, test } from './page.ts';

const BESIDE = 'Only the modification times of 12 files differ. A commit applies them.';
const ALONE = 'Only the modification times of 2 files differ. A commit applies them.';

test('times that a commit takes along stand beside the changes, in the sheet and in the report', async ({
  watched: page,
}) => {
  await open(page, '/s/beside', 'times');
  const head = page.locator('.session-head');
  await expect(head.getByTitle(BESIDE)).toHaveText(`+ 12 file times: ${BESIDE}`);
  await page.getByRole('button', { name: 'Commit…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit to the host' });
  await expect(sheet.getByTitle(BESIDE)).toBeVisible();
  await expect(sheet.getByText(BESIDE, { exact: true })).toBeVisible();
  await sheet.getByRole('button', { name: 'Commit 1 entry' }).click();
  const report = page.getByRole('dialog', { name: 'Commit report' });
  await expect(report).toContainText('1 entry');
  await expect(report).toContainText('+ 12 file times');
  await expect(head.getByTitle(BESIDE)).toHaveCount(0);
});

test('a session in which only times differ offers to commit them', async ({ watched: page }) => {
  await open(page, '/s/alone', 'times');
  await expect(page.getByText('Nothing is pending')).toBeVisible();
  await expect(page.locator('.session-head').getByTitle(ALONE)).toBeVisible();
  await expect(page.locator('main').getByText(ALONE, { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Discard…' })).toBeDisabled();
  await page.getByRole('button', { name: 'Commit 2 file times…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit to the host' });
  await expect(sheet.getByTitle(ALONE)).toBeVisible();
  await expect(sheet).not.toContainText('nothing pending');
  await sheet.getByRole('button', { name: 'Commit 2 file times' }).click();
  const report = page.getByRole('dialog', { name: 'Commit report' });
  await expect(report).toContainText('+ 2 file times');
  await expect(report.getByRole('button', { name: 'Undo commit…' })).toBeVisible();
  await report.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Commit…' })).toBeDisabled();
});

test('a file of which only the time differs says so where it is not pending', async ({ watched: page }) => {
  await open(page, '/s/beside/f/home/kim/shop/in.stamp', 'times');
  await expect(page.getByRole('region', { name: 'Selected file' })).toContainText(
    'Only its modification time differs. Commit everything, or a directory above it, to apply that.',
  );
  await open(page, '/s/beside/f/home/kim/shop/other', 'times');
  await expect(page.getByText('It was committed, discarded, or never changed')).toBeVisible();
});
