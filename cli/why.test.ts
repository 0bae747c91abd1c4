import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fsPath } from '../core/kernel/fs/port.ts';
import { openGrant } from '../core/session/grants.ts';
import { fromText, joinPath } from '../shared/bytes.ts';
import type { WhyPath } from '../shared/model/why.ts';
import { eachInAPlace, type Place } from '../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

const at = (name: string): string => join(place.project, name);

it('the commands find session and paths in a directory whose name is not UTF-8', async () => {
  const dir = joinPath(fromText(place.project), 'caf\xe9');
  mkdirSync(fsPath(dir));
  // Node itself cannot start a program in such a directory.
  const there = (command: string): string => {
    const line = `cd "$(printf 'caf\\351')" && ${command}`;
    return execFileSync('sh', ['-c', line], {
      cwd: place.project,
      env: place.env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  };
  there(
    'git init -q . && echo old > a && git add a && git -c user.name=a -c user.email=a@b commit -qm first',
  );
  const trai = (words: string) => there(`bash ${place.program} ${words}`);
  trai("exec --session s -- sh -c 'echo mine > a'");
  trai("exec -- sh -c 'echo new > b'");
  expect(there('cat a; ls')).toBe('old\na\n');
  const why: WhyPath = JSON.parse(trai('why a --json'));
  expect(why).toMatchObject({ session: 's', path: `${dir}/a`, change: { kind: 'modified' } });
  expect(trai('diff a')).toContain('+mine');
  trai('export --patch p');
  expect(there('git apply --stat p')).toContain('2 files changed');
  expect(trai('doctor')).not.toContain('\ufffd');
  trai('commit --yes a');
  expect(there('cat a; ls')).toBe('mine\na\np\n');
}, 120_000);

describe('trai why', () => {
  it('names the call, the base, the host now, the conflict and the place', async () => {
    writeFileSync(at('kept'), 'old\n');
    place.sh('echo mine > kept');
    await sleep(60);
    place.sh('echo other > other');
    writeFileSync(at('kept'), 'the host went on\n');
    const { out, rc } = place.trai(['why', 'kept']);
    expect(rc).toBe(0);
    const lines = out.split('\n');
    expect(lines[0]).toBe(at('kept'));
    expect(out).toMatch(/^ {2}state +pending: modified$/m);
    expect(out).toMatch(/^ {2}conflict +the host changed it after the sandbox took its copy$/m);
    expect(out).toMatch(/^ {2}last changed at .* by\n {4}sh -c 'echo mine > kept' \(call [a-z0-9-]+\)$/m);
    expect(out).toMatch(/^ {2}host +file, 17 B, mode 0644/m);
    expect(out).toMatch(/^ {2}sandbox +file, 5 B, mode 0644/m);
    expect(out).toMatch(/^ {2}base +file, 4 B, mode 0644.*last changed/m);
    expect(out).toMatch(/^ {2}overlay +covered directory \//m);
    expect(out).not.toContain('echo other');
    const json: WhyPath = JSON.parse(place.trai(['why', '--json', 'kept']).out);
    expect(json).toMatchObject({
      session: 's',
      change: { kind: 'modified', conflict: 'host-changed' },
      base: 'known',
    });
  });

  it('says why something is not pending, and by which rule it is ignored', () => {
    mkdirSync(at('dir'));
    mkdirSync(join(place.base, 'home/.config/trai'), { recursive: true });
    writeFileSync(
      join(place.base, 'home/.config/trai/config.json'),
      JSON.stringify({ ignore: { add: [`${at('noise')}/`] } }),
    );
    place.sh('mkdir noise; echo i > noise/i; echo x > dir/in');
    expect(place.trai(['why', '/tmp/whatever']).out).toContain('not pending: it is written directly');
    expect(place.trai(['why', 'nothing']).out).toContain('not pending: there is no such entry');
    expect(place.trai(['why', 'dir']).out).toContain('1 pending change: trai diff --list');
    expect(place.trai(['why', 'noise/i']).out).toContain(`by the rule "${at('noise')}/"`);
    expect(place.trai(['why', join(place.state, 'server.json')]).out).toContain('trai’s own state');
  });

  it('takes one path, and from a prompt the one that was typed', async () => {
    place.sh('echo x > "a b"');
    expect(place.trai(['why'])).toMatchObject({ rc: 2, out: '' });
    expect(place.trai(['why', 'a', 'b'])).toMatchObject({ rc: 2, out: '' });
    expect(place.trai(['why', '--from-prompt'])).toMatchObject({ rc: 1, out: '' });
    await openGrant(join(place.state, 'sessions/s'), { kind: 'permit', what: 'why "a b"' });
    expect(place.trai(['why', '--from-prompt']).out).toContain('pending: added');
  });
});

describe('trai why-host', () => {
  it('is of the newest call, of one by its id or the beginning of it, and of one so many back', () => {
    place.sh('echo one > one');
    place.sh('echo two > two');
    const { out } = place.trai(['why-host']);
    expect(out.split('\n')[0]).toBe("sh -c 'echo two > two'");
    expect(out).toMatch(/^ {2}decided +ran in the sandbox\n +`trai exec` runs everything/m);
    const id = /call +([a-z0-9-]+) of session s, exec/.exec(out)?.[1] ?? '';
    expect(place.trai(['why-host', id]).out).toBe(out);
    expect(place.trai(['why-host', id.slice(0, -1)]).out).toBe(out);
    expect(place.trai(['why-host', '2']).out).toContain('echo one > one');
    expect(place.trai(['why-host', 'nothing'])).toMatchObject({ rc: 1, out: '' });
  });
});

it.each(['why', 'why-host'])('`trai %s` only reads: below a Claude client it needs no permit', (command) => {
  place.sh('echo x > made');
  const args = command === 'why' ? [command, 'made'] : [command];
  expect(place.trai(args, { CLAUDECODE: '1', CLAUDE_PID: '1' }).rc).toBe(0);
});
