/** A client that leaves work behind: the user is told where they are, and led there. */
import { openSession, row } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';

test('a session that ends with pending changes is told of, and one without is not', async ({
  startClient,
  dashboard: page,
}) => {
  await page.addInitScript(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    class Shown extends EventTarget {
      static permission = 'granted';
      static async requestPermission(): Promise<string> {
        return 'granted';
      }
      constructor(_title: string, { body }: { body: string }) {
        super();
        told.push(body);
        Object.assign(window, { lastTold: this });
      }
      close(): void {}
    }
    Object.defineProperty(window, 'Notification', { value: Shown });
  });
  const [busy, idle] = [await startClient(), await startClient()];
  await busy.bash('echo 1 > one; echo 2 > two');
  await idle.bash('sh -c true');
  await openSession(page, busy.id);
  await expect(row(page, 'two')).toBeVisible();
  await page.goto(new URL('/#/', page.url()).href);
  await page.reload();
  // What has ended before the page's first look is no news to it.
  await expect(page.getByRole('link', { name: idle.id })).toBeVisible();
  await page.goto(new URL('/#/settings', page.url()).href);
  const toggle = page.getByRole('switch', {
    name: 'When a session ends with pending changes, or Claude Code asks',
  });
  await toggle.click();
  await expect(toggle).toBeChecked();
  await idle.end();
  await busy.end();
  const told = () => page.evaluate((): unknown => Reflect.get(window, 'told'));
  await expect.poll(told, { timeout: 45_000 }).toEqual([`Session ${busy.id} ended with 2 pending changes.`]);
  await page.evaluate(() => {
    const last: unknown = Reflect.get(window, 'lastTold');
    if (last instanceof EventTarget) last.dispatchEvent(new Event('click'));
  });
  await expect(page.locator('.session-id')).toHaveText(busy.id);
  await expect(row(page, 'one')).toBeVisible();
});
