/** How the tests speak of the page: by roles and words that a user sees. */
import { expect, type Locator, type Page } from '@playwright/test';

/** Opens a session from the list, as a user does. */
export async function openSession(page: Page, id: string): Promise<void> {
  await page.goto(new URL('/#/', page.url()).href);
  await page.getByRole('link', { name: id }).click();
  await expect(page.getByRole('button', { name: 'Discard…' })).toBeVisible();
}

export function tree(page: Page): Locator {
  return page.getByRole('tree', { name: 'Changed files' });
}

/** The row of the entry with this name, as it is written in the tree. */
export function row(page: Page, name: string): Locator {
  return tree(page)
    .getByRole('treeitem')
    .filter({ has: page.locator('.row-name', { hasText: exactly(name) }) });
}

export function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

export interface DiffRow {
  kind: 'context' | 'added' | 'removed';
  old: string;
  new: string;
  text: string;
}

/** Opens an entry and reads its unified diff, row by row, as it stands in the page. */
export async function diffRows(page: Page, name: string): Promise<DiffRow[]> {
  await row(page, name).click();
  // That of the entry before may still be there.
  const table = page.getByRole('table', { name: `/${name}` });
  await expect(table).toBeVisible();
  return await readRows(table);
}

export async function readRows(table: Locator): Promise<DiffRow[]> {
  return await table.locator('tr.line').evaluateAll((rows) =>
    rows.map((line): DiffRow => {
      const [before, after, code] = [...line.children];
      const kind = code?.classList.contains('ins')
        ? 'added'
        : code?.classList.contains('del')
          ? 'removed'
          : 'context';
      const text = code?.querySelector('.text')?.textContent ?? '';
      return { kind, old: before?.textContent ?? '', new: after?.textContent ?? '', text };
    }),
  );
}

/** Opens the commit panel; its button says what it would do. */
export async function openCommit(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Commit…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Commit to the host' });
  // All of 50,000 new texts are read before, on a machine that does other things.
  await expect(sheet.getByRole('button', { name: /^Commit \d/ })).toBeVisible({ timeout: 60_000 });
  return sheet;
}

/** Confirms an open commit panel and waits for the report. */
export async function confirmCommit(page: Page): Promise<Locator> {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Commit \d/ })
    .click();
  const report = page.getByRole('dialog', { name: 'Commit report' });
  await expect(report).toBeVisible({ timeout: 60_000 });
  return report;
}

/** Confirms an open discard panel: of everything it wants the number typed. */
export async function confirmDiscard(page: Page, button = 'Discard'): Promise<void> {
  const sheet = page.getByRole('dialog');
  const field = sheet.getByRole('textbox', { name: /to confirm/ });
  await field.fill((await sheet.locator('.guard .mono').textContent()) ?? '');
  await sheet.getByRole('button', { name: button, exact: true }).click();
}

/** The whole way: open, confirm, read that it was done, close. */
export async function commitAll(page: Page): Promise<void> {
  await openCommit(page);
  const report = await confirmCommit(page);
  await expect(report.getByText('Committed.')).toBeVisible();
  await report.getByRole('button', { name: 'Done' }).click();
}

/** Clicks what may be there, and may go by itself before the click: the news that it asks for have come without it. */
export async function clickIfThere(button: Locator): Promise<void> {
  if (!(await button.isVisible())) return;
  await button.click({ timeout: 5_000 }).catch(async (error: unknown) => {
    if (await button.isVisible()) throw error;
  });
}
