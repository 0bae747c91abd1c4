/** What trai starts of its own accord is the system's, whatever PATH names first: it may lead into the project. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { PROGRAM_DIR } from '../core/kernel/programs.ts';
import { eachInAPlace, type Place } from '../testing/cli.ts';

/**
 * Looked for on PATH: node and git, as they are the user's, and bubblewrap, of which one that only root can replace counts
 * (core/box/bwrap.ts). What root writes into a project is such a one.
 */
const ON_PATH = ['node', 'git', ...(process.getuid?.() === 0 ? ['bwrap'] : [])];

let place: Place;
eachInAPlace((made) => {
  place = made;
});
/** One of each name there is, which notes that it was started. */
beforeEach(() => {
  const bin = join(place.project, 'bin');
  mkdirSync(bin);
  const noting = join(bin, '.noting');
  writeFileSync(
    noting,
    `#!/bin/sh\necho "\${0##*/} $*" >>'${place.base}/started'\nexec ${PROGRAM_DIR}/"\${0##*/}" "$@"\n`,
    { mode: 0o755 },
  );
  for (const name of readdirSync(PROGRAM_DIR).filter((one) => !ON_PATH.includes(one)))
    symlinkSync(noting, join(bin, name));
});

const started = (): string => {
  const file = join(place.base, 'started');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

function trai(...args: string[]): number | null {
  const env = { ...place.env, PATH: `${place.project}/bin:${place.env['PATH']}` };
  const { status, stderr } = spawnSync('/bin/bash', [place.program, ...args], {
    cwd: place.project,
    env,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return status === 0 ? 0 : expect.fail(`${args.join(' ')}: ${status} ${stderr}`);
}

it('commands start no program of the project’s', () => {
  writeFileSync(join(place.project, 'f'), '1\n');
  mkdirSync(join(place.project, 'd'));
  writeFileSync(join(place.project, 'd/g'), '1\n');
  const change =
    'echo 2 >f; rm -r d; mkdir d new; echo 2 >d/h; ln -s f l; chmod 700 d; sleep 300 >/dev/null 2>&1 &';
  place.sh(`cd '${place.project}'; ${change}`);
  trai('status');
  trai('diff');
  trai('ps', '--end');
  trai('commit', 'f');
  trai('commit');
  trai('undo');
  trai('undo', '--redo');
  place.sh('echo 3 >f; rm l');
  trai('discard', '--yes', 'f');
  trai('undo');
  trai('discard', '--yes');
  trai('gc', '--yes');
  trai('doctor');
  expect(started()).toBe('');
});
