import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureStateDir, isInsideSandbox, runtimeDir, sessionDir, stateDir } from './dirs.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'trai-dirs-')));
afterAll(() => rmSync(top, { recursive: true }));
let count = 0;
let state = '';
beforeEach(() => {
  state = join(top, `case-${count++}`, 'state');
});

describe('stateDir', () => {
  it.each([
    [{ TRAI_STATE_HOME: '/a/b/', XDG_STATE_HOME: '/x', HOME: '/h' }, '/a/b'],
    [{ TRAI_STATE_HOME: '', XDG_STATE_HOME: '/x', HOME: '/h' }, '/x/trai'],
    [{ XDG_STATE_HOME: 'relative', HOME: '/h' }, '/h/.local/state/trai'],
    [{ HOME: '/h' }, '/h/.local/state/trai'],
    [{}, join(userInfo().homedir, '.local/state/trai')],
    [{ HOME: '' }, join(userInfo().homedir, '.local/state/trai')],
    [{ HOME: 'relative' }, join(userInfo().homedir, '.local/state/trai')],
  ])('of %j', (env, expected) => {
    expect(stateDir(env)).toBe(expected);
  });

  it('has no link above it, as mount tables have none; what is missing there keeps its names', () => {
    const [real, link] = [join(top, 'far'), join(top, 'near')];
    mkdirSync(join(real, 'there'), { recursive: true });
    symlinkSync(real, link);
    expect(stateDir({ HOME: link })).toBe(join(real, '.local/state/trai'));
    expect(stateDir({ TRAI_STATE_HOME: join(link, 'there/s') })).toBe(join(real, 'there/s'));
    // Refused by ensureStateDir.
    expect(stateDir({ TRAI_STATE_HOME: link })).toBe(link);
  });

  it('refuses a relative TRAI_STATE_HOME instead of writing below the current directory', () => {
    expect(() => stateDir({ TRAI_STATE_HOME: 'state' })).toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
  });
});

describe('runtimeDir and sessionDir', () => {
  it('the runtime dir lies below XDG_RUNTIME_DIR, or there is none', () => {
    expect([runtimeDir({ XDG_RUNTIME_DIR: '/run/user/1' }), runtimeDir({})]).toEqual([
      '/run/user/1/trai',
      null,
    ]);
  });

  it('a session id cannot leave the sessions directory', () => {
    expect(sessionDir('/s', 'abc')).toBe('/s/sessions/abc');
    for (const id of ['', '..', 'a/b', '.x']) {
      expect(() => sessionDir('/s', id)).toThrow(expect.objectContaining({ code: 'bad-input' }));
    }
  });
});

describe('ensureStateDir', () => {
  it('makes it for the user alone, whatever the umask, and again does nothing', () => {
    const before = process.umask(0);
    try {
      ensureStateDir(state);
      ensureStateDir(state);
    } finally {
      process.umask(before);
    }
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(statSync(join(state, 'sessions')).mode & 0o777).toBe(0o700);
  });

  it('closes one that others can read', () => {
    mkdirSync(state, { recursive: true, mode: 0o755 });
    chmodSync(state, 0o755);
    ensureStateDir(state);
    expect(statSync(state).mode & 0o777).toBe(0o700);
  });

  it.each<[string, () => void, string]>([
    ['a symlink', () => symlinkSync(top, state), 'forbidden'],
    [
      'writable by the group',
      () => {
        mkdirSync(state);
        chmodSync(state, 0o770);
      },
      'forbidden',
    ],
    [
      'writable by all',
      () => {
        mkdirSync(state);
        chmodSync(state, 0o707);
      },
      'forbidden',
    ],
    ['a file', () => writeFileSync(state, ''), 'io'],
    [
      'with a symlink for its sessions',
      () => {
        mkdirSync(state, { mode: 0o700 });
        symlinkSync(top, join(state, 'sessions'));
      },
      'forbidden',
    ],
  ])('refuses one that is %s', (_name, prepare, code) => {
    mkdirSync(join(state, '..'), { recursive: true });
    prepare();
    expect(() => ensureStateDir(state)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses one of another user', (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a directory to somebody else');
    mkdirSync(join(state, '..'), { recursive: true });
    mkdirSync(state, { mode: 0o700 });
    chownSync(state, 65534, 65534);
    expect(() => ensureStateDir(state)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });
});

describe('isInsideSandbox', () => {
  const overlay = '50 1 0:60 / /home rw - overlay trai:0123abcd:s1 rw,upperdir=u';
  const line = (point: string): string => `51 1 8:1 /x ${point} ro - ext4 /dev/sda rw`;

  it('needs a mount on the state dir, its name escaped by the kernel, and one of our overlays', () => {
    const odd = join(top, 'odd \\ name\n');
    mkdirSync(odd, { recursive: true });
    const escaped = odd.replaceAll('\\', '\\134').replaceAll(' ', '\\040').replaceAll('\n', '\\012');
    expect(isInsideSandbox(odd, `${overlay}\n${line(escaped)}\n`)).toBe(true);
    expect(isInsideSandbox(odd, `${line(escaped)}\n`)).toBe(false);
    expect(isInsideSandbox(odd, `${overlay}\n${line(join(top, 'odd'))}\n`)).toBe(false);
  });

  it('finds the state dir behind a symlink', () => {
    mkdirSync(join(top, 'real', 'trai'), { recursive: true });
    symlinkSync(join(top, 'real'), join(top, 'link'));
    expect(
      isInsideSandbox(join(top, 'link', 'trai'), `${overlay}\n${line(join(top, 'real', 'trai'))}\n`),
    ).toBe(true);
  });

  it('says no here, and the parsed form is what the kernel really writes', ({ skip }) => {
    mkdirSync(state, { recursive: true });
    expect(isInsideSandbox(state)).toBe(false);
    const odd = join(top, 'with space');
    mkdirSync(odd);
    const script = `mount -t tmpfs trai:0123abcd:s1 "$0" && cat /proc/self/mountinfo`;
    const { status, stdout, stderr } = spawnSync('unshare', ['-Urm', 'sh', '-c', script, odd], {
      encoding: 'latin1',
    });
    if (status !== 0) skip(`this machine has no user namespaces: ${stderr.trim()}`);
    expect(isInsideSandbox(odd, stdout)).toBe(true);
  });
});
