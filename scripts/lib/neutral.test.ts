import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hostileCommand, hostileEnvironment } from './hostile.ts';
import { neutralVariables } from './neutral.ts';
import { ROOT } from './root.ts';

const base = mkdtempSync(path.join(tmpdir(), 'trai-neutral-'));
afterAll(() => rmSync(base, { recursive: true }));

describe('the environment of a test', () => {
  test('has a home, a temporary directory, a locale and a umask that are nobody’s', () => {
    expect(homedir()).not.toBe(userInfo().homedir);
    expect(existsSync(path.join(homedir(), '.gitconfig'))).toBe(false);
    expect(tmpdir()).toMatch(/^\/(tmp|dev\/shm)\/trai-t-[^/ ]+$/);
    expect(process.env['LANG']).toBe('C.UTF-8');
    expect(Object.keys(process.env).filter((name) => name.startsWith('LC_'))).toEqual([]);
    writeFileSync(path.join(base, 'made'), '');
    expect(statSync(path.join(base, 'made')).mode & 0o777).toBe(0o644);
    const git = execFileSync('git', ['config', '--list', '--show-scope'], { cwd: base, encoding: 'utf8' });
    expect(git).toBe('');
  });

  test('takes nothing from the one of the caller that a program reads', () => {
    const hostile = hostileEnvironment(base);
    const neutral = neutralVariables(
      { ...hostile, GIT_DIR: '/x', XDG_CONFIG_HOME: '/x', BASH_ENV: '/x', PATH: '/bin', TRAI_CHROMIUM: '/c' },
      { home: '/h', scratch: '/s' },
    );
    expect(neutral).toEqual({
      HOME: '/h',
      TMPDIR: '/s',
      LANG: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      XDG_RUNTIME_DIR: '/s/run',
      TRAI_TEST_SCRATCH: '/s',
      TRAI_NPM_HOME: hostile['HOME'],
      PATH: '/bin',
      TRAI_CHROMIUM: '/c',
    });
  });

  test('is neutral in a run of vitest that a caller starts with hostile values, and nothing is left of it', () => {
    const dir = mkdtempSync(path.join(base, 'run-'));
    const seen = path.join(dir, 'seen');
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(dir, 'node_modules'));
    writeFileSync(
      path.join(dir, 'seen.test.ts'),
      `import { writeFileSync } from 'node:fs'; import { test } from 'vitest';
       test('see', () => writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ env: process.env, mask: process.umask() })));`,
    );
    const config = path.join(dir, 'vitest.config.ts');
    const neutral = JSON.stringify(path.join(ROOT, 'scripts/lib/neutral.ts'));
    writeFileSync(config, `import { makeNeutral } from ${neutral}; makeNeutral(); export default {};`);
    const env: NodeJS.ProcessEnv = { ...hostileEnvironment(dir), PATH: process.env['PATH'] };
    const vitest = path.join(ROOT, 'node_modules/.bin/vitest');
    const [program = '', ...args] = hostileCommand([vitest, 'run', '--config', config, '--root', dir]);
    execFileSync(program, args, { env, cwd: dir, stdio: 'pipe' });
    const told: { env: Record<string, string>; mask: number } = JSON.parse(readFileSync(seen, 'utf8'));
    expect(told.mask).toBe(0o022);
    expect(told.env['HOME']).toContain('/.cache/trai-h-');
    expect(told.env['TMPDIR']).toMatch(/^\/(tmp|dev\/shm)\/trai-t-\w+$/);
    expect([told.env['LC_ALL'], told.env['LANG']]).toEqual([undefined, 'C.UTF-8']);
    expect(told.env['GIT_CONFIG_SYSTEM']).toBe(undefined);
    expect([told.env['HOME'], told.env['TMPDIR']].filter((one = '') => existsSync(one))).toEqual([]);
  });
});
