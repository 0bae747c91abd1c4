import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachInAPlace, type Place } from '../../testing/cli.ts';

let place: Place;
eachInAPlace(
  (made) => {
    place = made;
  },
  // Covered, unlike temporary directories.
  userInfo().homedir,
);

it('a call that is refused because it would not see what is pending keeps none of it from a commit', (ctx) => {
  if (process.getuid?.() !== 0) ctx.skip('only root can mount');
  const mnt = join(place.project, 'sub/mnt');
  mkdirSync(mnt, { recursive: true });
  expect(place.sh('mkdir new; echo n > new/n; echo s > sub/s').rc).toBe(0);
  const current = () => lstatSync(join(place.state, 'sessions/s/plan/current'), { bigint: true }).ctimeNs;
  const before = current();
  expect(spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', mnt]).status).toBe(0);
  try {
    const refused = place.sh('cat new/n');
    expect(refused).toMatchObject({ rc: 125, out: '' });
    expect(refused.err).toContain('which has pending changes that this call would not see');
    // Not for a moment: a call beside it could make it stay so.
    expect(current()).toEqual(before);
    expect(place.trai(['commit'])).toMatchObject({ rc: 0, err: '' });
  } finally {
    spawnSync('umount', ['-l', mnt]);
  }
  const read = (name: string) => readFileSync(join(place.project, name), 'utf8');
  expect([read('new/n'), read('sub/s')]).toEqual(['n\n', 's\n']);
});

it('the mode of a mount point can be committed and discarded alone, also by the plan of a refused call', (ctx) => {
  if (process.getuid?.() !== 0) ctx.skip('only root can mount');
  const mnt = join(place.project, 'sub/mnt');
  mkdirSync(mnt, { recursive: true });
  expect(spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', mnt]).status).toBe(0);
  try {
    expect(place.sh('chmod 700 sub/mnt').rc).toBe(0);
  } finally {
    spawnSync('umount', ['-l', mnt]);
  }
  expect(place.sh('true').rc).toBe(125);
  // As earlier versions left it.
  const plans = join(place.state, 'sessions/s/plan');
  const current = readlinkSync(join(plans, 'current'));
  rmSync(join(plans, 'current'));
  symlinkSync(readdirSync(plans).find((name) => name !== current) ?? '', join(plans, 'current'));
  expect(place.trai(['discard', 'sub/mnt', '--yes'])).toMatchObject({ rc: 0, err: '' });
  expect(place.trai(['undo', '--yes']).rc).toBe(0);
  expect(place.trai(['commit', '--conflicts', 'take-sandbox'])).toMatchObject({ rc: 0, err: '' });
  expect(statSync(mnt).mode & 0o777).toBe(0o700);
});
