/** Why an entry and a call are as they are, and the end of processes: on a real server and real sessions. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { openSession, row } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';

test('the call that wrote an entry is found from its diff, and why it ran in the sandbox', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  writeFileSync(path.join(place.project, 'kept'), 'old\n');
  const client = await startClient();
  await client.bash('echo mine > kept');
  await openSession(page, client.id);
  await row(page, 'kept').click();
  await page.getByRole('button', { name: 'Why?' }).click();
  const why = page.getByRole('region', { name: 'Why', exact: true });
  await expect(why).toContainText('Last changed');
  await expect(why).toContainText('covered directory');
  await expect(why.getByText(/^file, 4 B, mode/).first()).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await why.getByRole('link', { name: 'echo mine > kept' }).first().click();
  await page.getByRole('button', { name: 'Why here?' }).click();
  const here = page.getByRole('region', { name: 'Why here' });
  await expect(here).toContainText('Not checked: the decision does not depend on it.');
  await expect(here).toContainText('echo');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test('a process that a call left is listed with it and with its port, and ends when told', async ({
  place,
  startClient,
  dashboard: page,
}) => {
  const client = await startClient();
  const script =
    "require('net').createServer().listen(0, '127.0.0.1', function () { require('fs').writeFileSync('/tmp/' + process.argv[1], String(this.address().port)) })";
  // In scratch, where it is on the host at once.
  const name = `trai-live-${path.basename(place.dir)}`;
  await client.bash(`touch made; (setsid node -e "${script}" ${name} < /dev/null > /dev/null 2>&1 &)`);
  await expect.poll(() => existsSync(`/tmp/${name}`), { timeout: 30_000 }).toBe(true);
  await openSession(page, client.id);
  await page.getByRole('link', { name: 'Details' }).click();
  const table = page.getByRole('table').filter({ hasText: 'Listens on' });
  const process = table.getByRole('row', { name: /node -e/ });
  await expect(process).toContainText(/:\d+/);
  await expect(process.getByRole('link')).toContainText('touch made');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await process.getByRole('button', { name: /^End process/ }).click();
  await page
    .getByRole('region', { name: /^End process/ })
    .getByRole('button', { name: /^End process/ })
    .click();
  await expect(table).toHaveCount(0);
  await expect(page.getByText('Nothing.')).toBeVisible();
  await client.bash(`rm /tmp/${name}`);
});
