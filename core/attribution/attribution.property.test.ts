/**
 * Random calls, up to three at a time in one mount, over few names on real overlayfs. Each operation is
 * logged in order with its call: the last call at a path must be among those that attribution names.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { WriterIndex } from '../../shared/log/call-times.ts';
import type { LogEvent } from '../../shared/log/events.ts';
import { LogFold } from '../../shared/log/fold.ts';
import { timeOf } from '../../shared/model/change.ts';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { runsOf } from '../../testing/runs.ts';
import { recordBases } from '../overlay/bases.ts';
import { listUppers } from '../scan/cache/upper-listing.ts';
import { reap } from '../scan/reap.ts';
import { scan } from '../scan/scan.ts';
import { writeTimes } from './write-times.ts';

const DIRS = ['a', 'b', 'a/s', 'n', 'n/t', 'b/s'];
const PATHS = [...DIRS, 'f', 'a/f', 'a/g', 'b/f', 'a/s/f', 'n/f', 'n/t/f', 'b/s/f', 'b/s/g'];
const HOST_DIRS = ['a', 'b', 'a/s', 'b/s'];
const HOST_FILES = ['f', 'a/f', 'a/g', 'b/f', 'a/s/f', 'b/s/f'];
const HOST = `mkdir -p ${HOST_DIRS.join(' ')}; for f in ${HOST_FILES.join(' ')}; do echo host > $f; done`;

const path = fc.constantFrom(...PATHS);
const dir = fc.constantFrom(...DIRS);
const operation = fc.oneof(
  { weight: 6, arbitrary: path.map((p) => `write ${p}`) },
  { weight: 4, arbitrary: path.map((p) => `unlink ${p}`) },
  { weight: 3, arbitrary: path.map((p) => `remove ${p}`) },
  { weight: 4, arbitrary: dir.map((p) => `make ${p}`) },
  { weight: 2, arbitrary: path.map((p) => `mode ${p}`) },
  { weight: 3, arbitrary: fc.tuple(path, path).map(([p, q]) => `move ${p} ${q}`) },
);
const round = fc.record({
  calls: fc.array(fc.array(operation, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
  /** The server's work after it; without a server there is no listing. */
  listed: fc.constantFrom('after', 'after', 'meanwhile', 'never'),
  reaped: fc.boolean(),
});
const rounds = fc.array(round, { minLength: 2, maxLength: 6 });
type Round = typeof round extends fc.Arbitrary<infer R> ? R : never;

/** An operation holds the lock until it is logged, so the lines are in the order of the operations. */
const SHELL = `
n=0
op() {
  local call=$1 what=$2 p=$3 q=\${4:-}
  exec 9>../lock; flock 9
  case $what in
    write) echo "$call $EPOCHREALTIME" >> $p ;;
    unlink) rm $p ;;
    remove) [ -e $p ] && rm -r $p ;;
    make) mkdir $p ;;
    # Another one than before: who sets the same mode changes nothing.
    mode) m=$(stat -c %a $p) && chmod \${m%?}$(( (m + 1) % 10 % 8 )) $p ;;
    move) case $q/ in $p/*) false ;; *) mv -T $p $q ;; esac ;;
  esac </dev/null 2>/dev/null && echo "$call $what $p $q" >> ../truth
  exec 9>&-
}
`;

/** The last calls at a path: its writers, and those that deleted it before something came and went. */
class Truth {
  readonly by = new Map<string, Set<string>>();
  readonly before = new Map<string, readonly string[]>();
  private readonly view = new Set([...HOST_DIRS, ...HOST_FILES]);
  /** Who deleted a path last. */
  private readonly deleters = new Map<string, string>();

  take(call: string, what: string, p: string, q: string): void {
    if (what === 'move') this.move(call, p, q);
    else if (what === 'unlink' || what === 'remove') this.gone(call, p);
    else this.wrote(p, [call]);
  }

  private wrote(p: string, calls: Iterable<string>): void {
    this.view.add(p);
    this.by.set(p, new Set(calls));
  }

  private gone(call: string, p: string): void {
    // The host's names below a removed directory went with it, also those that had a whiteout before: the
    // whiteout is gone, too. What has such a name in a later directory, and is deleted, leaves no trace.
    for (const one of [...HOST_DIRS, ...HOST_FILES])
      if (one.startsWith(`${p}/`)) this.before.set(one, [call]);
    for (const one of this.below(p)) {
      this.view.delete(one);
      this.deleters.set(one, call);
      this.by.set(one, new Set([call]));
    }
  }

  private move(call: string, p: string, q: string): void {
    // The kernel exchanges the whiteout of `q` for `p`: when that moves on, the same whiteout comes back. A whiteout that
    // `p` had once looks like it, since whiteouts share one inode.
    if (!this.view.has(q)) {
      this.before.set(q, [...(this.by.get(q) ?? [])]);
      this.before.set(p, [...(this.before.get(p) ?? []), this.deleters.get(p) ?? '']);
    }
    const moved = this.below(p).map((one) => [one, this.by.get(one) ?? []] as const);
    this.gone(call, q);
    this.gone(call, p);
    for (const [one, before] of moved)
      this.wrote(q + one.slice(p.length), one === p ? [call] : [...before, call]);
  }

  private below(p: string): string[] {
    return [...this.view].filter((one) => one === p || one.startsWith(`${p}/`));
  }
}

async function runRound(t: TestSession, calls: string[][], first: number, listed: string): Promise<void> {
  const bodies = calls.map((operations, i) => {
    const call = `c${first + i}`;
    const lines = operations.map((line) => `op ${call} ${line}; sleep 0.00$(( RANDOM % 9 ))`);
    return `{ echo "started ${call} $EPOCHREALTIME" >> ../log\n${lines.join('\n')}\necho "ended ${call} $EPOCHREALTIME" >> ../log; } &`;
  });
  const script = `set +e\n${SHELL}\n${bodies.join('\n')}\nwait`;
  if (listed !== 'meanwhile') {
    t.inSandbox(script);
  } else {
    const live = await t.live(`echo ready\n${script}`);
    await listUppers(t.ctx, false);
    await listUppers(t.ctx, false);
    await live.stop();
  }
  if (listed !== 'never') await listUppers(t.ctx, true);
}

function spansOf(t: TestSession) {
  const fold = new LogFold();
  for (const line of readFileSync(`${t.host}/../log`, 'utf8').trim().split('\n')) {
    const [what, call = '', at = ''] = line.split(' ');
    const stamp = { v: 1 as const, at: new Date(Math.floor(Number(at) * 1000)).toISOString(), call };
    const event: LogEvent =
      what === 'started'
        ? { ...stamp, t: 'call.started', pid: 1, mode: 'sandbox', overlay: 'mounted' }
        : { ...stamp, t: 'call.ended', rc: 0, ms: 1 };
    fold.push(event);
  }
  return fold.spans();
}

async function check(t: TestSession): Promise<void> {
  const truth = new Truth();
  const done = existsSync(`${t.host}/../truth`) ? readFileSync(`${t.host}/../truth`, 'utf8') : '';
  for (const line of done.split('\n').filter((one) => one !== '')) {
    const [call = '', what = '', p = '', q = ''] = line.split(' ');
    truth.take(call, what, p, q);
  }
  const { changes, problems } = await scan(t.ctx);
  expect(problems).toEqual([]);
  const times = await writeTimes(t.ctx, changes);
  const index = new WriterIndex(spansOf(t));
  for (const [i, change] of changes.entries()) {
    const name = change.path.slice(fromText(t.host).length + 1);
    const before = change.kind === 'deleted' ? truth.before.get(name) : undefined;
    const writers = [...new Set([...(truth.by.get(name) ?? []), ...(before ?? [])])];
    const time = timeOf(times, i);
    const named = time === null ? [] : index.ids(...time);
    const said = { name, kind: change.kind, named, writers, done };
    expect(named.some((call) => writers.includes(call)) ? null : said).toBeNull();
    if (writers.length === 1) expect(named.includes(writers[0] ?? '') ? null : said).toBeNull();
  }
}

/** Runs the rounds in a new session, and compares what attribution says after each. */
async function runProgram(program: readonly Round[]): Promise<void> {
  const t = testSession();
  try {
    t.onHost(HOST);
    writeFileSync(`${t.host}/../log`, '');
    let calls = 0;
    for (const { calls: bodies, listed, reaped } of program) {
      await runRound(t, bodies, calls, listed);
      calls += bodies.length;
      await recordBases(t.ctx);
      if (reaped) await reap(t.ctx);
      await check(t);
    }
  } finally {
    t.remove();
  }
}

const RUNS = runsOf(40);

describe(`random calls, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('whoever wrote a path last is among those who are named, and one who is named alone did it', async () => {
    await fc.assert(fc.asyncProperty(rounds, runProgram), {
      numRuns: Math.ceil(RUNS / 4),
      interruptAfterTimeLimit: 240_000,
    });
  }, 300_000);
});

describe('what came and went at a name that was deleted', () => {
  const MADE = ['make b'];
  const CAME = ['write b/s', 'unlink b/s'];
  it.each([
    ['in a directory that was removed and made anew', [['remove b'], MADE, CAME]],
    ['also when the name was removed first', [['remove b/s', 'remove b'], MADE, CAME]],
    ['also when another call had removed the name', [['remove b/s'], ['remove b'], MADE, CAME]],
    ['by two renames', [['unlink a/f'], ['move a/s/f a/f'], ['move a/f a/s/f']]],
    ['by two renames of one call', [['unlink a/f'], ['move a/s/f a/f', 'move a/f a/s/f']]],
  ])('leaves the calls that deleted it: %s', async (_what, calls) => {
    await runProgram(calls.map((call) => ({ calls: [call], listed: 'after', reaped: false })));
  });

  it('by a move to another deleted name, between two looks at the overlay', async () => {
    const calls = ['unlink b/s/f', 'unlink f', 'write f', 'move f b/s/f'];
    await runProgram(
      calls.map((call, i) => ({ calls: [[call]], listed: i < 2 ? 'after' : 'never', reaped: false })),
    );
  });
});
