import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = path.dirname(import.meta.dirname);
let dir = '';
let root = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'trai-bin-'));
  root = path.join(dir, "it's a plugin");
  for (const name of ['bin/trai', 'hooks/lib/find-node.sh'])
    cpSync(path.join(ROOT, name), path.join(root, name));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Puts a program in place that says how it was started. */
function program(lib = 'lib'): void {
  mkdirSync(path.join(root, lib), { recursive: true });
  const source = 'console.log(JSON.stringify([process.env.TRAI_ROOT, ...process.argv.slice(2)]))';
  writeFileSync(path.join(root, lib, 'cli.cjs'), source);
}

function trai(file: string, args: readonly string[], env: Record<string, string> = {}) {
  const variables = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: dir, ...env };
  return spawnSync('/bin/bash', [file, ...args], { encoding: 'utf8', cwd: '/', env: variables });
}

test.each(['lib', 'dist/plugin/lib'])('the program in %s gets the words as they are', (lib) => {
  program(lib);
  const words = ['exec', '--', 'a b', '', "it's", '$HOME', '-n'];
  const ran = trai(path.join(root, 'bin/trai'), words);
  expect(JSON.parse(ran.stdout)).toEqual([root, ...words]);
});

test('it is found through symlinks, relative ones and chains of them', () => {
  program();
  mkdirSync(path.join(dir, 'links'));
  symlinkSync("../it's a plugin/bin/trai", path.join(dir, 'links/one'));
  symlinkSync('one', path.join(dir, 'links/two'));
  symlinkSync(path.join(dir, 'links/two'), path.join(dir, 'three'));
  expect(JSON.parse(trai(path.join(dir, 'three'), ['status']).stdout)).toEqual([root, 'status']);
});

test('they are read by the system’s readlink, whatever PATH names first', () => {
  program();
  symlinkSync(path.join(root, 'bin/trai'), path.join(dir, 'link'));
  const bin = path.join(dir, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'readlink'), `#!/bin/sh\necho >'${dir}/started'\n`, { mode: 0o755 });
  const PATH = `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin`;
  expect(JSON.parse(trai(path.join(dir, 'link'), [], { PATH }).stdout)).toEqual([root]);
  expect(existsSync(path.join(dir, 'started'))).toBe(false);
});

test('a plugin that is not built, and a machine without Node, are told apart', () => {
  const file = path.join(root, 'bin/trai');
  expect(trai(file, [])).toMatchObject({ status: 1, stderr: expect.stringContaining('cli.cjs, found none') });
  program();
  const only = path.join(dir, 'path');
  mkdirSync(only);
  const old = '#!/bin/sh\necho "18.0.0 $0"\n';
  writeFileSync(path.join(only, 'node'), old, { mode: 0o755 });
  const ran = trai(file, [], { PATH: only });
  const hasSystemNode =
    spawnSync('/bin/sh', ['-c', 'test -x /usr/bin/node || test -x /usr/local/bin/node']).status === 0;
  if (hasSystemNode) expect(JSON.parse(ran.stdout)).toEqual([root]);
  else
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('expected Node 20.19 or newer') });
});

test('the Node that is too old is asked for its version, unless a relative entry of PATH leads to it', () => {
  program();
  writeFileSync(path.join(root, 'hooks/lib/find-node.sh'), 'find_node() { return 1; }\n');
  writeFileSync(path.join(dir, 'node'), `#!/bin/sh\necho v18.0.0\necho >'${dir}/started'\n`, { mode: 0o755 });
  const found = (PATH: string) =>
    / found (\S+)\.\n/.exec(trai(path.join(root, 'bin/trai'), [], { PATH }).stderr)?.[1];
  expect(found(`${path.relative('/', dir)}:/nonexistent`)).toBe('none');
  expect(existsSync(path.join(dir, 'started'))).toBe(false);
  expect(found(dir)).toBe('v18.0.0');
});

test('the Node that SessionStart noted is used when PATH has none', () => {
  program();
  const state = path.join(dir, 'state');
  mkdirSync(state);
  writeFileSync(path.join(state, 'node'), `${process.execPath}\n`);
  const ran = trai(path.join(root, 'bin/trai'), ['x'], { PATH: '/nonexistent', TRAI_STATE_HOME: state });
  expect(JSON.parse(ran.stdout)).toEqual([root, 'x']);
});
