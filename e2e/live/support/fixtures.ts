/** What every live test gets: a place, a browser page that reports what must never happen, a clean end. */
import { test as base, expect, type Page } from '@playwright/test';
import { FakeClient } from './client.ts';
import { buildPluginTree, dashboardUrl, makePlace, type Place } from './place.ts';

interface Fixtures {
  place: Place;
  /** Starts a session through the plugin's hooks. */
  startClient: () => Promise<FakeClient>;
  /** Watches a page of our own: a dialog, a CSP violation or an uncaught error fails the test. */
  watch: (page: Page) => Promise<void>;
  /** A watched page that is signed in and shows what `trai ui` opens. */
  dashboard: Page;
}

export const test = base.extend<Fixtures, { plugin: string }>({
  plugin: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the pattern.
    async ({}, use) => {
      const { plugin, remove } = buildPluginTree();
      await use(plugin);
      remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  place: async ({ plugin }, use) => {
    const { place, close } = makePlace(plugin);
    await use(place);
    const left = await close();
    expect(left, 'processes that were left behind').toEqual([]);
  },

  startClient: async ({ place }, use) => {
    const clients: FakeClient[] = [];
    await use(async () => {
      const client = await FakeClient.start(place);
      clients.push(client);
      return client;
    });
    for (const client of clients) client.leave();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the pattern.
  watch: async ({}, use) => {
    const seen: string[] = [];
    await use(async (page) => {
      page.on('dialog', (dialog) => {
        seen.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
      await page.exposeFunction('reportViolation', (text: string) => seen.push(`CSP: ${text}`));
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          const report: unknown = Reflect.get(window, 'reportViolation');
          if (typeof report === 'function') report(`${event.violatedDirective} ${event.blockedURI}`);
        });
      });
    });
    expect(seen, 'dialogs, uncaught errors and CSP violations').toEqual([]);
  },

  dashboard: async ({ place, page, watch }, use) => {
    await watch(page);
    await signIn(page, place);
    await use(page);
  },
});

/** Opens what `trai ui` would open. */
export async function signIn(page: Page, place: Place): Promise<void> {
  await page.goto(await dashboardUrl(place));
  await expect(page.getByText('connected', { exact: true })).toBeVisible();
}

export { expect };
