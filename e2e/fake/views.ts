/** Every page and state of the dashboard, for what must hold of all of them. */
import type { Page } from '@playwright/test';
import { expect } from './page.ts';

export interface View {
  name: string;
  route: string;
  scenario?: string;
  ready: string;
  act?: (page: Page) => Promise<void>;
}

const SHOP = '/s/shop-discounts';

export const VIEWS: readonly View[] = [
  { name: 'sessions', route: '/', ready: 'Sessions' },
  { name: 'many sessions', route: '/', scenario: 'many', ready: 'with nothing pending' },
  { name: 'sessions that share paths', route: '/', scenario: 'several', ready: 'to review' },
  { name: 'the doctor', route: '/doctor/shop-discounts', ready: 'written directly' },
  { name: 'a doctor with bad news', route: '/doctor', scenario: 'sick', ready: 'cannot be entered here' },
  { name: 'questions', route: '/questions', scenario: 'questions', ready: 'const tax = 0.19;' },
  {
    name: 'the rule of an answer',
    route: '/questions',
    scenario: 'questions',
    ready: 'const tax = 0.19;',
    act: async (page) => {
      await page.getByRole('button', { name: 'Always allow' }).first().click();
      await expect(page.getByText('It decides this call.')).toBeVisible();
    },
  },
  { name: 'questions about hosts', route: '/questions', scenario: 'hosts', ready: 'api.example.org:443' },
  { name: 'no questions', route: '/questions', ready: 'No open questions' },
  { name: 'what rules say', route: '/s/ruled', scenario: 'effects', ready: 'left out' },
  { name: 'disk use', route: '/disk', ready: 'Make room' },
  { name: 'boxes', route: '/boxes', scenario: 'boxes', ready: 'project is gone' },
  {
    name: 'collected boxes',
    route: '/boxes',
    scenario: 'boxes',
    ready: 'project is gone',
    act: async (page) => {
      await page.getByRole('button', { name: /^Move 2 boxes/ }).click();
      await expect(page.getByText('To bring back').first()).toBeVisible();
    },
  },
  { name: 'a box', route: '/s/boxed/box', scenario: 'boxes', ready: 'Writes to your machine' },
  {
    name: 'a box with odd names',
    route: '/s/odd-box/box',
    scenario: 'boxes',
    ready: 'Writes to your machine',
  },
  { name: 'no box', route: '/s/plain/box', scenario: 'boxes', ready: 'Not in a box' },
  { name: 'sessions in boxes', route: '/', scenario: 'boxes', ready: '6 boxes' },
  {
    name: 'ending a box',
    route: '/s/boxed/box',
    scenario: 'boxes',
    ready: 'Writes to your machine',
    act: async (page) => {
      await page.getByRole('button', { name: 'End the box' }).click();
      await expect(page.getByText('The box ends with them.')).toBeVisible();
    },
  },
  { name: 'the rules', route: '/rules/shop-discounts', ready: 'Try a call' },
  {
    name: 'a new rule',
    route: '/rules',
    ready: 'Try a call',
    act: async (page) => await page.getByRole('button', { name: 'New rule' }).click(),
  },
  { name: 'the audit', route: '/audit', ready: 'Asked and always allowed' },
  { name: 'the settings', route: '/settings', ready: 'Single-letter shortcuts' },
  { name: 'no sessions', route: '/', scenario: 'empty', ready: 'No sessions yet' },
  { name: 'changes', route: SHOP, ready: 'Choose a file' },
  { name: 'a text diff', route: `${SHOP}/f/home/kim/shop/src/cart/cart.ts`, ready: '@@ -1,15 +1,13 @@' },
  { name: 'a conflict', route: `${SHOP}/f/home/kim/shop/README.md`, ready: 'Resolve it before committing' },
  { name: 'a large diff', route: `${SHOP}/f/home/kim/shop/fixtures/orders.jsonl`, ready: 'Load diff' },
  { name: 'a binary file', route: `${SHOP}/f/home/kim/shop/public/logo.png`, ready: 'SHA-256' },
  { name: 'a link', route: `${SHOP}/f/home/kim/shop/current`, ready: 'what it points to was not read' },
  { name: 'an omitted diff', route: `${SHOP}/f/home/kim/shop/dump.sql`, ready: 'Too large to display' },
  {
    name: 'a mode change',
    route: `${SHOP}/f/home/kim/shop/scripts/release.sh`,
    ready: 'No content to compare',
  },
  { name: 'an entry that is gone', route: `${SHOP}/f/nowhere`, ready: 'No pending change here' },
  {
    name: 'hidden characters',
    route: '/s/odd-names/f/home/kim/odd/content/trojan.ts',
    ready: 'change the direction of text',
  },
  { name: 'the timeline', route: `${SHOP}/calls`, ready: 'Choose a call' },
  { name: 'a call', route: `${SHOP}/call/c04`, ready: 'AssertionError' },
  {
    name: 'a caught call',
    route: '/s/odd-names/call/h2',
    ready: 'although trai did not allow it. What it wrote is not pending',
  },
  { name: 'details', route: `${SHOP}/details`, ready: 'Where writes go' },
  { name: 'a session that is off', route: '/s/nested', ready: 'The sandbox is off for this session' },
  { name: 'undo', route: '/s/tidied', ready: 'Undo discard' },
  { name: 'no such session', route: '/s/nothing', ready: 'There is no session' },
  { name: 'offline', route: '/', scenario: 'offline', ready: 'the last known state' },
  { name: 'not paired', route: '/', scenario: 'unauthorised', ready: 'Sign in this tab' },
  { name: 'a prompt', route: `${SHOP}/call/prompt-1`, ready: 'Write a test first.' },
  { name: 'a file tool', route: `${SHOP}/call/file-t2`, ready: 'This file has a pending version' },
  { name: 'the history', route: `${SHOP}/history`, ready: 'Each commit, discard and undo' },
  {
    name: 'a window on the timeline',
    route: `${SHOP}/calls`,
    ready: 'Choose a call',
    act: async (page) => {
      await page.getByRole('slider', { name: 'Shown from' }).focus();
      await page.keyboard.press('PageUp');
      await expect(page.getByRole('button', { name: 'Show all' })).toBeVisible();
    },
  },
  {
    name: 'a commit that is tested',
    route: '/s/hotfix',
    scenario: 'several',
    ready: 'Choose a file',
    act: async (page) => {
      await page.getByRole('button', { name: 'Commit…' }).first().click();
      await expect(page.getByText('Tested:')).toBeVisible();
    },
  },
  {
    name: 'why an entry is pending',
    route: `${SHOP}/f/home/kim/shop/src/cart/cart.ts`,
    ready: '@@ -1,15 +1,13 @@',
    act: async (page) => {
      await page.getByRole('button', { name: 'Why?' }).click();
      await expect(page.getByText('Last changed')).toBeVisible();
    },
  },
  {
    name: 'why a call ran where it ran',
    route: `${SHOP}/call/c04`,
    ready: 'AssertionError',
    act: async (page) => {
      await page.getByRole('button', { name: 'Why here?' }).click();
      await expect(page.getByText('Pending then')).toBeVisible();
    },
  },
  {
    name: 'ending a process',
    route: `${SHOP}/details`,
    ready: 'Where writes go',
    act: async (page) => {
      await page.getByRole('button', { name: 'End process 48211' }).click();
      await expect(page.getByText('killed after two seconds')).toBeVisible();
    },
  },
  {
    name: 'the commit panel',
    route: SHOP,
    ready: 'Choose a file',
    act: async (page) => {
      await page.getByRole('button', { name: 'Commit…' }).click();
      await expect(page.getByText('Choose what to do with 2 conflicts.')).toBeVisible();
    },
  },
  {
    name: 'the discard panel',
    route: SHOP,
    ready: 'Choose a file',
    act: async (page) => {
      await page.getByRole('button', { name: 'Discard…' }).click();
      await expect(page.getByText('End these 2 processes')).toBeVisible();
    },
  },
  {
    name: 'a picture over the other',
    route: `${SHOP}/f/home/kim/shop/public/logo.png`,
    ready: 'SHA-256',
    act: async (page) => {
      await page.getByText('Swipe').click();
      await page.getByRole('button', { name: 'Show the first bytes' }).click();
      await expect(page.getByRole('slider')).toBeVisible();
    },
  },
  {
    name: 'a selection and the menus',
    route: '/s/odd-names/f/home/kim/odd/far.txt',
    ready: 'unchanged lines',
    act: async (page) => {
      await page
        .getByRole('treeitem', { name: /^content/ })
        .locator('.tick')
        .click();
      await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible();
      await page.getByRole('button', { name: 'Filter and sort' }).click();
      await expect(page.getByRole('combobox', { name: 'Extension' })).toBeVisible();
    },
  },
  {
    name: 'the menu of a file',
    route: `${SHOP}/f/home/kim/shop/src/cart/cart.ts`,
    ready: '@@ -1,15 +1,13 @@',
    act: async (page) => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await expect(page.getByText('White space', { exact: true }).first()).toBeVisible();
    },
  },
  {
    name: 'lines that a search found',
    route: SHOP,
    ready: 'Choose a file',
    act: async (page) => {
      await page.keyboard.press('s');
      await page.keyboard.type('part1');
      await expect(page.getByText(/^88 lines in 88 files/)).toBeVisible();
    },
  },
  {
    name: 'a directory',
    route: `${SHOP}/f/home/kim/shop/src`,
    ready: 'Commit this directory…',
  },
  {
    name: 'help',
    route: '/',
    ready: 'Sessions',
    act: async (page) => {
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
];
