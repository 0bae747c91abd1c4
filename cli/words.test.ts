/** Messages for an empty state, typing errors, odd names and broken machines. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachInAPlace, type Place } from '../testing/cli.ts';
import { COMMANDS } from './commands/all.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

describe('before there is anything', () => {
  it('sessions and gc say that there is nothing, and make nothing', () => {
    const { rc, out, err } = place.trai(['sessions']);
    expect({ rc, err }).toEqual({ rc: 0, err: '' });
    expect(out).toMatch(/^No sessions yet\.\nA session starts with trai claude, /);
    expect(place.trai(['gc'])).toMatchObject({ rc: 0, err: '' });
    expect(place.trai(['gc', '--yes']).out).toMatch(/^Nothing to remove\. /);
    expect(place.onHost(`ls ${place.base}`)).toBe('home\nproject\n');
  });

  it('a command that wants a session says how one comes into being', () => {
    const { rc, err } = place.trai(['status']);
    expect(rc).toBe(1);
    expect(err).toContain('trai claude');
    expect(err).toContain('trai exec --session NAME -- COMMAND');
    expect(place.trai(['log', '--session', 'nope']).err).toBe(
      'trai: there is no session nope\nAll sessions: trai sessions\n',
    );
  });
});

describe('help and mistakes', () => {
  it('is the same by every way of asking', () => {
    const asked = place.trai(['commit', '--help']);
    expect(asked).toMatchObject({ rc: 0, err: '' });
    expect(asked.out).toContain('--take-sandbox PATH,…');
    for (const line of [
      ['commit', '-h'],
      ['help', 'commit'],
    ])
      expect(place.trai(line)).toEqual(asked);
    const all = place.trai(['help']);
    for (const { name } of COMMANDS) expect(all.out).toContain(`  trai ${name} `);
    expect(place.trai([])).toEqual(all);
  });

  it('what is mistyped is cited, with the usage and where there is more', () => {
    expect(place.trai(['status', '--by-cal'])).toEqual({
      rc: 2,
      out: '',
      err: 'trai: unknown option "--by-cal"\nUsage: trai status [--by-call]\nMore: trai status --help\n',
    });
    expect(place.trai(['comit']).err).toMatch(
      /^trai: expected a command, found "comit"\nDid you mean: trai commit\nCommands: status /,
    );
    expect(place.trai(['nonsense']).err).not.toContain('Did you mean');
  });

  it.each([
    [['export', '--patch'], 'expected a value after --patch'],
    [['export', '--patch', '--branch', 'b'], 'expected a value after --patch'],
    [['gc', '--yes=1'], '--yes takes no value'],
    [['gc', '--help=1'], '--help takes no value'],
  ])('%j is answered in our words', (line, said) => {
    const { rc, err } = place.trai(line);
    expect(rc).toBe(2);
    expect(err.split('\n')[0]).toBe(`trai: ${said}`);
  });

  it.each([
    [['rules'], 'expected list, .* or import, found none', 'rules list | .* | import \\[...\\]'],
    [
      ['rules', 'add'],
      'expected user, project or session, found none',
      'rules add SCOPE TOOL .*--field FIELD\\]',
    ],
    [['rules', 'add', 'user'], 'expected the name of a tool', 'rules add SCOPE TOOL '],
    [
      ['rules', 'remove', 'user'],
      'expected deny, ask or allow, found none',
      'rules remove SCOPE LIST INDEX ',
    ],
    [['rules', 'edit'], 'expected user, project or session, found none', 'rules edit SCOPE LIST INDEX '],
    [['rules', 'list', '--yes'], 'unexpected "--yes"', 'rules list \\[--scope S\\]'],
    [['rules', 'trust', 'xx'], 'expected a hash as listed.*, found "xx"', 'rules trust \\[HASH ...\\]$'],
  ])('%j names the argument, and the usage of the subcommand alone', (line, said, usage) => {
    const { rc, err } = place.trai(line);
    expect(rc).toBe(2);
    expect(err).toMatch(new RegExp(`^trai: ${said}`));
    expect(err).toMatch(new RegExp(`^Usage: trai ${usage}`, 'm'));
  });

  it('a diff says what its lines do not: mode, rename, conflict', () => {
    const file = (name: string) => join(place.project, name);
    for (const name of ['mode', 'old', 'both']) writeFileSync(file(name), `${name}\n`);
    expect(place.sh('echo x >> mode; chmod 755 mode; mv old new; echo x >> both').rc).toBe(0);
    writeFileSync(file('both'), 'by hand\n');
    const { out } = place.trai(['diff']);
    expect(out).toContain(`modified: ${file('mode')} (mode 0644 to 0755)\n@@ `);
    expect(out).toContain(`added: ${file('new')} (renamed from ${file('old')})\n@@ `);
    expect(out).toContain(`modified: ${file('both')}  conflict: the host changed it after`);
  });

  it('a patch is named in what is said about it', () => {
    place.onHost('git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first');
    expect(place.sh('echo x > a').rc).toBe(0);
    const file = join(place.base, 'a b.patch');
    expect(place.trai(['export', '--patch', file]).out).toContain(`git apply '${file}'\n`);
    expect(place.trai(['export', '--patch', '../\n']).out).toContain('git apply FILE\n');
    expect(place.trai(['export', '--patch', '../é']).out).toContain(`git apply '${place.base}/é'\n`);
    const { rc, err } = place.trai(['export', '--patch', file]);
    expect(rc).toBe(2);
    expect(err).toContain(`found ${file} (EEXIST`);
  });

  it('an id that fits several calls is not one that fits none', () => {
    expect(place.sh('echo x > a').rc).toBe(0);
    expect(place.sh('echo x > b').rc).toBe(0);
    const [{ id }, { id: other }] = JSON.parse(place.trai(['log', '--json']).out).calls;
    let start = '';
    while (other.startsWith(start + id[start.length])) start += id[start.length];
    const said = place.trai(['commit', '--call', start]).err;
    expect(said).toContain(`the ids of 2 sandboxed calls begin with "${start}"`);
    expect(said).toContain('trai status --by-call');
    expect(place.trai(['commit', '--call', 'none']).err).toContain('no sandboxed call "none"');
  });

  it('a path at which nothing is pending is named once', () => {
    expect(place.sh('echo x > a').rc).toBe(0);
    expect(place.trai(['commit', 'none'])).toEqual({
      rc: 1,
      out: '',
      err: `trai: nothing is pending at the paths that were given (${place.project}/none: nothing is pending there)\nSee: trai status\n`,
    });
  });
});

describe('times', () => {
  it('are those of the place where the user is, as in the dashboard', () => {
    expect(place.sh('echo x > a').rc).toBe(0);
    const TZ = 'Asia/Kolkata';
    // A time zone with a half hour and without summer time.
    const there = (at: string) => new Date(Date.parse(at) + 5.5 * 3_600_000).toISOString().replace('T', ' ');
    const json = (...line: string[]) => JSON.parse(place.trai([...line, '--json']).out);
    const [call] = json('log').calls;
    expect(place.trai(['log'], { TZ }).out).toContain(
      `${there(call.startedAt).slice(11, 19)} sandbox exit 0   sh`,
    );
    expect(place.trai(['why-host'], { TZ }).out).toContain(
      `exec, ${there(json('why-host').at).slice(0, 23)}\n`,
    );
    const [{ lastUse }] = json('sessions').sessions;
    expect(place.trai(['sessions'], { TZ }).out).toContain(`    ${there(lastUse).slice(0, 16)}  `);
  });
});

describe('a state directory that is none', () => {
  it.each([['status'], ['sessions'], ['ui'], ['exec', '--session', 's', '--', 'true'], ['doctor']])(
    '%s names it',
    (...line) => {
      const file = join(place.base, 'file');
      writeFileSync(file, '');
      const { rc, out, err } = place.trai(line, { TRAI_STATE_HOME: file });
      expect(rc).toBe(line[0] === 'exec' ? 125 : 1);
      expect(out + err).toContain(file);
      expect(out + err).toContain('TRAI_STATE_HOME');
    },
  );
});

describe('what somebody has spoilt', () => {
  it('a server.json that can not be believed does not change how a command ends', () => {
    expect(place.sh('echo x > a').rc).toBe(0);
    writeFileSync(join(place.state, 'server.json'), '{}', { mode: 0o666 });
    chmodSync(join(place.state, 'server.json'), 0o666);
    expect(place.sh('exit 7')).toEqual({ rc: 7, out: '', err: '' });
    expect(place.trai(['ui'])).toMatchObject({ rc: 1, err: expect.stringContaining('server.json') });
    expect(place.trai(['diff', '--list']).out).toBe('  A a\n');
  });

  it('doctor says what is wrong in the config, and where', () => {
    const dir = join(place.base, 'home/.config/trai');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'config.json'), '{"undo": 5}');
    const { out } = place.trai(['doctor']);
    expect(out).toMatch(/^note {2}config: .*\/config\.json: .*undo/m);
    expect(out).toContain('their defaults are used');
  });

  it('a commit says that the config can not be used: what is ignored may be in it', () => {
    expect(place.sh('echo x > a').rc).toBe(0);
    const dir = join(place.base, 'home/.config/trai');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'config.json'), '{"ignore": [');
    const { rc, err } = place.trai(['commit']);
    expect(rc).toBe(0);
    expect(err).toMatch(/\/config\.json: expected JSON: .* The defaults are used\.\n$/);
    expect(JSON.parse(place.trai(['status', '--json']).out)).toMatchObject({ conflicts: 0 });
  });
});

describe('trai ui', () => {
  it('says which port is taken, and where it is named', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => other.once('listening', resolve));
      const address = other.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const dir = join(place.base, 'home/.config/trai');
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, 'config.json'), JSON.stringify({ server: { port } }));
      const { rc, out, err } = place.trai(['ui']);
      expect({ rc, out }).toEqual({ rc: 1, out: '' });
      expect(err).toBe(
        `trai: the server did not start: another program has port ${port}\n  ${dir}/config.json\nThe config names that port (server.port): name another, or 0 for any. Until then calls take the slower Node path, and nothing is lost.\n`,
      );
    } finally {
      other.close();
    }
  });
});

describe('names and texts that would drive a terminal', () => {
  const ODD = '\x1b[31mX\x1b]0;T\x07\u202e\u009b31m';
  const DRIVES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

  it('reach it in no output, whatever is asked', () => {
    mkdirSync(join(place.base, `state${ODD}`));
    writeFileSync(join(place.project, `host${ODD}`), 'one\n');
    const script = `echo "$1" > "host$1"; ln -s "$1" "link$1"; mkdir "dir$1"; (exec -a "proc$1" sleep 100 >/dev/null 2>&1) & exit 3 # ${ODD}`;
    place.sh('true');
    expect(place.trai(['exec', '--session', 's', '--', 'bash', '-c', script, '-', ODD])).toMatchObject({
      rc: 3,
    });
    const lines = [
      ...[['status'], ['status', '--json'], ['status', '--by-call'], ['diff'], ['log'], ['ps'], ['sessions']],
      ...[['why-host'], ['why', `host${ODD}`], ['commit', ODD], ['export', '--patch', `/no${ODD}/x`]],
      ...[[ODD], ['status', `--${ODD}`], ['doctor']],
    ];
    for (const line of lines) {
      const { out, err } = place.trai(line);
      expect(out + err, JSON.stringify(line)).not.toMatch(DRIVES);
    }
    const { out, err } = place.trai(['sessions'], { TRAI_STATE_HOME: join(place.base, `state${ODD}/x`) });
    expect(out + err).toMatch(/^No sessions yet\.\nA session starts with [ -~]*\n$/);
  }, 120_000);
});
