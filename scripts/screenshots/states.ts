/** The pages and states of which pictures are taken, and what a user does to get there. */
import type { Page } from '@playwright/test';

export interface State {
  name: string;
  /** Recording of testing/dashboard/sessions.ts. */
  recording: string;
  /** Hash route. */
  route: string;
  /** What must be there before the picture is taken, and what a user would do to get there. */
  prepare(page: Page): Promise<unknown>;
  /** Width of the window; 1280 where it is left out. */
  width?: number;
}

const SESSION = '#/s/shop-discounts';
const FILES = `${SESSION}/f/home/kim/shop`;
const row = (page: Page) => page.getByRole('treeitem').first().waitFor();
const seen = (text: string) => (page: Page) =>
  page.getByText(text).filter({ visible: true }).first().waitFor();

/** Colours come after the rows. */
const coloured = (page: Page) => page.locator('table.diff .hljs-keyword').first().waitFor();

async function comparing(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Commit…' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
  await page.locator('.panes .block-change').first().waitFor();
}

export const STATES: readonly State[] = [
  { name: 'sessions', recording: 'demo', route: '#/', prepare: seen('shop-discounts') },
  { name: 'sessions-many', recording: 'many', route: '#/', prepare: seen('with nothing pending') },
  {
    name: 'session',
    recording: 'demo',
    route: SESSION,
    prepare: async (page) => {
      await page.getByRole('treeitem', { name: 'cart.ts' }).click();
      await coloured(page);
    },
  },
  {
    name: 'split',
    recording: 'demo',
    route: `${FILES}/src/cart/cart.ts`,
    prepare: async (page) => {
      await page.locator('table.diff').waitFor();
      await page.keyboard.press('m');
      await page.locator('table.diff-split').waitFor();
      await coloured(page);
    },
  },
  { name: 'conflict', recording: 'demo', route: `${FILES}/README.md`, prepare: seen('README.md') },
  { name: 'links', recording: 'clash', route: '#/s/clash', prepare: row },
  {
    name: 'panes',
    recording: 'demo',
    route: SESSION,
    prepare: async (page) => await comparing(page, /README/),
  },
  {
    name: 'panes-hostile',
    recording: 'clash',
    route: '#/s/clash',
    prepare: async (page) => await comparing(page, /trojan/),
    width: 1024,
  },
  {
    name: 'narrow-panes',
    recording: 'demo',
    route: SESSION,
    prepare: async (page) => await comparing(page, /README/),
    width: 390,
  },
  { name: 'large', recording: 'demo', route: `${FILES}/fixtures/orders.jsonl`, prepare: seen('Load diff') },
  { name: 'binary', recording: 'demo', route: `${FILES}/public/logo.png`, prepare: seen('logo.png') },
  {
    name: 'timeline',
    recording: 'demo',
    route: `${SESSION}/calls`,
    prepare: (page) => page.getByText('npm install -D vitest').first().click(),
  },
  {
    name: 'timeline-zoom',
    recording: 'demo',
    route: `${SESSION}/calls`,
    prepare: async (page) => {
      const box = await page.locator('.strip-box').boundingBox();
      if (box === null) throw new Error('expected the strip, it is not there');
      await page.mouse.move(box.x + box.width * 0.1, box.y + 50);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.25, box.y + 50, { steps: 3 });
      await page.mouse.up();
      await page.getByRole('button', { name: 'Zoom into the window' }).click();
      await page.getByRole('button', { name: 'Zoom out' }).click();
      await page.waitForURL(/window=.*zoom=/);
    },
  },
  {
    name: 'commit',
    recording: 'demo',
    route: SESSION,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Commit…' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    },
  },
  {
    name: 'discard',
    recording: 'demo',
    route: SESSION,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Discard…' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    },
  },
  {
    name: 'history',
    recording: 'demo',
    route: SESSION,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Commit…' }).first().click();
      await page.getByRole('button', { name: 'Keep host' }).first().click();
      await page.getByRole('button', { name: /^Commit \d/ }).click();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('link', { name: 'History' }).click();
      await page.getByRole('button', { name: /entries of Commit 1/ }).click();
      await page.getByRole('list', { name: 'Paths of Commit 1' }).waitFor();
    },
  },
  { name: 'details', recording: 'demo', route: `${SESSION}/details`, prepare: seen('Where writes go') },
  { name: 'not-sandboxed', recording: 'demo', route: '#/s/odd-names', prepare: row },
  { name: 'shared-paths', recording: 'several', route: '#/s/discounts', prepare: row },
  { name: 'undo', recording: 'demo', route: '#/s/tidied', prepare: seen('Undo discard') },
  { name: 'many-files', recording: 'bulk', route: '#/s/mono', prepare: row },
  { name: 'doctor', recording: 'demo', route: '#/doctor/shop-discounts', prepare: seen('written directly') },
  { name: 'doctor-sick', recording: 'sick', route: '#/doctor', prepare: seen('cannot be entered here') },
  {
    name: 'disk',
    recording: 'demo',
    route: '#/disk',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Show what can be removed' }).click();
      await page.getByRole('list', { name: 'What can be removed' }).waitFor();
    },
  },
  { name: 'settings', recording: 'demo', route: '#/settings', prepare: seen('Single-letter shortcuts') },
  {
    name: 'help',
    recording: 'demo',
    route: '#/',
    prepare: async (page) => {
      await seen('shop-discounts')(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'empty', recording: 'empty', route: '#/', prepare: seen('No sessions yet') },
  { name: 'no-session', recording: 'demo', route: '#/s/nothing', prepare: seen('There is no session') },
  { name: 'not-paired', recording: 'unauthorised', route: '#/', prepare: seen('Sign in this tab') },
  { name: 'offline', recording: 'offline', route: '#/', prepare: seen('server stopped') },
  { name: 'narrow-sessions', recording: 'demo', route: '#/', prepare: seen('shop-discounts'), width: 390 },
  { name: 'narrow-tree', recording: 'demo', route: SESSION, prepare: row, width: 390 },
  {
    name: 'narrow-diff',
    recording: 'demo',
    route: `${FILES}/src/cart/cart.ts`,
    prepare: (page) => page.locator('table.diff').waitFor(),
    width: 390,
  },
];
