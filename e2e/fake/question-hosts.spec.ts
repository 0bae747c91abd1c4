import type { Locator, Page } from '@playwright/test';
import { expect, open, test } from './page.ts';

const cards = (page: Page): Locator => page.getByRole('article');
const orders = (page: Page): Promise<unknown[]> => page.evaluate(() => window.traiFake.orders);

test.beforeEach(async ({ watched: page }) => {
  await open(page, '/questions', 'hosts');
  await expect(cards(page)).toHaveCount(2);
});

test('a question about a host shows host and port, who asks, and only answers that it has', async ({
  watched: page,
}) => {
  const card = cards(page).nth(0);
  await expect(card.locator('pre')).toHaveText('api.example.org:443');
  await expect(card).toContainText('A box asks for a host');
  await expect(card).toContainText('/home/kim/shop');
  await expect(card).toContainText('waits for 30 seconds');
  await expect(card.getByRole('button')).toHaveText([
    /Allow once/,
    /Allow in this box/,
    /Always allow/,
    /Refuse/,
    /Never allow/,
  ]);
});

test('a hostile host is shown with what it hides, and does nothing here', async ({ watched: page }) => {
  const card = cards(page).nth(1);
  await expect(card.locator('pre')).toHaveText('a\\u{202e}<img src=x>.example:8443');
  await expect(card.locator('img')).toHaveCount(0);
});

test('by the keyboard: a wider host always, and a refusal; keys of other questions mean nothing', async ({
  watched: page,
}) => {
  const [first, second] = [cards(page).nth(0), cards(page).nth(1)] as const;
  await first.focus();
  for (const key of ['m', 'Escape']) await page.keyboard.press(key);
  expect(await orders(page)).toEqual([]);
  await page.keyboard.press('a');
  const field = first.getByLabel('Host (host, *.host');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('api.example.org');
  await expect(first.getByText('It names this host.')).toBeVisible();
  await expect(first.getByText('Everywhere')).toHaveCount(0);
  await field.fill('*.example.org');
  await page.keyboard.press('Enter');
  await expect(first).toContainText('Added to the allow list in /home/kim/.config/trai/config.json');
  await second.focus();
  await page.keyboard.press('n');
  await expect(second).toContainText('Refused');
  expect(await orders(page)).toMatchObject([
    {
      answerQuestion: { answer: 'always', rule: { scope: 'user', field: 'host', pattern: '*.example.org' } },
    },
    { answerQuestion: { answer: 'no', rule: null } },
  ]);
});

test('for this box', async ({ watched: page }) => {
  const card = cards(page).nth(0);
  await card.getByRole('button', { name: 'Allow in this box' }).click();
  await card.getByRole('form').getByRole('button', { name: 'Allow in this box', exact: true }).click();
  await expect(card).toContainText('Allowed, in this box');
  await expect(card).toContainText('Added to the allow list of this box');
});

test('the button of the form says where the host is added', async ({ watched: page }) => {
  const card = cards(page).nth(0);
  const submit = card.getByRole('form').locator('button[type="submit"]');
  for (const [answer, text] of [
    ['Allow in this box…', 'Allow in this box'],
    ['Always allow…', 'Always allow, and add to config.json'],
    ['Never allow…', 'Never allow, and add to config.json'],
  ] as const) {
    await card.getByRole('button', { name: answer }).click();
    await expect(submit).toHaveText(text);
  }
});

test('j and k pass by what is settled: a host waits for 30 seconds only', async ({ watched: page }) => {
  await page.keyboard.press('j');
  await page.keyboard.press('n');
  await expect(cards(page).nth(0)).toContainText('Refused');
  await page.keyboard.press('j');
  await expect(cards(page).nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(cards(page).nth(1)).toBeFocused();
});
