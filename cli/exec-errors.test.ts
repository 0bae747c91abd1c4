/** The errors of `trai exec`, and its state directory in a work tree. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachInAPlace, type Place } from '../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

describe('trai exec', () => {
  it.each([
    ['nonexistent', 127, 'nonexistent: command not found'],
    ['./nonexistent', 127, './nonexistent: no such file'],
    ['./plain', 126, './plain: permission denied'],
    ['./dir', 126, './dir: is a directory, not a command'],
  ])('-- %s ends with %i and says why', (word, rc, said) => {
    writeFileSync(join(place.project, 'plain'), 'x');
    chmodSync(join(place.project, 'plain'), 0o644);
    mkdirSync(join(place.project, 'dir'));
    expect(place.trai(['exec', '--session', 's', '--', word])).toEqual({
      rc,
      out: '',
      err: `trai: ${said}\n`,
    });
  });

  it('-- a builtin of the shell that is a program, too, is that program', () => {
    expect(place.trai(['exec', '--session', 's', '--', 'printf', '%s', 'x'])).toEqual({
      rc: 0,
      out: 'x',
      err: '',
    });
  });

  it.each([
    [['exec', '--session', 's', '--', 'true'], 125],
    [['status'], 1],
  ])('%j from a directory that is gone says so, and does nothing', (line, rc) => {
    const gone = join(place.project, 'gone');
    mkdirSync(gone);
    const words = `cd gone && rmdir ../gone && exec bash "$0" "$@"`;
    const ran = spawnSync('bash', ['-c', words, place.program, ...line], {
      cwd: place.project,
      encoding: 'utf8',
      env: { ...place.env, PWD: place.project },
    });
    expect(ran.status).toBe(rc);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain(`trai: the working directory is gone: ${gone}. Nothing was done`);
    expect(ran.stderr).not.toContain('ENOENT');
    expect(() => rmdirSync(gone)).toThrow();
  });
});

it('a home directory that is a work tree shows nothing of the state, and no file that git can not read', () => {
  const home = join(place.base, 'home');
  const TRAI_STATE_HOME = join(home, '.local/state/trai');
  const exec = ['exec', '--session', 's', '--', 'sh', '-c', 'echo 1 > pending'];
  expect(place.trai(exec, { TRAI_STATE_HOME }).rc).toBe(0);
  const said = place.onHost(
    `cd '${home}' && git init -q . && : > own && git status --porcelain --untracked-files=all 2>&1`,
  );
  expect(said).toBe('?? own\n');
});
