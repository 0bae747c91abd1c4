import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import { loadConfig } from './config-file.ts';

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
  expect(loaded.problems[0]).toContain(`${file}: expected JSON`);
});

it('reports a directory in the place of the file', () => {
  mkdirSync(join(dir, '.config/trai/config.json'), { recursive: true });
  expect(loadConfig({ HOME: dir }).problems[0]).toContain('EISDIR');
});

it('reads a file that begins with a byte order mark', () => {
  put('.config/trai/config.json', '\uFEFF{"enabled":false}');
  expect(loadConfig({ HOME: dir })).toMatchObject({ config: { enabled: false }, problems: [] });
});
