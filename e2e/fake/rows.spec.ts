/** What a row of the list says by itself: where links lead to, and what became of another type. */
import { expect, layoutShift, open, test } from './page.ts';

test('links name their targets in full, whatever fits; swaps are words', async ({ watched: page }) => {
  await open(page, '/s/clash', 'clash');
  const row = (name: string) => page.locator(`[data-key$="/clash/${name}"]`);
  const link = (name: string) => row(name).locator('.row-link');
  await expect(link('link-changed')).toHaveAttribute(
    'title',
    'symbolic link to releases/2026-03, before to releases/2026-02',
  );
  await expect(link('link-changed').locator('.middle')).toHaveText(['releases/2026-02', 'releases/2026-03']);
  await expect(link('link-gone')).toHaveAttribute('title', 'symbolic link to /etc/hosts');
  await expect(link('link-odd')).toHaveAttribute(
    'title',
    'symbolic link to <b>a\\u{202e}hidden\\ntarget</b>',
  );
  await expect(link('link-odd').locator('b')).toHaveCount(0);
  await expect(link('link-odd')).toContainText('\\u{202e}');
  await expect(row('link-was-file')).toContainText('was a file');
  await expect(row('was-dir')).toContainText('directory, now a file');
  await expect(row('was-file')).toContainText('file, now a directory');
  await expect(
    page.getByRole('treeitem', { name: /^link-far symbolic link to .*very-long.*the-end-of-it/ }),
  ).toBeVisible();

  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of ['link-far', 'link-far-changed']) {
      // Its end stays in sight; what is cut lies before it.
      const now = link(name).locator('.middle').last();
      const { box, tail, cut } = await now.evaluate((middle) => {
        const head = middle.querySelector('.middle-head');
        return {
          box: middle.getBoundingClientRect().right,
          tail: middle.querySelector('.middle-tail')?.getBoundingClientRect().right ?? 0,
          // The sign that something is missing has its room, or the end would read like the whole target.
          cut: head !== null && head.scrollWidth > head.clientWidth && head.clientWidth >= 12,
        };
      });
      expect(cut).toBe(true);
      expect(tail).toBeLessThanOrEqual(box + 1);
      const heights = await page
        .getByRole('treeitem')
        .evaluateAll((rows) => rows.map((one) => one.clientHeight));
      expect(new Set(heights).size).toBe(1);
      const over = await row(name).evaluate((one) => one.scrollWidth > one.clientWidth);
      expect(over).toBe(false);
    }
  }
  expect(await layoutShift(page)).toBeLessThan(0.01);
});

test('however deep it lies, a row has its name and its letter in sight', async ({ watched: page }) => {
  await open(page, '/s/deep', 'deep');
  const rows = page.getByRole('treeitem');
  for (const width of [1_440, 1_024, 390]) {
    await page.setViewportSize({ width, height: 1_200 });
    await expect(rows.first()).toBeVisible();
    await rows.first().press('End');
    await expect(page.getByRole('treeitem', { name: /^n+/ })).toBeVisible();
    const cut = await rows.evaluateAll(
      (all) =>
        all.filter((row) => {
          const name = row.querySelector('.row-name')?.clientWidth ?? 0;
          return row.scrollWidth > row.clientWidth || name < 30;
        }).length,
    );
    expect(cut, `at ${width}`).toBe(0);
  }
});
