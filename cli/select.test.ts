/** A part of the pending changes from a terminal: commit, discard, export; and Ctrl-C. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeFileLock } from '../core/kernel/proc/file-lock.ts';
import { openGrant } from '../core/session/grants.ts';
import type { RuledChange } from '../shared/model/change.ts';
import { eachInAPlace, type Place } from '../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

const at = (name: string): string => join(place.project, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');
const pending = (): string[] => {
  const changes: { path: string }[] = JSON.parse(place.trai(['diff', '--list', '--json']).out);
  return changes.map(({ path }) => path.slice(place.project.length + 1));
};

describe('a part of what is pending', { timeout: 180_000 }, () => {
  it('is committed by its paths, with what it needs, which is said; the rest stays', () => {
    place.sh('mkdir -p n/m; echo 1 > n/m/1; echo 2 > n/m/2; echo f > f');
    const { rc, out, err } = place.trai(['commit', 'n/m/1']);
    expect([rc, out.split(',')[0]]).toEqual([0, 'Committed 3 changes']);
    expect(err).toContain(
      `Also included:\n  ${at('n/m')}: it is the directory that holds ${at('n/m/1')}\n  ${at('n')}: `,
    );
    expect(read('n/m/1')).toBe('1\n');
    expect(existsSync(at('n/m/2'))).toBe(false);
    expect(pending()).toEqual(['f', 'n/m/2']);
    expect(place.trai(['commit', 'nothing'])).toMatchObject({ rc: 1, out: '' });
    expect(place.trai(['commit', 'f', '--call', 'x'])).toMatchObject({ rc: 2, out: '' });
    expect(place.trai(['commit', ''])).toMatchObject({ rc: 2, out: '' });
    expect(pending()).toEqual(['f', 'n/m/2']);
  });

  it('may be nothing but modification times: a path above them, or their own, commits them', () => {
    const names = ['n/1', 'n/2', 'other'];
    place.onHost('mkdir n; echo 1 > n/1; echo 2 > n/2; echo o > other; touch -d @1000000000 n/1 n/2 other');
    place.sh('touch -d @1500000000 n/1 n/2 other');
    const times = () => names.map((name) => statSync(at(name)).mtimeMs / 1e9);
    expect(place.trai(['why', 'n/1']).out).toContain('only its modification time differs');
    expect(place.trai(['why', 'n']).out).toContain('only the modification times of 2 files below it differ');
    const done = place.trai(['commit', 'n']);
    expect([done.rc, done.err, done.out.split(',')[0]]).toEqual([0, '', 'Committed 0 changes (+ 2 times)']);
    expect(times()).toEqual([1_500, 1_500, 1_000]);
    expect(place.trai(['commit', 'n'])).toMatchObject({ rc: 1, out: '' });
    expect(place.trai(['commit', 'other']).rc).toBe(0);
    expect(times()).toEqual([1_500, 1_500, 1_500]);
  });

  it('is committed while a process writes all the time, which is a reason for nothing but its own file', () => {
    place.sh('echo s > s; (while :; do echo t; done) >> log 2>&1 & until [ -s log ]; do :; done');
    expect(place.trai(['commit', 's'])).toMatchObject({
      rc: 0,
      out: expect.stringContaining('Committed 1 change,'),
    });
    expect(read('s')).toBe('s\n');
    expect(place.trai(['commit']).err).toBe('');
    expect(place.trai(['discard', '--yes', '--end-processes'])).toMatchObject({
      rc: 0,
      err: expect.stringMatching(/^In use by processes of the session:\n.*\/log: .*\n$/),
    });
    expect(pending()).toEqual([]);
  });

  it('is committed by the call that wrote it, and up to a call', () => {
    for (const name of ['one', 'two', 'three']) place.sh(`echo ${name} > ${name}; sleep 0.1`);
    const ids = ['one', 'two'].map((name) => /\(call (\S+)\)/.exec(place.trai(['why', name]).out)?.[1] ?? '');
    expect(place.trai(['commit', '--call', ids[1] ?? '']).rc).toBe(0);
    expect([existsSync(at('one')), existsSync(at('two')), existsSync(at('three'))]).toEqual([
      false,
      true,
      false,
    ]);
    place.sh('echo four > four');
    expect(place.trai(['commit', '--up-to', ids[1] ?? '']).rc).toBe(0);
    expect(pending()).toEqual(['four', 'three']);
    expect(place.trai(['commit', '--call', 'none']).err).toContain('no sandboxed call "none"');
  });

  it('is discarded with --yes only, and comes back beside what is pending by then', () => {
    writeFileSync(at('old'), 'host\n');
    place.sh('echo sandbox > old; echo new > new; mkdir d; echo x > d/x');
    expect(place.trai(['discard', 'old', 'd'])).toMatchObject({ rc: 2, out: '' });
    const { rc, out } = place.trai(['discard', 'old', 'd', '--yes']);
    expect([rc, out]).toEqual([0, 'Discarded 3 entries. Undo with: trai undo\n']);
    expect(pending()).toEqual(['new']);
    expect(place.sh('cat old').out).toBe('host\n');
    place.sh('echo later > later');
    expect(place.trai(['undo']).rc).toBe(0);
    expect(pending()).toEqual(['d', 'd/x', 'later', 'new', 'old']);
    expect(place.sh('cat old d/x').out).toBe('sandbox\nx\n');
  });

  it('is taken from what the user typed, not from the line of the command file', async () => {
    place.sh('echo a > a; echo b > b');
    await openGrant(join(place.state, 'sessions/s'), { kind: 'permit', what: 'commit b' });
    expect(place.trai(['commit', '--from-prompt']).rc).toBe(0);
    expect(pending()).toEqual(['a']);
    expect(place.trai(['commit', '--from-prompt', 'a'])).toMatchObject({ rc: 1, out: '' });
    expect(pending()).toEqual(['a']);
  });

  it('is named by a path through the links that HOME leads through, too', () => {
    const link = join(place.base, 'link');
    symlinkSync(place.project, link);
    mkdirSync(at('home'));
    const [named, HOME] = [join(link, 'home/named'), join(link, 'home')];
    place.sh('echo 1 > "$HOME/named"; echo 2 > other', 's', { HOME });
    expect(place.trai(['diff', named], { HOME }).out).toContain('+1\n');
    expect(place.trai(['why', named], { HOME }).out).toContain('pending');
    expect(place.trai(['commit', named], { HOME }).out).toContain('Committed 1 change,');
    expect(readFileSync(named, 'utf8')).toBe('1\n');
    expect(place.trai(['undo'], { HOME }).out).toContain('Undone: 1 change');
    expect(place.trai(['discard', '--yes', named], { HOME }).out).toContain('Discarded 1 entry');
    expect(pending()).toEqual(['other']);
  });

  it('is exported to a patch or a branch, and stays pending', () => {
    const git = (words: string) => place.onHost(`git ${words}`);
    git('init -q -b main .');
    git('-c user.name=k -c user.email=k@k commit -q --allow-empty -m first');
    place.sh('echo a > a; echo b > b');
    expect(place.trai(['export'])).toMatchObject({
      rc: 2,
      out: '',
      err: expect.stringContaining('--patch FILE'),
    });
    expect(place.trai(['export', '--patch', '../p', 'a']).out).toContain('Wrote 1 entry');
    expect(readFileSync(join(place.base, 'p'), 'utf8')).toContain('+++ b/a');
    expect(place.trai(['export', '--branch', 'work', '--message', 'both']).out).toContain('Put 2 entries');
    expect(git('log -1 --format=%s --name-only work')).toBe('both\n\na\nb\n');
    expect(git('status --porcelain')).toBe('');
    expect(pending()).toEqual(['a', 'b']);
    expect(place.trai(['export', '--branch', 'work'])).toMatchObject({ rc: 2, out: '' });
    expect(place.trai(['export', '--from-prompt', '--branch', 'x'])).toMatchObject({ rc: 1, out: '' });
  });
});

it('status, diff --list, export and commit say what effect rules are about, and which rules cannot be read', () => {
  const rules = join(place.project, '.claude/trai.rules.json');
  mkdirSync(dirname(rules), { recursive: true });
  const effects = [
    { paths: ['*.env'], do: 'never', reason: 'keys' },
    { paths: ['*.env', 'run.sh'], do: 'confirm' },
  ];
  writeFileSync(rules, JSON.stringify({ version: 2, effects }));
  place.onHost(
    'git init -q -b main . && git -c user.name=k -c user.email=k@k commit -q --allow-empty -m one',
  );
  place.sh('echo a > a; echo k > k.env; echo r > run.sh');
  const named = (does: string, i: number, reason = '') => ({
    do: does,
    text: `effects[${i}] of ${rules}${reason}`,
  });
  const both = [named('never', 0, ': keys'), named('confirm', 1)];
  const listed = JSON.parse(place.trai(['diff', '--list', '--json']).out);
  expect(listed.map(({ path, effects }: RuledChange) => [path.replace(/.*\//, ''), effects])).toEqual([
    ['a', undefined],
    ['k.env', both],
    ['run.sh', [named('confirm', 1)]],
  ]);
  const lines = place.trai(['diff', '--list']).out.split('\n');
  expect(lines[1]).toBe(
    `  A k.env  not to be committed (effects[0] of ${rules}: keys)  to be confirmed (effects[1] of ${rules})`,
  );
  const status = place.trai(['status']).out;
  for (const line of lines) expect(status).toContain(line);
  // They stay pending changes until a commit.
  expect(status).toMatch(/^3 changes pending/);
  const ruled = ['k.env', 'k.env', 'run.sh'].map((name) => join(place.project, name));
  const pathsOf = (words: string[]) =>
    JSON.parse(place.trai([...words, '--json']).out).effects.map(({ path }: { path: string }) => path);
  expect(pathsOf(['status'])).toEqual(ruled);
  expect(place.trai(['status', '--by-call']).out).toContain('not to be committed');
  expect(pathsOf(['export', '--patch', '../p'])).toEqual(ruled);
  expect(place.trai(['export', '--patch', '../q']).out).toContain('run.sh: to be confirmed (effects[1] of');
  rmSync(join(place.state, 'rules'), { recursive: true, force: true });
  writeFileSync(rules, '{');
  expect(place.trai(['status']).out).toMatch(
    /^The rule file .*trai\.rules\.json cannot be used: .*every call is asked about\); see: trai rules verify$/m,
  );
  expect(place.trai(['commit']).err).toMatch(
    /^The rule file .*trai\.rules\.json cannot be used .*effects are not known\.\n/,
  );
});

it('Ctrl-C stops a commit before it has touched anything, and the next one does it all', async () => {
  place.sh('echo a > a; echo b > b');
  const lock = join(place.state, 'sessions/s/lock');
  const release = await takeFileLock(lock);
  const child = place.start(['commit']);
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  const ended = once(child, 'close');
  const group = -(child.pid ?? 0);
  try {
    // In flock(1), which the terminal's Ctrl-C must not reach.
    await expect.poll(() => waitsFor(lock), { timeout: 180_000 }).toBe(true);
    process.kill(group, 'SIGINT');
    await expect.poll(() => said.err, { timeout: 180_000 }).toContain('Stopping between two entries');
  } finally {
    await release();
  }
  expect(await ended).toEqual([1, null]);
  expect(said.out).toContain('Cancelled after 0 of 2 changes');
  expect(existsSync(at('a')) || existsSync(at('b'))).toBe(false);
  expect(pending()).toEqual(['a', 'b']);
  expect(place.trai(['commit']).rc).toBe(0);
  expect(read('b')).toBe('b\n');
}, 180_000);

/** Whether a process waits for the lock. */
function waitsFor(lock: string): boolean {
  const { ino } = statSync(lock);
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .some((line) => line.includes('->') && line.includes(`:${ino} `));
}
