/** Damaged derived files of a session: its next call works, and other sessions are not affected. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachInAPlace, type Place } from '../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'emptied': (file) => writeFileSync(file, ''),
  'cut short': (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
  'garbage': (file) => writeFileSync(file, '\0\x80{"v":1,'),
  'gone': (file) => rmSync(file),
  'a directory': (file) => {
    rmSync(file, { force: true });
    mkdirSync(join(file, 'with/more'), { recursive: true });
  },
  'a FIFO': (file) => {
    rmSync(file, { force: true });
    execFileSync('mkfifo', [file]);
  },
};

const session = (name: string) => join(place.state, 'sessions', name);
const inPlan = (name: string) => join(session('s'), 'plan/current', name);
const PLAN = ['plan.json', 'vars', 'check', 'fstab', 'late'];
/** Files whose loss goes unreported: trai rebuilds them, or reports less. */
const NOTES = ['overlay/.listed.json', 'overlay/.listed-at', 'counts.json', 'disk.json'];

function make(): void {
  expect(place.sh('echo 1 > one')).toMatchObject({ rc: 0, err: '' });
  expect(place.sh('echo 2 > two', 'other')).toMatchObject({ rc: 0, err: '' });
  place.trai(['sessions']);
}

function expectAllWell(): void {
  expect(place.sh('cat one; echo 3 >> one')).toEqual({ rc: 0, out: '1\n', err: '' });
  expect(place.sh('cat one')).toEqual({ rc: 0, out: '1\n3\n', err: '' });
  expect(place.trai(['diff', '--list', '--session', 's']).out).toBe('  A one\n');
  expect(place.trai(['doctor']).out).toMatch(/^ok {4}sessions: 2, all can be read$/m);
}

function expectOthersWell(): void {
  const sessions = place.trai(['sessions']);
  expect(sessions).toMatchObject({ rc: 0, err: '' });
  expect(sessions.out).toMatch(/^other .*\n.*1 added/m);
  expect(place.trai(['gc'])).toMatchObject({ rc: 0, err: '' });
  expect(place.trai(['status', '--session', 'other'])).toMatchObject({ rc: 0, err: '' });
}

describe.each(Object.entries(DAMAGES))('%s', (_what, damage) => {
  it('every derived file: doctor says so, no other session is harmed, and the next call makes them anew', () => {
    make();
    const table = join(session('s'), 'overlay/places.json');
    const before: [string, number][] = JSON.parse(readFileSync(table, 'utf8'));
    for (const name of PLAN) damage(inPlan(name));
    damage(table);
    for (const name of NOTES) {
      writeFileSync(join(session('s'), name), 'x', { flag: 'a' });
      damage(join(session('s'), name));
    }
    damage(join(place.state, 'node'));
    const { out } = place.trai(['doctor']);
    expect(out).toMatch(
      /^note {2}sessions: .*plan\/[0-9a-f]+ is damaged; .*places\.json is damaged\n.*next call/m,
    );
    expectOthersWell();
    // The links name the directory of an upper.
    expect(place.trai(['diff', '--list', '--session', 's']).out).toBe('  A one\n');
    expectAllWell();
    const held = before.filter(([, n]) => readdirSync(join(session('s'), `overlay/${n}/u`)).length > 0);
    expect(held).toHaveLength(1);
    expect(JSON.parse(readFileSync(table, 'utf8'))).toEqual(expect.arrayContaining(held));
  });
});

it.each(PLAN)('one file of the plan alone, %s', (name) => {
  make();
  writeFileSync(inPlan(name), '');
  expectAllWell();
});

it('`plan/current` as something else is made anew', () => {
  make();
  rmSync(join(session('s'), 'plan/current'));
  mkdirSync(join(session('s'), 'plan/current/x'), { recursive: true });
  expectAllWell();
});

it('a link that contradicts the table refuses every use of that session, with path and remedy, and of no other', () => {
  make();
  const table = join(session('s'), 'overlay/places.json');
  const places: [string, number][] = JSON.parse(readFileSync(table, 'utf8'));
  const [, n] = places.find(([path]) => place.project.startsWith(`${path}/`) || path === place.project) ?? [
    '',
    0,
  ];
  const link = join(session('s'), `overlay/${n}/l`);
  rmSync(link);
  symlinkSync('/nowhere', link);
  for (const line of [
    ['exec', '--session', 's', '--', 'true'],
    ['status', '--session', 's'],
    ['commit', '--session', 's'],
  ]) {
    const { rc, err } = place.trai(line);
    expect(rc, err).not.toBe(0);
    expect(err).toContain(link);
  }
  expectOthersWell();
  expect(place.trai(['sessions']).out).toMatch(/^s {2}could not be read: .*\/l .*\n {4}.*ln -sfn/m);
  expect(place.trai(['doctor']).out).toContain(link);
  rmSync(link);
  symlinkSync(places.find(([, number]) => number === n)?.[0] ?? '', link);
  expectAllWell();
});

it('a session whose scan fails is listed with the reason, and the others with what is pending in them', () => {
  make();
  rmSync(join(session('s'), 'counts.json'));
  DAMAGES['a directory']?.(join(session('s'), 'overlay/base.jsonl'));
  expectOthersWell();
  expect(place.trai(['sessions']).out).toMatch(/^s {2}could not be read: .*base\.jsonl/m);
  const { sessions, broken } = JSON.parse(place.trai(['sessions', '--json']).out);
  expect([sessions, broken].map((all) => all.map(({ id }: { id: string }) => id))).toEqual([
    ['other'],
    ['s'],
  ]);
});

/** `s` is named with what happened and what to do, `other` is listed, and the status is that of a list. */
function expectNamed(file: string): void {
  const sessions = place.trai(['sessions']);
  expect(sessions).toMatchObject({ rc: 0, err: '' });
  expect(sessions.out).toMatch(/^other .*\n.*1 added/m);
  expect(sessions.out).toMatch(new RegExp(`^s {2}could not be read: .*${file}.*\n {4}\\S`, 'm'));
  const json = JSON.parse(place.trai(['sessions', '--json']).out);
  expect(json.broken).toEqual([{ id: 's', message: expect.any(String), hint: expect.any(String) }]);
  const gc = place.trai(['gc']);
  expect(gc).toMatchObject({ rc: 0, err: '' });
  expect(gc.out).toMatch(new RegExp(`^Session s could not be read.*${file}.*\n {4}\\S`, 'm'));
  expect(place.trai(['doctor']).out).toMatch(/ {2}sessions: /);
  expect(place.trai(['status', '--session', 'other'])).toMatchObject({ rc: 0, err: '' });
}

it('a session whose commits cannot be listed is named by `sessions` and `gc`, and the others are listed', () => {
  make();
  const commits = join(session('s'), 'commits');
  rmSync(commits, { recursive: true });
  writeFileSync(commits, 'x');
  expectNamed('commits');
});

it.for(['upper', 'overlay/places.json', 'plan/current/plan.json'])(
  'a session of which an ordinary user cannot read %s is named, and the others are listed',
  (name, ctx) => {
    if (process.getuid?.() === 0) ctx.skip('root reads every file');
    make();
    const table = readFileSync(join(session('s'), 'overlay/places.json'), 'utf8');
    const places: [string, number][] = JSON.parse(table);
    const uppers = places.map(([, n]) => `overlay/${n}/u`);
    const upper = uppers.find((dir) => readdirSync(join(session('s'), dir)).length > 0) ?? '';
    // Without a plan, the uppers are looked at to know the covered directories.
    if (name === 'upper') rmSync(join(session('s'), 'plan/current'));
    const file = name === 'upper' ? upper : name;
    chmodSync(join(session('s'), file), 0);
    expectNamed(file.startsWith('plan') ? 'plan.json' : file);
  },
);

it.each(['counts.json', 'disk.json'])('`%s` that is JSON of another shape is made anew', (name) => {
  make();
  const file = join(session('s'), name);
  const { v, key } = JSON.parse(readFileSync(file, 'utf8'));
  for (const rest of [
    { counts: null, sizes: null },
    { counts: 7, sizes: 7 },
    { counts: {}, sizes: {} },
  ]) {
    writeFileSync(file, JSON.stringify({ v, key, at: Date.now(), ...rest }));
    expectOthersWell();
    const { out } = place.trai(['sessions']);
    expect(out).toMatch(/^s .*\n.*1 added/m);
    expect(out).not.toMatch(/NaN|undefined/);
  }
});

const others: [string, string, RegExp | null][] = [
  ['lock', 'a FIFO', null],
  ['lock', 'a directory', /the lock can't be opened: .*\/lock\. If it is no file, remove it/],
  ['calls.jsonl', 'a FIFO', /expected the log to be a regular file: .*calls\.jsonl\. Move it away/],
  ['calls.jsonl', 'a directory', /expected the log to be a regular file: .*calls\.jsonl\. Move it away/],
  ['run', 'a FIFO', /could not write .*\/run\/\d+\./],
];

it.each(others)(
  '`%s` of a session is %s: a call runs, or says which path, and waits for nobody',
  (name, what, error) => {
    make();
    const file = join(session('s'), name);
    rmSync(file, { recursive: true });
    DAMAGES[what]?.(file);
    const call = place.trai(['exec', '--session', 's', '--', 'cat', 'one']);
    if (error === null) expect(call).toMatchObject({ rc: 0, out: '1\n', err: '' });
    else {
      expect(call).toMatchObject({ rc: 125, out: '', err: expect.stringMatching(error) });
      expect(call.err).toContain('Nothing of the command was run.');
    }
    expect(place.trai(['status', '--session', 's']).out).toContain('1 added');
    if (name === 'calls.jsonl') {
      const commit = place.trai(['commit', '--session', 's']);
      expect(commit).toMatchObject({ rc: 1, out: '', err: expect.stringMatching(error ?? /^$/) });
      expect(existsSync(join(place.project, 'one'))).toBe(false);
    }
    expectOthersWell();
  },
);
