/** Output to a closed pipe: `trai log | head -1`. */
import { describe, expect, it } from 'vitest';
import { eachInAPlace, type Place } from '../../testing/cli.ts';
import { COMMANDS } from '../commands/all.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

const ARGUMENTS: Record<string, string[][]> = {
  status: [['status'], ['status', '--by-call'], ['status', '--json']],
  diff: [['diff'], ['diff', '--list'], ['diff', '--json']],
  log: [['log'], ['log', '--json']],
  commit: [['commit', 'f1']],
  discard: [['discard', 'f2', '--yes']],
  undo: [['undo', '--list'], ['undo', '--list', '--json'], ['undo']],
  export: [['export', '--patch', 'out.patch']],
  adopt: [['adopt', 'none']],
  claude: [['claude', '--session']],
  box: [
    ['box', '--list'],
    ['box', '--gc', '--dry-run', '--json'],
    ['box', '--check', '--json'],
  ],
  exec: [['exec', '--session', 's', '--', 'true']],
  explore: [],
  ps: [['ps'], ['ps', '--json']],
  why: [['why', 'f1']],
  'why-host': [['why-host']],
  rules: [
    ['rules', 'list'],
    ['rules', 'test', 'ls'],
    ['rules', 'verify', '--json'],
  ],
  answer: [
    ['answer', '--list'],
    ['answer', '--list', '--json'],
  ],
  sessions: [['sessions'], ['sessions', '--json']],
  gc: [['gc']],
  passthrough: [['passthrough', '--help']],
  ui: [],
  doctor: [['doctor'], ['doctor', '--json']],
};

describe('a closed output', { timeout: 300_000 }, () => {
  it('has a line for each command', () => {
    expect(Object.keys(ARGUMENTS).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });

  it('ends no command with a trace, and what was ordered is done', () => {
    place.sh('for i in $(seq 300); do echo $i > f$i; done');
    const open = ['', 'help', '--version', 'nonsense'].map((word) => (word === '' ? [] : [word]));
    for (const args of [
      ...open,
      ...Object.values(ARGUMENTS).flat(),
      ...COMMANDS.map(({ name }) => [name, '--help']),
    ]) {
      const { rc, err } = place.traiTo('closed', args);
      expect(err, args.join(' ')).not.toMatch(/EPIPE|\bat .*:\d+:\d+|node:/);
      expect([0, 1, 2], args.join(' ')).toContain(rc);
    }
    expect(place.onHost('cat f1')).toBe('1\n');
    expect(place.trai(['diff', 'f2']).rc).toBe(0);
    expect(place.trai(['diff', 'f1']).rc).toBe(1);
  });

  it('that is full is said, and the command has failed', () => {
    const { rc, err } = place.traiTo('full', ['help']);
    expect(rc).toBe(1);
    expect(err).toMatch(/^trai: the output could not be written: ENOSPC/);
  });
});

describe('trai diff', { timeout: 120_000 }, () => {
  it('shows what changed in a long file, and leaves out a text of which more than 1,000 lines changed', () => {
    place.onHost('seq 3000 > long; seq 3000 > all');
    place.sh("sed -i 's/.*7$/&x/' long; sed -i 's/$/x/' all");
    const { out } = place.trai(['diff']);
    expect(out.split('\n').filter((line) => /^\+\d*7x$/.test(line))).toHaveLength(300);
    expect(out).toContain(
      '3000 to 3000 lines, 13.9 kB to 16.9 kB: too many changed lines. Show them with: trai diff PATH',
    );
    expect(
      place
        .trai(['diff', 'all'])
        .out.split('\n')
        .filter((line) => line.startsWith('+')),
    ).toHaveLength(3000);
  });
});
