/** What should be looked at first. */
import { expect, layoutShift, open, test } from './page.ts';

const SHOP = '/s/shop-discounts';

test('flags are counted at the top, filter the list, and are explained beside the diff', async ({
  watched: page,
}) => {
  await open(page, SHOP);
  const outside = page.getByRole('button', { name: '1 outside the project' });
  await outside.click();
  await expect(outside).toHaveAttribute('aria-pressed', 'true');
  const rows = page.getByRole('treeitem').filter({ has: page.locator('.risk-mark') });
  await expect(rows).toHaveCount(1);
  await rows.click();
  await expect(page.locator('.diff-risks')).toContainText('outside the directory that the session works in');
  await outside.click();
  await expect(page.getByRole('treeitem', { name: /cart\.ts/ })).toBeVisible();
});

test('the commit panel names them', async ({ watched: page }) => {
  await open(page, SHOP);
  await page.getByRole('button', { name: 'Commit…' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 outside the project');
});

test('the commit panel of a part names what goes, and nothing else', async ({ watched: page }) => {
  await open(page, SHOP);
  const order = async (name: RegExp) => {
    await page.getByRole('treeitem', { name }).locator('.tick').click();
    await page.getByRole('button', { name: 'Commit selection…' }).click();
    const sheet = page.getByRole('dialog', { name: /^Commit / });
    await expect(sheet).toContainText('Size');
    return sheet;
  };
  const script = await order(/release\.sh/);
  await expect(script).toContainText('Worth a look1 newly executable');
  await expect(script).not.toContainText('outside the project');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(await order(/cart\.ts/)).not.toContainText('Worth a look');
});

test('hidden characters in a text are flagged in the list, without its diff being opened', async ({
  watched: page,
}) => {
  await open(page, '/s/odd-names');
  const chip = page.getByRole('button', { name: /\d+ files with hidden characters/ });
  await chip.click();
  const rows = page.getByRole('treeitem').filter({ has: page.locator('.risk-mark') });
  await expect(rows.filter({ hasText: 'trojan.ts' })).toHaveAccessibleName(/file with hidden characters/);
  await expect(rows.filter({ hasText: 'carriage.sh' })).toHaveCount(1);
  // Line ends of CR LF, a byte order mark and a word that was made visible hide nothing.
  for (const name of ['endings.txt', 'bom.json', 'no-newline.txt'])
    await expect(page.getByRole('treeitem', { name })).toHaveCount(0);
  await rows.filter({ hasText: 'trojan.ts' }).click();
  await expect(page.locator('.diff-notes')).toContainText('The diff shows each of them by name.');
});

test('the list is drawn before the texts are looked into, and what comes of it moves nothing', async ({
  watched: page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'traiFake', {
      configurable: true,
      set(fake: Window['traiFake']) {
        const ask = fake.hiddenTexts.bind(fake);
        fake.hiddenTexts = async (session) => {
          await new Promise((go) => addEventListener('go-on', go, { once: true }));
          return await ask(session);
        };
        Object.defineProperty(window, 'traiFake', { value: fake, writable: true });
      },
    });
  });
  await open(page, '/s/odd-names/f/home/kim/odd/content/trojan.ts');
  const row = page.getByRole('treeitem', { name: 'trojan.ts' });
  await expect(row).toBeVisible();
  // The diff need not wait for the list's flag to warn.
  await expect(page.locator('.diff-notes')).toContainText('File with hidden characters');
  const chip = page.getByRole('button', { name: /files with hidden characters/ });
  await expect(chip).toHaveCount(0);
  await page.evaluate(() => dispatchEvent(new Event('go-on')));
  await expect(chip).toBeVisible();
  await expect(row).toHaveAccessibleName(/file with hidden characters/);
  expect(await layoutShift(page)).toBe(0);
});

test('the commit panel of a part says that what goes has hidden characters', async ({ watched: page }) => {
  await open(page, '/s/odd-names');
  const order = async (name: string) => {
    await page.getByRole('treeitem', { name }).locator('.tick').click();
    await page.getByRole('button', { name: 'Commit selection…' }).click();
    return page.getByRole('dialog', { name: /^Commit / });
  };
  await expect(await order('trojan.ts')).toContainText('Worth a look1 file with hidden characters');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  const other = await order('endings.txt');
  await expect(other).toContainText('Size');
  await expect(other).not.toContainText('Worth a look');
});

test('as long as not all texts are looked at, the list says so, and then what came of it', async ({
  watched: page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'traiFake', {
      configurable: true,
      set(fake: Window['traiFake']) {
        const answers = [
          { hidden: [], left: 5, unread: 0 },
          { hidden: [], left: 0, unread: 0 },
        ];
        fake.hiddenTexts = async () => {
          const answer = answers[0];
          if (answers.length === 1) await new Promise((go) => addEventListener('go-on', go, { once: true }));
          answers.shift();
          return answer ?? { hidden: [], left: 0, unread: 2 };
        };
        Object.defineProperty(window, 'traiFake', { value: fake, writable: true });
      },
    });
  });
  await open(page, '/s/shop-discounts');
  const files = page.getByRole('region', { name: 'Files' });
  await expect(files).toContainText('Scanning for hidden characters… 5 left');
  await page.evaluate(() => dispatchEvent(new Event('go-on')));
  await expect(files).toContainText('No hidden characters');
  expect(await layoutShift(page)).toBe(0);
});
