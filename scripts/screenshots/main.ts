/** `npm run screenshots`: nine named states of the dashboard in both themes, from the recorded session, into docs/screenshots. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_MISSING, chromiumArgs, findChromium } from '../lib/chromium.ts';
import { serveFake } from '../lib/fake.ts';
import { ROOT } from '../lib/root.ts';

interface State {
  name: string;
  /** Recording of web/backend/fake/sessions.ts. */
  recording: string;
  /** Hash route. */
  route: string;
  /** What must be there before the picture is taken, and what a person would do to get there. */
  prepare(page: Page): Promise<unknown>;
}

const SESSION = '#/s/shop-discounts';
const row = (page: Page) => page.getByRole('treeitem').first().waitFor();

const STATES: readonly State[] = [
  {
    name: 'sessions',
    recording: 'demo',
    route: '#/',
    prepare: (page) => page.getByText('shop-discounts').first().waitFor(),
  },
  {
    name: 'session',
    recording: 'demo',
    route: SESSION,
    prepare: async (page) => {
      await page.getByRole('treeitem', { name: 'cart.ts' }).click();
      await page.getByRole('article').locator('.diff').waitFor();
    },
  },
  {
    name: 'timeline',
    recording: 'demo',
    route: `${SESSION}/calls`,
    prepare: (page) => page.getByText('npm install -D vitest').first().click(),
  },
  {
    name: 'commit',
    recording: 'demo',
    route: SESSION,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Commit…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    },
  },
  {
    name: 'details',
    recording: 'demo',
    route: `${SESSION}/details`,
    prepare: (page) => page.getByRole('heading', { name: 'Where writes go' }).waitFor(),
  },
  { name: 'not-sandboxed', recording: 'demo', route: '#/s/odd-names', prepare: row },
  { name: 'many-files', recording: 'bulk', route: '#/s/mono', prepare: row },
  {
    name: 'empty',
    recording: 'empty',
    route: '#/',
    prepare: (page) => page.getByRole('heading').first().waitFor(),
  },
  { name: 'offline', recording: 'offline', route: '#/', prepare: (page) => page.getByRole('main').waitFor() },
];

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
const folder = path.join(ROOT, 'docs/screenshots');
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
      await take(page, site.url, state, path.join(folder, `${state.name}-${colorScheme}.png`));
      await page.close();
    }
    await context.close();
  }
} finally {
  await browser.close();
  await site.close();
}
