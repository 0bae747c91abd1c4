/** `trai box` of root, whose sessions cover `/usr`, and who can make files of another user. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mountSource } from '../../core/sandbox/context.ts';
import { endProcesses } from '../../core/sandbox/live.ts';
import { eachInAPlace, type Place, type Result } from '../../testing/cli.ts';

const isRoot = process.getuid?.() === 0;

let place: Place;
eachInAPlace((made) => {
  place = made;
}, userInfo().homedir);
beforeEach(() => {
  for (const name of ['home/.config/trai', 'home/.claude/plugins'])
    mkdirSync(join(place.base, name), { recursive: true });
  writeFileSync(join(place.base, 'home/.config/trai/config.json'), '{"server":{"autostart":false}}');
});
afterEach(async () => {
  const sessions = join(place.state, 'sessions');
  for (const session of existsSync(sessions) ? readdirSync(sessions) : [])
    await endProcesses(mountSource(place.state, session));
});

function trai(args: readonly string[], cwd = place.project): Result {
  const { status, stdout, stderr } = spawnSync('bash', [place.program, ...args], {
    cwd,
    env: place.env,
    encoding: 'utf8',
  });
  return { rc: status, out: stdout, err: stderr };
}

const sh = (script: string, options: readonly string[], cwd = place.project): Result =>
  trai(['box', '-y', ...options, '--shell', '--', 'bash', '-c', script], cwd);

const instances = (): string[] => {
  const dir = join(place.state, 'box');
  return existsSync(dir) ? readdirSync(dir).sort() : [];
};

/** The id of the box of a new project. */
function boxOf(name: string): string {
  const dir = join(place.base, name);
  mkdirSync(dir, { recursive: true });
  const before = instances();
  sh('true', ['--session', name], dir);
  return instances().find((id) => !before.includes(id)) ?? '';
}

describe.skipIf(!isRoot)(`trai box${isRoot ? '' : ' (skipped: needs root)'}`, () => {
  it('bwrap is the host’s: with another one pending nothing is made', () => {
    for (const program of ['/usr/bin/bwrap', '/bin/bash', '/bin/mkdir']) {
      const session = program.replaceAll('/', '');
      const change = `cp /usr/bin/true /usr/bin/t; rm ${program}; mv /usr/bin/t ${program}`;
      expect(trai(['exec', '--session', session, '--', '/bin/sh', '-c', change]).rc).toBe(0);
      for (const more of [[], ['--dry-run']])
        expect(sh('true', ['--session', session, ...more])).toMatchObject({
          rc: 125,
          out: '',
          err: expect.stringMatching(new RegExp(`has another (/usr)?${program} pending`)),
        });
      expect(trai(['discard', '--session', session, '--yes']).rc).toBe(0);
      expect(sh('echo in', ['--session', session])).toMatchObject({ rc: 0, out: 'in\n', err: '' });
    }
  });

  it('leaves, and names, what is another user’s', () => {
    const [record, dir, open, gone] = ['a', 'b', 'c', 'd'].map(boxOf);
    const at = (id: string | undefined, name = '') => join(place.state, 'box', id ?? '', name);
    chownSync(at(record, 'project-root'), 65_534, 65_534);
    chownSync(at(dir), 65_534, 65_534);
    chmodSync(at(open), 0o755);
    for (const name of ['a', 'b', 'c', 'd']) rmSync(join(place.base, name), { recursive: true });
    const { out } = trai(['box', '--gc', '--json']);
    const { taken, left } = JSON.parse(out) as { taken: { id: string }[]; left: { id: string }[] };
    expect(taken.map(({ id }) => id)).toEqual([gone]);
    expect(left.map(({ id }) => id).sort()).toEqual([record, dir, open].sort());
    expect(instances()).toEqual([record, dir, open].sort());
  });
});
