import { lstatSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type SettingsAnswer } from '../../shared/api/settings.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { pageWith } from './store.ts';

let t: TestServer;
const file = () => path.join(t.state, 'settings.json');
const stored = (): Record<string, unknown> => JSON.parse(readFileSync(file(), 'utf8'));
beforeEach(async () => {
  t = await testServer();
});
afterEach(async () => await t.close());

async function read(): Promise<SettingsAnswer> {
  return JSON.parse(await (await t.api('/api/settings')).text());
}

it('answers the defaults where nothing was chosen, and makes no file for that', async () => {
  expect(await read()).toMatchObject({ settings: DEFAULT_SETTINGS, problems: [] });
  expect(() => lstatSync(file())).toThrow();
});

it('keeps what was chosen in a file for the user’s eyes only, and tells every tab', async () => {
  const subscription = t.server.deps.hub.subscribe(null);
  const answer = await t.api('/api/settings', { theme: 'dark', tabWidth: 8 });
  expect(JSON.parse(await answer.text()).settings).toEqual({
    ...DEFAULT_SETTINGS,
    theme: 'dark',
    tabWidth: 8,
  });
  expect(stored()).toEqual({ v: 1, theme: 'dark', tabWidth: 8 });
  expect(lstatSync(file()).mode & 0o777).toBe(0o600);
  expect(await subscription?.next(10_000)).toMatchObject({ event: { type: 'settings' } });
  subscription?.close();
  expect((await read()).settings.theme).toBe('dark');
});

it('loses no change of two tabs at the same time', async () => {
  await Promise.all([
    t.api('/api/settings', { wrap: false }),
    t.api('/api/settings', { keys: false }),
    t.api('/api/settings', { layout: 'split' }),
  ]);
  expect((await read()).settings).toMatchObject({ wrap: false, keys: false, layout: 'split' });
});

it.each([
  [{}],
  [{ theme: 'blue' }],
  [{ theme: 'dark', colour: 'blue' }],
  [{ tabWidth: 5 }],
  [{ editor: 'sh -c "touch /tmp/x"' }],
  [{ editor: { command: 'code' } }],
  [{ editor: '__proto__' }],
  [{ notify: 'yes' }],
  [null],
  [[]],
])('refuses %j and changes nothing', async (body) => {
  expect((await t.api('/api/settings', body)).status).toBe(400);
  expect(() => lstatSync(file())).toThrow();
});

it('keeps the fields of a newer version, and names a value that it cannot use', async () => {
  writeFileSync(file(), '{"v":1,"theme":"sepia","wrap":false,"fontSize":14}');
  const { settings, problems } = await read();
  expect(settings).toEqual({ ...DEFAULT_SETTINGS, wrap: false });
  expect(problems).toEqual(['theme: "sepia" is no value of it; the default is used.']);
  expect((await t.api('/api/settings', { theme: 'light' })).status).toBe(200);
  expect(stored()).toEqual({ v: 1, theme: 'light', wrap: false, fontSize: 14 });
  expect((await read()).problems).toEqual([]);
});

it.each([
  ['another format', '{"v":2,"theme":"dark"}'],
  ['no JSON', '{"v":1,'],
  ['no object', '[1]'],
])('leaves a file with %s as it is, and says so', async (_name, text) => {
  writeFileSync(file(), text);
  const answer = await read();
  expect(answer.settings).toEqual(DEFAULT_SETTINGS);
  expect(answer.problems.join()).toContain(file());
  expect((await t.api('/api/settings', { theme: 'dark' })).status).toBe(500);
  expect(readFileSync(file(), 'utf8')).toBe(text);
});

it('follows no symbolic link', async () => {
  const elsewhere = path.join(t.base, 'elsewhere.json');
  writeFileSync(elsewhere, '{"v":1,"theme":"dark"}');
  symlinkSync(elsewhere, file());
  expect((await read()).settings.theme).toBe('system');
  expect((await t.api('/api/settings', { theme: 'light' })).status).toBe(500);
  expect(readFileSync(elsewhere, 'utf8')).toBe('{"v":1,"theme":"dark"}');
  unlinkSync(file());
});

it('sends the page with the theme in it', async () => {
  writeFileSync(file(), '{"v":1,"theme":"dark"}');
  expect((await fetch(`${t.origin}/`)).status).toBe(200);
  const html = '<!doctype html>\n<html lang="en">\n<meta name="color-scheme" content="light dark" />';
  expect(pageWith(html, { theme: 'dark', density: 'compact' })).toBe(
    '<!doctype html>\n<html lang="en" data-theme="dark" data-density="compact">\n<meta name="color-scheme" content="dark" />',
  );
  expect(pageWith(html, DEFAULT_SETTINGS)).toBe(html);
  const built = readFileSync(path.join(import.meta.dirname, '../../web/index.html'), 'utf8');
  expect(pageWith(built, { theme: 'light', density: 'compact' })).toMatch(
    /<html lang="en" data-theme="light" data-density="compact">[\s\S]*content="light" \/>/,
  );
});
