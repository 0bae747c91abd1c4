/** What a new tab asks for until the first line of a diff, without a clock. */
import type { Route } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { dashboardUrl, exec } from './support/place.ts';

const SESSION = 'first-line';
/** All that the first view of a session shows. */
const TOGETHER = ['settings', 'sessions', 'session', 'changes', 'calls', 'viewed', 'events'].sort();

/** `settings`, or the last part of an address below the session's. */
function nameOf(url: string): string {
  const [, , first = '', id, rest = 'session'] = new URL(url).pathname.split('/');
  return id === undefined ? first : rest;
}

test('what the first view needs is asked for at once after the sign-in; a diff is one more question', async ({
  place,
  page,
  watch,
}) => {
  await exec(place, SESSION, 'for i in 1 2 3; do echo text > file$i; done');
  await watch(page);
  const url = await dashboardUrl(place);
  const waiting = new Map<string, Route>();
  let held = true;
  // Nothing is answered before all of it was asked for: a question that waits for another one would never come.
  await page.route(/\/api\/(settings|sessions|events)/, async (route) => {
    if (held) waiting.set(nameOf(route.request().url()), route);
    else await route.continue();
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(url);
  await expect.poll(() => [...waiting.keys()].sort()).toEqual(TOGETHER);
  const before = asked.filter((path) => !path.startsWith('/assets/') && !/^\/api\/(se|ev)/.test(path));
  expect(before).toEqual(['/', '/api/exchange']);
  held = false;
  for (const route of waiting.values()) await route.continue();

  await page.getByRole('treeitem').first().waitFor();
  asked.length = 0;
  await page.keyboard.press(']');
  await page.locator('table.diff tr.line').first().waitFor();
  expect(asked.filter((path) => path.endsWith('/diff'))).toHaveLength(1);
});
