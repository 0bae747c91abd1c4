import { expect, open, test } from './page.ts';

const BASE = '/s/odd-names/f/home/kim/odd';

test('hostile names are shown as text, each different from the others', async ({ watched: page }) => {
  await open(page, '/s/odd-names');
  const names = page.locator('.row-name');
  await expect(names.first()).toBeVisible();
  const texts = await names.allTextContents();
  const wanted = [
    '<img src=x onerror=alert(1)>.txt',
    'two\\nlines.txt',
    'carriage\\rreturn.txt',
    'invoice\\u{202e}gpj.exe',
    'zero\\u{200b}width.txt',
    'zerowidth.txt',
    'bad-\\xff\\xfe.txt',
    '__proto__',
    'constructor',
    '-rf',
    '%00.txt',
  ];
  await page.setViewportSize({ width: 1200, height: 1600 });
  await expect.poll(() => names.allTextContents()).toEqual(expect.arrayContaining(wanted));
  expect(texts.filter((text) => text === 'clash').length).toBeLessThanOrEqual(2);
  expect(await page.locator('img, script[src*="alert"]').count()).toBe(0);
});

const CASES: [string, string[], number][] = [
  [
    'markup.html',
    [
      '</script><svg onload=alert(3)><a href="javascript:alert(4)">x</a>',
      '<iframe srcdoc="<script>alert(5)</script>">',
    ],
    3,
  ],
  ['carriage.sh', ['echo safeCRrm -rf ~'], 2],
  ['endings.txt', ['Line endings changed (LF → CRLF).', 'oneCR'], 5],
  ['trojan.ts', ['RLO', 'LRI', 'ZWSP'], 3],
  [
    'fake-header.patch',
    ['--- a/other', '+++ b/other', 'diff --git a/z b/z', '\\ No newline at end of file'],
    8,
  ],
  ['ansi.log', ['ESC[31mredESC[0mBELNULend'], 2],
  ['bom.json', ['BOM{"a":2}'], 2],
  ['stand-ins.txt', ['⟦U+F202E⟧', 'U+E0041'], 2],
  ['no-newline.txt', ['no newline at end of file'], 2],
  ['long-line.txt', ['… 503 more characters', '1 line longer than 2,000 characters cut.'], 3],
];

for (const layout of ['unified', 'split'] as const) {
  for (const [name, texts, lines] of CASES) {
    test(`${name} hides nothing (${layout})`, async ({ watched: page }) => {
      await open(page, `${BASE}/content/${name}`);
      if (layout === 'split') await page.getByText('Split').click();
      const table = page.locator(`table.diff-${layout}`);
      await expect(table).toHaveAttribute('data-rows', String(lines));
      const pane = page.getByRole('region', { name: 'Differences' });
      for (const text of texts) await expect(pane).toContainText(text);
      const changed = await table.locator('td.ins, td.del').count();
      const context = await table
        .locator(
          layout === 'unified' ? 'td.code:not(.ins, .del)' : 'td:nth-child(2).code:not(.ins, .del, .none)',
        )
        .count();
      expect(changed + context).toBe(lines);
    });
  }
}

test('a diff of many lines comes in batches that add up', async ({ watched: page }) => {
  await open(page, '/s/shop-discounts/f/home/kim/shop/fixtures/orders.jsonl');
  await page.getByRole('button', { name: 'Load diff' }).click();
  const rows = page.locator('table.diff tr.line');
  await expect(rows).toHaveCount(1_000);
  await page.getByRole('button', { name: 'Show 1,000 more rows' }).click();
  await expect(rows).toHaveCount(2_000);
  for (const total of [3_000, 4_000, 5_000, 5_200]) {
    await page.getByRole('button', { name: /more rows/ }).click();
    await expect(rows).toHaveCount(total);
    await expect(page.locator('table.diff tr:focus')).toHaveCount(1);
  }
  await expect(page.getByRole('button', { name: /more rows/ })).toHaveCount(0);
});

test('commands and output are text, whatever they hold', async ({ watched: page }) => {
  await open(page, '/s/odd-names/call/h1');
  await expect(page.locator('pre.command')).toContainText('\\u{202e}');
  await expect(page.locator('pre.output')).toContainText('<script>alert(7)</script>');
  await expect(page.locator('pre.output')).toContainText('hidden\\rover');
});

test('lines of the log that are no events are shown raw', async ({ watched: page }) => {
  await open(page, '/s/shop-discounts/calls');
  await page.getByText('2 lines of the log could not be read').click();
  await expect(page.getByText('{"v":9,"t":"call.teleported"}')).toBeVisible();
});
