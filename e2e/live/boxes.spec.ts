/** The pages of boxes on the real server and the real bubblewrap. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { violations } from '../axe.ts';
import { expect, test } from './support/fixtures.ts';
import { type Place, trai } from './support/place.ts';

test.skip(
  spawnSync('bwrap', ['--version']).status !== 0,
  'bubblewrap is missing: apt-get install bubblewrap',
);

const program = (place: Place) => path.join(place.plugin, 'bin/trai');

/** In the background, through bash: a name may be no UTF-8. */
function start(place: Place, line: string): ChildProcess {
  mkdirSync(path.join(place.home, '.claude/plugins'), { recursive: true });
  return spawn('bash', ['-c', `exec bash '${program(place)}' ${line}`], {
    ...{ cwd: place.project, env: place.env, stdio: 'ignore' },
  });
}

const show = async (page: Page, route: string): Promise<void> =>
  void (await page.goto(new URL(`/${route}`, page.url()).href));

/** Processes whose whole command line this is. */
const running = (command: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').join(' ').trim() === command;
      } catch {
        return false;
      }
    })
    .map(Number);

async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('button', { name, exact: true });
  for (let presses = 0; presses < 80; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`expected Tab to reach ${name}`);
}

test('a running box says what it sees, and ends without the mouse; what others run in the session stays', async ({
  place,
  dashboard: page,
}) => {
  // A pipe is bound as it is, so what is written there is the host's.
  execFileSync('bash', ['-c', `mkfifo "$1"/$'odd\\nname\\u202e'`, 'sh', place.dir], {
    env: { ...place.env, LC_ALL: 'C.UTF-8' },
  });
  const odd = `"${place.dir}"/$'odd\\nname\\u202e'`;
  const words = `-y --session boxed --env NAMED=of-a-value --allow ${odd} --shell -- sleep 7202`;
  const ended = once(start(place, `box ${words}`), 'exit');
  await expect.poll(() => running('sleep 7202')).toHaveLength(1);
  const other = once(start(place, 'exec --session boxed -- sleep 7201'), 'exit');
  await expect.poll(() => running('sleep 7201')).toHaveLength(1);

  await show(page, '#/');
  const card = page.locator('.session-card', { has: page.getByRole('link', { name: 'boxed' }) });
  await card.getByRole('link', { name: 'box', exact: true }).click();
  const rows = page.getByRole('region', { name: 'Writes to your machine' }).locator('.box-to');
  await expect(rows).toHaveText([/\/odd\\nname\\u\{202e\}$/]);
  const facts = page.locator('.fact-list');
  await expect(facts).toContainText('running');
  await expect(
    facts.getByRole('link', { name: 'trai box --shell -- sleep 7202', exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('list', { name: 'Variables' })).toContainText('NAMED');
  expect(await page.content()).not.toContain('of-a-value');
  await expect(page.getByRole('region', { name: 'Pending' })).toContainText(place.project);
  const processes = page.locator('table.running');
  await expect(processes).toContainText('sleep 7202');
  await expect(processes).not.toContainText('sleep 7201');
  expect(await violations(page)).toEqual([]);

  await tabTo(page, 'End the box');
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('region', { name: 'End the box' });
  await expect(confirm.getByRole('listitem').filter({ hasText: /^\d+sleep 7202/ })).toHaveCount(1);
  expect(running('sleep 7202')).toHaveLength(1);
  await tabTo(page, 'End the box');
  await page.keyboard.press('Enter');
  await ended;
  await expect(facts).toContainText('ended');
  await expect(page.getByRole('button', { name: 'End the box' })).toHaveCount(0);
  expect([running('sleep 7202').length, running('sleep 7201').length]).toEqual([0, 1]);

  for (const pid of running('sleep 7201')) process.kill(pid);
  await other;
  await show(page, '#/boxes');
  await expect(page.getByRole('row').filter({ hasText: place.project })).toContainText('boxed');
  await expect(page.getByText('Nothing: the project of every box is there.')).toBeVisible();
});

test('boxes whose project is gone are moved to the trash, and the line that is shown brings one back', async ({
  place,
  dashboard: page,
}) => {
  const dir = path.join(place.home, 'spike');
  mkdirSync(dir);
  mkdirSync(path.join(place.home, '.claude/plugins'), { recursive: true });
  const line = `cd '${dir}' && exec bash '${program(place)}' box -y --session spike --shell -- true`;
  execFileSync('bash', ['-c', line], { env: place.env, stdio: 'ignore' });
  await show(page, '#/s/spike/box');
  await expect(page.locator('.fact-list')).toContainText('ended');
  rmSync(dir, { recursive: true });
  await show(page, '#/');
  await page.getByRole('link', { name: '1 box', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: dir })).toContainText('project is gone');
  expect(await violations(page)).toEqual([]);
  const boxes = () => readdirSync(path.join(place.state, 'box'));
  const [id = ''] = boxes();
  await tabTo(page, (await page.getByRole('button', { name: /^Move 1 box/ }).textContent())?.trim() ?? '');
  await page.keyboard.press('Enter');
  const report = page.getByRole('status').filter({ hasText: 'Moved 1 box to the trash' });
  await expect(report).toBeVisible();
  expect(boxes()).toEqual([]);
  execFileSync('bash', ['-c', (await report.locator('code').textContent()) ?? 'false'], { env: place.env });
  expect(boxes()).toEqual([id]);
  const listed = await trai(place, ['box', '--list']);
  expect(listed.out).toContain(dir);
});

test('the doctor has the rows of boxes', async ({ dashboard: page }) => {
  await show(page, '#/doctor');
  const row = (id: string) => page.getByRole('listitem').filter({ has: page.getByText(id, { exact: true }) });
  await expect(row('bwrap')).toContainText(/bubblewrap \d/);
  for (const id of ['nested', 'proc', 'terminal']) await expect(row(id)).toBeVisible();
});
