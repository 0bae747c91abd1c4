import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CommitReport } from '../../shared/model/commit.ts';
import { asRoot } from '../../testing/changes/changes.ts';
import { falseBases } from '../../testing/commit/base-records.ts';
import {
  otherTimes,
  requestFor,
  SNAPSHOT,
  snapshot,
  undoRequest,
  untied,
} from '../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON, PLAIN, PLAIN_PYTHON, PYTHON } from '../../testing/commit/python.ts';
import { type Operation, PART_LINKS, Pick, RUNNER } from '../../testing/commit/random-programs.ts';
import { firstSeed, foundSeeds, runsOf } from '../../testing/runs.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { recordBases } from '../overlay/bases.ts';
import { reap } from '../scan/reap.ts';
import { scan } from '../scan/scan.ts';
import { dropCommitted } from './apply/cleanup.ts';
import { commitAll } from './commit.ts';
import { redoCommit } from './undo/redo.ts';
import { undoCommit } from './undo/undo.ts';

/** Programs that one session runs side by side, each in a directory of its own. */
const SIDE_BY_SIDE = 60;
/** Four seconds alone, and minutes on a machine that does much else (ms). */
const MINUTES = 600_000;
const RUNS = runsOf(240);
const SEED = firstSeed();
/** Seeds that once failed, with the number of kinds of operations at that time. */
const FOUND = new Map([
  [1, 14],
  [316126534, 14],
  [573555114, 14],
  [761315160, 14],
  [242265208, 27],
]);

const seeds = [
  ...foundSeeds([...FOUND.keys()]),
  ...Array.from({ length: Math.ceil(RUNS / SIDE_BY_SIDE) }, (_, i) => SEED + i),
];

type Programs = Record<string, readonly Operation[]>;

/** A session, and a plain copy of its project in which the same happens. */
class Twins {
  readonly s: TestSession;
  readonly seed: number;
  readonly copy: string;
  readonly #files: string;
  #programs: Programs = {};

  constructor(s: TestSession, seed: number) {
    this.s = s;
    this.seed = seed;
    // Not below the session's base: that is covered as far as it is not scratch.
    [this.copy, this.#files] = [`${s.base}/copy`, `${s.base}/files`];
    for (const dir of [this.copy, this.#files]) mkdirSync(dir);
    for (const [name, text] of Object.entries({ run: RUNNER, look: SNAPSHOT, part: PART_LINKS }))
      writeFileSync(`${this.#files}/${name}.py`, text);
  }

  make(pick: Pick): void {
    this.#programs = Object.fromEntries(
      Array.from({ length: SIDE_BY_SIDE }, (_, i) => [`program${i}`, pick.program()]),
    );
    writeFileSync(`${this.#files}/programs.json`, JSON.stringify(this.#programs));
  }

  onHost(): void {
    this.#python(this.s.project, 'run.py', 'programs.json');
    execFileSync('cp', ['-a', `${this.s.project}/.`, this.copy]);
  }

  async onBoth(): Promise<void> {
    this.#python(this.copy, 'part.py');
    this.#python(this.copy, 'run.py', 'programs.json');
    const earliestCall = Date.now();
    await this.#call(`${PLAIN_PYTHON} ${this.#files}/run.py ${this.#files}/programs.json`);
    await recordBases(this.s.ctx, { earliestCall });
    expect(falseBases(this.s.ctx), `seed ${this.seed}`).toEqual([]);
  }

  host(): string {
    return snapshot(this.s.project);
  }

  async view(): Promise<string> {
    return await this.#call(`${PLAIN_PYTHON} ${this.#files}/look.py`);
  }

  /** Says which program it was, when two trees are not the same. */
  same(foundText: string, expectedText: string, what: string): void {
    const [found, expected] = [untied(foundText), untied(expectedText)];
    if (found === expected) return;
    const [a, b] = [new Set(found.split('\n')), new Set(expected.split('\n'))];
    const other = [...a].filter((line) => !b.has(line)).concat([...b].filter((line) => !a.has(line)));
    const name = /program\d+/.exec(other[0] ?? '')?.[0] ?? '';
    const mine = (lines: ReadonlySet<string>) => [...lines].filter((line) => line.includes(`/${name}/`));
    const program = JSON.stringify(this.#programs[name]);
    expect(mine(a), `seed ${this.seed}, ${what}, ${name}: ${program}`).toEqual(mine(b));
    expect(found, `seed ${this.seed}, ${what}`).toBe(expected);
  }

  /** A file has the time that it had in the view, or on the host before what is taken back. */
  sameTimes(found: string, expected: string, before: string, what: string): void {
    const other = otherTimes(found, expected, before);
    const name = /program\d+/.exec(other[0] ?? '')?.[0] ?? '';
    expect(other, `seed ${this.seed}, ${what}, ${name}: ${JSON.stringify(this.#programs[name])}`).toEqual([]);
  }

  async commit(): Promise<CommitReport> {
    const list = await scan(this.s.ctx);
    expect(list.problems, `seed ${this.seed}`).toEqual([]);
    const report = await commitAll(this.s.ctx, list, requestFor(list, { conflicts: 'take-sandbox' }));
    this.#applied(report);
    return report;
  }

  async undo(n: number): Promise<void> {
    this.#applied(await undoCommit(this.s.ctx, undoRequest(n)));
    expect(falseBases(this.s.ctx), `seed ${this.seed}, undo of ${n}`).toEqual([]);
  }

  async redo(): Promise<number> {
    const report = await redoCommit(this.s.ctx, await scan(this.s.ctx));
    this.#applied(report);
    return report.n;
  }

  #applied(report: CommitReport): void {
    expect([report.state, report.failed, report.notApplied], `seed ${this.seed}`).toEqual([
      'applied',
      [],
      [],
    ]);
  }

  async tidy(): Promise<void> {
    await recordBases(this.s.ctx);
    await dropCommitted(this.s.ctx);
    await reap(this.s.ctx);
  }

  #python(cwd: string, program: string, ...args: string[]): void {
    const [first, ...rest] = [program, ...args].map((name) => `${this.#files}/${name}`);
    execFileSync(PYTHON, [...PLAIN, first ?? '', ...rest], { cwd, stdio: 'pipe' });
  }

  async #call(command: string): Promise<string> {
    const { rc, stdout, stderr } = await this.s.call(command);
    expect([rc, stderr], `seed ${this.seed}`).toEqual([0, '']);
    return stdout;
  }
}

describe.runIf(hasPython)(`random programs, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`, () => {
  it.each(seeds)(
    'do in the sandbox what they do in a plain copy; commit, undo and redo (seed %d)',
    async (seed) => {
      const pick = new Pick(seed, { kinds: FOUND.get(seed) });
      const twins = new Twins(await testSession(), seed);
      try {
        const outside = `${twins.s.base}/outside`;
        mkdirSync(outside);
        writeFileSync(`${outside}/f`, 'f');
        const before = snapshot(outside);
        twins.make(pick);
        twins.onHost();
        const hosts = [twins.host()];
        const commits: number[] = [];
        for (const round of ['first', 'second']) {
          twins.make(pick);
          await twins.onBoth();
          const expected = snapshot(twins.copy);
          const view = await twins.view();
          twins.same(view, expected, `the view after the ${round} program`);
          const before = hosts.at(-1) ?? '';
          expect(twins.host()).toBe(before);
          commits.push((await twins.commit()).n);
          const host = twins.host();
          twins.same(host, expected, `the host after the ${round} commit`);
          twins.sameTimes(host, view, before, `times after the ${round} commit`);
          twins.same(await twins.view(), expected, `the view after the ${round} commit`);
          await twins.tidy();
          expect((await scan(twins.s.ctx)).changes, `seed ${seed}`).toEqual([]);
          hosts.push(host);
        }
        const [host0 = '', host1 = '', host2 = ''] = hosts;
        const [commit1 = 0, commit2 = 0] = commits;
        await twins.undo(commit2);
        twins.same(twins.host(), host1, 'the host after the undo');
        twins.sameTimes(twins.host(), host1, host2, 'times after the undo');
        twins.same(await twins.view(), host2, 'the view after the undo');
        const again = await twins.redo();
        twins.same(twins.host(), host2, 'the host after the redo');
        twins.sameTimes(twins.host(), host2, host1, 'times after the redo');
        await twins.undo(again);
        await twins.undo(commit1);
        twins.same(twins.host(), host0, 'the host after all undos');
        twins.sameTimes(twins.host(), host0, host1, 'times after all undos');
        await twins.tidy();
        twins.same(await twins.view(), host2, 'the view after all undos');
        await twins.commit();
        twins.same(twins.host(), host2, 'the host after the last commit');
        expect(snapshot(outside)).toBe(before);
      } finally {
        await twins.s.close();
      }
    },
    MINUTES,
  );
});
