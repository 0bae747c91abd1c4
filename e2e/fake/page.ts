/** What every test of the dashboard on recorded data shares: opening it, and noticing what must never happen. */
import { test as base, expect, type Page } from '@playwright/test';
import type { UiSettings } from '../../shared/api/settings.ts';
import type { FakeBackend } from '../../testing/dashboard/fake.ts';

declare global {
  interface Window {
    traiFake: FakeBackend;
    violations: string[];
    shifts: number[];
  }
}

/** Opens a recording at a route (`/s/...`). */
export async function open(page: Page, route: string, scenario = 'demo'): Promise<void> {
  await page.goto(`fake.html?fake=${scenario}#${route}`);
}

/** Sum of the layout shifts that the reader did not cause. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(() => window.shifts.reduce((sum, shift) => sum + shift, 0));
}

/**
 * A page that fails its test when a dialog opens, a script throws, or the content security policy is violated: in a
 * page that shows what an attacker wrote, each of these is a hole.
 */
export const test = base.extend<{ watched: Page }>({
  watched: async ({ page }, use) => {
    const faults: string[] = [];
    page.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
    await page.addInitScript(() => {
      window.violations = [];
      window.shifts = [];
      document.addEventListener('securitypolicyviolation', (event) => {
        window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
      });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
          if (!shift.hadRecentInput) window.shifts.push(shift.value);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await use(page);
    expect(faults).toEqual([]);
    expect(await page.evaluate(() => window.violations)).toEqual([]);
  },
});

export { expect };

/** Waits until the backend has these settings: a page that is left before would never have sent them. */
export const saved = (page: Page, settings: Partial<UiSettings>) =>
  expect
    .poll(() => page.evaluate(() => JSON.parse(sessionStorage.getItem('trai-recorded-settings') ?? '{}')))
    .toMatchObject(settings);
