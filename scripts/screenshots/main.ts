/**
 * `npm run screenshots`: the pages and states of the dashboard in both themes, from recorded sessions, into docs/screenshots.
 * `npm run screenshots -- NAME,NAME` takes some of them; TRAI_SCREENSHOTS names another folder.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_MISSING, chromiumArgs, findChromium } from '../lib/chromium.ts';
import { serveFake } from '../lib/fake.ts';
import { ROOT } from '../lib/root.ts';
import { STATES, type State } from './states.ts';

async function take(page: Page, url: string, state: State, file: string): Promise<void> {
  page.on('pageerror', (error) => console.error(`${state.name}: ${error.message}`));
  page.on(
    'console',
    (message) => message.type() === 'error' && console.error(`${state.name}: ${message.text()}`),
  );
  await page.goto(`${url}?fake=${state.recording}${state.route}`);
  await state.prepare(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  // Two frames: what the last answer changed is on the screen.
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  console.log(path.relative(ROOT, file));
}

const executablePath = findChromium();
if (executablePath === null) throw new Error(CHROMIUM_MISSING);
const folder = process.env['TRAI_SCREENSHOTS'] ?? path.join(ROOT, 'docs/screenshots');
mkdirSync(folder, { recursive: true });
const only = process.argv[3]?.split(',');
const site = await serveFake(0);
const browser = await chromium.launch({ executablePath, args: chromiumArgs() });
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 800 },
    });
    for (const state of STATES) {
      if (only !== undefined && !only.includes(state.name)) continue;
      const page = await context.newPage();
      await page.setViewportSize({ width: state.width ?? 1280, height: 800 });
      await take(page, site.url, state, path.join(folder, `${state.name}-${colorScheme}.png`));
      await page.close();
    }
    await context.close();
  }
} finally {
  await browser.close();
  await site.close();
}
