/** What is measured in a page, the same way whoever made it. */
import type { Browser, CDPSession, Page } from '@playwright/test';

export interface PageFigures {
  /** Heap after a collection (MB), and DOM nodes. */
  heapMb: number;
  nodes: number;
}

export interface ScrollFigures {
  frames: number;
  /** Frames that took longer than 50 ms: a user sees these. */
  slow: number;
  worst: number;
}

declare global {
  interface Window {
    benchFirst: number | null;
    benchKey: Promise<number>;
  }
}

/** The time that a page and this program agree on (ms). */
export const now = (): number => performance.timeOrigin + performance.now();

/** From the next load on, `window.benchFirst` is when `selector` was painted first. */
export async function noteFirst(page: Page, selector: string): Promise<void> {
  await page.addInitScript((wanted) => {
    window.benchFirst = null;
    const look = (): void => {
      // In the next frame what was found now has been painted.
      if (document.querySelector(wanted) === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => (window.benchFirst = performance.now()));
    };
    requestAnimationFrame(look);
  }, selector);
}

/** Opens a page and waits until `selector` is painted: when that was, by `now()`. Throws after `limit` ms. */
export async function openPage(
  browser: Browser,
  url: string,
  selector: string,
  limit: number,
): Promise<{ page: Page; painted: number; took: number }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await noteFirst(page, selector);
  try {
    await page.goto(url, { timeout: limit, waitUntil: 'commit' });
    await page.waitForFunction(() => window.benchFirst, undefined, { timeout: limit });
    const [took, origin] = await page.evaluate(() => [window.benchFirst ?? NaN, performance.timeOrigin]);
    return { page, painted: (origin ?? Number.NaN) + (took ?? Number.NaN), took: took ?? Number.NaN };
  } catch (error) {
    await page.close();
    throw error;
  }
}

/** Heap and nodes of what is on show, after a garbage collection. */
export async function pageSize(page: Page): Promise<{ heapMb: number; nodes: number }> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  await session.detach();
  return { heapMb: of('JSHeapUsedSize') / 1e6, nodes };
}

/** Types into a field; for each key the time from the event until the frame after the page was drawn anew (ms). */
export async function keystrokes(page: Page, field: string, text: string): Promise<number[]> {
  await page.locator(field).first().focus();
  const times: number[] = [];
  for (const key of text) {
    // Two steps: an order to listen that is not awaited may come after the key.
    await page.evaluate(() => {
      window.benchKey = new Promise((resolve) => {
        const onInput = (event: Event): void => {
          window.removeEventListener('input', onInput, true);
          // After the frame that shows it: a task that is queued in the frame runs when it was painted.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - event.timeStamp), 0));
        };
        window.addEventListener('input', onInput, true);
      });
    });
    await page.keyboard.press(key);
    times.push(await page.evaluate(() => window.benchKey));
  }
  return times;
}

/** Scrolls a box down, a step a frame. */
export async function scrollBox(page: Page, box: string): Promise<ScrollFigures> {
  return await page.evaluate(async (selector) => {
    const [STEPS, STEP_PX] = [90, 320];
    const found = document.querySelector(selector);
    let element: Element | null = found;
    while (element !== null && element.scrollHeight <= element.clientHeight + 1)
      element = element.parentElement;
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const times: number[] = [];
    let before = await frame();
    for (let step = 0; step < STEPS; step++) {
      element?.scrollBy(0, STEP_PX);
      const now = await frame();
      times.push(now - before);
      before = now;
    }
    return { frames: times.length, slow: times.filter((ms) => ms > 50).length, worst: Math.max(...times) };
  }, box);
}
