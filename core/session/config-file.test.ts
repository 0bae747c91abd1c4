import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import { loadConfig, problemsAbout } from './config-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trai-config-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function put(path: string, text: string): string {
  const file = join(dir, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

it('takes the defaults when there is no file', () => {
  expect(loadConfig({ HOME: dir })).toEqual({ config: DEFAULT_CONFIG, file: null, problems: [] });
});

it('takes XDG_CONFIG_HOME, then ~/.config, then the plugin data directory', () => {
  const data = put('data/config.json', '{"passthrough":["a"]}');
  const env = { HOME: dir, CLAUDE_PLUGIN_DATA: join(dir, 'data') };
  expect(loadConfig(env)).toMatchObject({ file: data, config: { passthrough: ['a'] } });
  const home = put('.config/trai/config.json', '{"passthrough":["b"]}');
  expect(loadConfig(env)).toMatchObject({ file: home, config: { passthrough: ['b'] } });
  const xdg = put('xdg/trai/config.json', '{"passthrough":["c"]}');
  expect(loadConfig({ ...env, XDG_CONFIG_HOME: join(dir, 'xdg') })).toMatchObject({
    file: xdg,
    config: { passthrough: ['c'] },
  });
  expect(loadConfig({ ...env, XDG_CONFIG_HOME: 'relative' }).file).toBe(home);
});

it('reports a file that is no JSON, with its path, and does not fall back to another file', () => {
  put('data/config.json', '{"enabled":false}');
  const file = put('.config/trai/config.json', '{"enabled":');
  const loaded = loadConfig({ HOME: dir, CLAUDE_PLUGIN_DATA: join(dir, 'data') });
  expect(loaded.config).toEqual(DEFAULT_CONFIG);
  expect(loaded.file).toBe(file);
  expect(loaded.problems).toHaveLength(1);
  expect(loaded.problems[0]?.text).toContain(`${file}: expected JSON`);
});

it.each([
  ['a directory', (file: string) => mkdirSync(file)],
  ['a FIFO', (file: string) => execFileSync('mkfifo', [file])],
  ['a link to a device', (file: string) => symlinkSync('/dev/zero', file)],
  ['a link to itself', (file: string) => symlinkSync(file, file)],
])('reports %s in the place of the file, and does not wait for it', (_, make) => {
  const file = join(dir, '.config/trai/config.json');
  mkdirSync(dirname(file), { recursive: true });
  make(file);
  const { config, problems } = loadConfig({ HOME: dir });
  expect([config, problems.map(({ text }) => text)]).toEqual([
    DEFAULT_CONFIG,
    [`${file}: expected a regular file. The defaults are used.`],
  ]);
});

it('reads a file that a link leads to, and passes over a link to nothing', () => {
  const file = join(dir, '.config/trai/config.json');
  const data = put('data/config.json', '{"enabled":false}');
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(join(dir, 'dotfile'), file);
  const env = { HOME: dir, CLAUDE_PLUGIN_DATA: join(dir, 'data') };
  expect(loadConfig(env).file).toBe(data);
  put('dotfile', '{"enabled":false}');
  expect(loadConfig(env)).toMatchObject({ file, config: { enabled: false }, problems: [] });
});

it('passes over a path that leads through a file', () => {
  const data = put('data/config.json', '{"enabled":false}');
  put('.config', '');
  expect(loadConfig({ HOME: dir, CLAUDE_PLUGIN_DATA: join(dir, 'data') })).toMatchObject({
    file: data,
    config: { enabled: false },
    problems: [],
  });
});

it('reads a file that begins with a byte order mark', () => {
  put('.config/trai/config.json', '\uFEFF{"enabled":false}');
  expect(loadConfig({ HOME: dir })).toMatchObject({ config: { enabled: false }, problems: [] });
});

it.each<[about: string[], box: unknown, isThere: boolean]>([
  [['profiles', 'a'], { profiles: { a: { net: 'of' } } }, true],
  [['profiles', 'a'], { profiles: { a: { nett: 'off' } } }, true],
  [['profiles', 'a'], { profiles: { a: 'off' } }, true],
  [['profiles', 'a'], { profiles: [] }, true],
  [['profiles', 'a'], 'x', true],
  [['profiles', 'a'], { profiles: { ab: { net: 'of' }, 'a.net': { nett: 1 } } }, false],
  [['profiles', 'a.b'], { profiles: { a: { net: 'of', b: 1 } } }, false],
  [['network', 'deny'], { network: { deny: { add: ['//'] } } }, true],
  [['network', 'deny'], { network: { denied: ['x.example'] } }, true],
  [['network', 'deny'], { netwrk: { deny: ['x.example'] } }, false],
  [['network', 'deny'], { network: { allow: ['//'] }, profiles: { deny: 1 } }, false],
  [['network', 'deny'], { profiles: { a: { nett: { deny: 1 } } } }, false],
])('what is wrong with box.%j in box: %j is said: %s', (about, box, isThere) => {
  put('.config/trai/config.json', JSON.stringify({ box, enabled: 1, other: 1 }));
  const loaded = loadConfig({ HOME: dir });
  expect(loaded.problems.length).toBeGreaterThan(2);
  expect(problemsAbout(loaded, ['box', ...about]).length > 0).toBe(isThere);
});

it('a file that cannot be used is about everything', () => {
  put('.config/trai/config.json', '{');
  expect(problemsAbout(loadConfig({ HOME: dir }), ['box', 'network', 'deny'])).toHaveLength(1);
});
