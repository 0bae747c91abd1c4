import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programPath } from '../kernel/programs.ts';
import { ENTRY } from './argv.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'trai-argv-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function script(name: string, text: string): string {
  const file = join(dir, name);
  writeFileSync(file, `#!/bin/bash\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** What bwrap is started with, and whether it ignores SIGINT (2). */
function started(entry: string, resets = ''): { words: string[]; ignores: boolean } {
  const out = join(dir, 'out');
  const bwrap = script('bwrap', `printf '%s\\0' "$@" >'${out}'; grep SigIgn /proc/$$/status >>'${out}'`);
  const words = [bwrap, join(dir, 'status'), '', join(dir, 'none'), dir, resets, '--', 'prog', '--', 'a b'];
  const { status, stderr } = spawnSync('bash', ['-p', '-c', entry, 'trai-box', ...words], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const said = readFileSync(out, 'utf8').split('\0');
  const ignored = Number.parseInt(said.pop()?.split('\t')[1] ?? '', 16);
  return { words: said, ignores: (ignored & 0b10) !== 0 };
}

describe('Ctrl-C', () => {
  const fixed = ['--args', '3', '--json-status-fd', '4', '--'];

  test('is left to the command', () => {
    expect(started(ENTRY)).toEqual({
      words: [...fixed, programPath('env'), '--default-signal=INT,QUIT', '--', 'prog', '--', 'a b'],
      ignores: true,
    });
  });

  test('ends the box where env(1) can’t give signals back', () => {
    const old = script('env', 'echo "unrecognized option" >&2; exit 125');
    expect(started(ENTRY.replaceAll(programPath('env'), old))).toEqual({
      words: [...fixed, 'prog', '--', 'a b'],
      ignores: false,
    });
  });

  test('is left to the command without a try where env(1) is known to give signals back', () => {
    const out = join(dir, 'tried');
    const env = script('env', `touch '${out}'`);
    const entry = ENTRY.replaceAll(programPath('env'), env);
    expect(started(entry, 'yes').words).toEqual([
      ...fixed,
      env,
      '--default-signal=INT,QUIT',
      '--',
      'prog',
      '--',
      'a b',
    ]);
    expect(existsSync(out)).toBe(false);
  });
});
