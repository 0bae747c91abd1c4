/** Several sessions of one project: what each shows of the others, and going on with an earlier one. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openSession, row } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';
import { trai } from './support/place.ts';

test('two sessions that change the same file show it, with a way to each other', async ({
  startClient,
  dashboard: page,
}) => {
  const [first, second] = [await startClient(), await startClient()];
  await first.bash('mkdir src; echo 1 > src/same; echo 1 > mine');
  await openSession(page, first.id);
  await expect(row(page, 'same')).toBeVisible();
  await second.bash('mkdir src; echo 2 > src/same');
  const banner = page.locator('.banner', { hasText: 'has pending changes of the same paths' });
  await expect(banner).toContainText('src/same');
  await expect(banner).not.toContainText('mine');
  await banner.getByRole('link', { name: second.id }).click();
  await expect(page.locator('.session-id')).toHaveText(second.id);
  await expect(banner.getByRole('link', { name: first.id })).toBeVisible();

  // And so does each in the list of sessions. Loaded anew: it keeps new sessions back until the reader asks for them.
  await page.goto(new URL('/#/', page.url()).href);
  await page.reload();
  for (const [one, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const card = page.locator('.session-card').filter({ has: page.getByRole('link', { name: one.id }) });
    await expect(card).toContainText(`also pending in ${other.id}`);
  }
});

test('a new session names an earlier one, and its command moves the changes over', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  writeFileSync(path.join(place.project, 'theirs'), 'before\n');
  const earlier = await startClient();
  await earlier.bash('echo 1 > one; echo mine > theirs');
  await earlier.bash('sh -c true');
  writeFileSync(path.join(place.project, 'theirs'), 'of the host\n');
  await openSession(page, earlier.id);
  const moved = page.locator('.banner', { hasText: 'You changed 1 of the 2 pending paths' });
  await expect(moved).toContainText('theirs');
  earlier.leave();

  const later = await startClient();
  // Its address: the list keeps new sessions back until the reader asks for them.
  await page.goto(new URL(`/#/s/${later.id}`, page.url()).href);
  const offer = page.locator('.banner', { hasText: 'To continue with them here' });
  await expect(offer).toContainText(`/trai:adopt ${earlier.id}`);
  await expect(offer).toContainText('2 pending changes');
  const command = await offer.getByRole('button').getAttribute('title');
  const [, ...words] = command?.split(' ') ?? [];
  const ended = await trai(place, words);
  expect(ended).toMatchObject({
    status: 0,
    out: expect.stringContaining('continues with 2 pending changes'),
  });

  await expect(row(page, 'one')).toBeVisible();
  await expect(offer).toHaveCount(0);
  await expect(moved).toContainText('theirs');
  expect((await later.bash('cat one theirs')).output).toBe('1\nmine');
  await openSession(page, earlier.id);
  await expect(page.locator('.banner', { hasText: `moved to session ${later.id}` })).toBeVisible();
});
