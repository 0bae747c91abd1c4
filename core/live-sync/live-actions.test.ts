/**
 * Random interleavings of writes inside, by a process that holds files open, with changes of the host, commits, discards
 * and undos while it runs, against a model: no byte of the sandbox is lost, and the host has nothing of it but what was
 * committed. `TRAI_RUNS` = how many steps (default 60), `TRAI_SEED` = the first seed.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { type BytePath, fromText, isWithin } from '../../shared/bytes.ts';
import { randomOf } from '../../testing/changes/interleavings.testing.ts';
import { firstSeed, runsOf } from '../../testing/runs.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { readHistory } from '../commit/history/history.ts';
import { JOBS } from '../jobs/jobs.ts';
import { isQuiet } from '../sandbox/live.ts';
import { replayDirs } from '../sandbox/replay-dirs.ts';
import { scan } from '../scan/scan.ts';

const WANTED = runsOf(60);
const A_SESSION = 30;

const NAMES = ['f0', 'f1', 'f2', 'd0/a', 'd0/b', 'd1/a', 'd1/sub/b', 'race0', 'race1', 'd0/race'];
const RACED = NAMES.filter((name) => name.includes('race'));

/**
 * Runs inside: performs one operation for each line and answers. `race` appends to some files, each time by another
 * descriptor, until `rest`, which answers with all that was written meanwhile.
 */
const PROGRAM = `
const fs = require('fs'), path = require('path');
const held = new Map(); let racing = null, written = [];
const perform = ({ op, name, token, raced }) => {
  const mkdir = () => fs.mkdirSync(path.dirname(name), { recursive: true });
  if (op === 'write') { mkdir(); fs.writeFileSync(name, token + '\\n'); }
  else if (op === 'append') { mkdir(); fs.appendFileSync(name, token + '\\n'); }
  else if (op === 'replace') { mkdir(); fs.writeFileSync(name + '.tmp', token + '\\n'); fs.renameSync(name + '.tmp', name); }
  else if (op === 'remove') fs.rmSync(name, { recursive: true, force: true });
  else if (op === 'remove-dir') fs.rmSync(path.dirname(name) === '.' ? name : path.dirname(name), { recursive: true, force: true });
  else if (op === 'chmod') fs.chmodSync(name, fs.statSync(name).mode ^ 0o100);
  else if (op === 'hold') { mkdir(); if (!held.has(name)) held.set(name, fs.openSync(name, 'a')); }
  else if (op === 'late') { for (const [, fd] of held) fs.writeSync(fd, token + '\\n'); }
  else if (op === 'let-go') { for (const [, fd] of held) fs.closeSync(fd); held.clear(); }
  else if (op === 'race') {
    let n = 0; written = [];
    racing = setInterval(() => {
      const file = raced[n % raced.length], text = token + '-' + n++ + ';';
      try { fs.appendFileSync(file, text + '\\n'); written.push(text); } catch {}
    }, 1);
  } else if (op === 'rest') { clearInterval(racing); return { written }; }
};
process.stdout.write('ready\\n');
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  let answer = {};
  try { answer = perform(JSON.parse(line)) ?? {}; } catch (error) { answer = { error: error.code ?? String(error) }; }
  process.stdout.write(JSON.stringify({ ...answer, held: [...held.keys()] }) + '\\n');
});
`;

let s: TestSession | undefined;
afterEach(async () => await s?.close());

interface Answer {
  written?: string[];
  held: string[];
}

class Scene {
  readonly t: TestSession;
  readonly child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  held: string[] = [];

  private constructor(t: TestSession, child: ChildProcess) {
    this.t = t;
    this.child = child;
    this.#lines = readline.createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  }

  static async begin(t: TestSession): Promise<Scene> {
    const program = `${t.base}/inside.cjs`;
    fs.writeFileSync(program, PROGRAM);
    const scene = new Scene(t, t.start(`cd '${t.project}' && exec '${process.execPath}' '${program}'`));
    await scene.#lines.next();
    return scene;
  }

  async ask(order: object): Promise<Answer> {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
    const answer: Answer = JSON.parse((await this.#lines.next()).value);
    this.held = answer.held;
    return answer;
  }

  async end(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.stdin?.end();
    await closed;
  }

  /** The project as a process inside sees it. */
  view(): Map<string, string> {
    // Another process of the session: what the first one has cached is the kernel's, for all of them.
    return treeAt(`/proc/${this.inner()}/root${this.t.project}`);
  }

  /** A process in the session's namespace: the launcher starts it as a child. */
  inner(): number {
    let pid = this.child.pid ?? 0;
    for (;;) {
      const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
      if (children === '') return pid;
      pid = Number(children.split(' ')[0]);
    }
  }
}

function treeAt(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (rel: string): void => {
    for (const name of fs.readdirSync(path.join(root, rel)).sort()) {
      if (name === '.trai-replay' || name === '.git') continue;
      const file = path.join(rel, name);
      const stat = fs.lstatSync(path.join(root, file));
      if (stat.isDirectory()) {
        found.set(file, 'dir');
        walk(file);
      } else found.set(file, `${stat.mode & 0o777} ${fs.readFileSync(path.join(root, file), 'utf8')}`);
    }
  };
  walk('');
  return found;
}

const tokensIn = (texts: Iterable<string>): Set<string> =>
  new Set([...texts].flatMap((text) => text.match(/\bbox[0-9]+(-[0-9]+)?\b/g) ?? []));

/** Everything in the trash and in what transactions have kept. */
function storedTokens(t: TestSession): Set<string> {
  const dirs = ['trash', 'sessions/s1/commits']
    .map((name) => path.join(t.state, name))
    .filter((dir) => fs.existsSync(dir));
  if (dirs.length === 0) return new Set();
  const text = execFileSync('bash', ['-c', 'find "$@" -type f -exec cat {} +', 'bash', ...dirs], {
    encoding: 'latin1',
    maxBuffer: 1 << 28,
  });
  return tokensIn([text]);
}

async function run(seed: number, tally: Map<string, number>): Promise<void> {
  const t = await testSession();
  s = t;
  t.ctx.excluded.push(...replayDirs(t.ctx.projectRoot));
  fs.writeFileSync(`${t.sessionDir}/calls.jsonl`, '');
  fs.mkdirSync(path.join(t.project, '.git'));
  for (const [i, name] of NAMES.entries()) {
    if (i % 3 === 2) continue;
    fs.mkdirSync(path.dirname(path.join(t.project, name)), { recursive: true });
    fs.writeFileSync(path.join(t.project, name), `host0-${i}\n`);
  }
  const random = randomOf(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const scene = await Scene.begin(t);
  const host = () => treeAt(t.project);
  const inProject = async () =>
    (await scan(t.ctx)).changes.filter(({ path: one }) => isWithin(one, t.ctx.projectRoot));
  const listed = async () => (await inProject()).map(({ kind, path: one }) => `${kind} ${one}`);
  const scope = (paths: readonly BytePath[]) => ({ kind: 'paths' as const, paths: [...paths] });
  const whole = [t.ctx.projectRoot];
  let token = 0;

  const inside = async (): Promise<void> => {
    const before = host();
    const op = pick([
      'write',
      'append',
      'append',
      'replace',
      'remove',
      'remove-dir',
      'chmod',
      'hold',
      'late',
      'let-go',
    ]);
    const order = { op, name: pick(NAMES), token: `box${++token}` };
    const alive = tokensIn(scene.view().values());
    await scene.ask(order);
    if (order.op === 'late' && scene.held.length > 0) {
      // Written by descriptors from before all those actions: visible, unless the process removed the file itself.
      const now = tokensIn(scene.view().values());
      const there = scene.held.filter((name) => !removed.has(name));
      if (there.length > 0)
        expect(now, `${order.token} by a held descriptor of ${there}`).toContain(order.token);
      for (const one of alive) expect(now).toContain(one);
    }
    if (/remove|replace/.test(op)) for (const name of scene.held) removed.add(name);
    if (op === 'let-go') removed.clear();
    expect(host(), `${op} inside left the host alone`).toEqual(before);
  };
  /** Held files whose name the process itself has taken away. */
  const removed = new Set<string>();

  const onHost = async (): Promise<void> => {
    const name = pick(NAMES);
    const file = path.join(t.project, name);
    if (random() < 0.3) fs.rmSync(file, { force: true });
    else {
      fs.rmSync(path.dirname(file) === t.project ? `${file}.none` : `${path.dirname(file)}.none`, {
        force: true,
      });
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, `host${++token}\n`);
    }
    await JOBS.replay(t.ctx, { paths: [fromText(file), fromText(path.dirname(file))], everything: true });
  };

  /** Runs an action beside a process that writes; no token of the sandbox may be gone afterwards. */
  const acting = async (what: string, work: () => Promise<unknown>): Promise<boolean> => {
    const alive = tokensIn(scene.view().values());
    const races = random() < 0.5;
    if (races) await scene.ask({ op: 'race', token: `box${++token}`, raced: RACED });
    let done = true;
    try {
      await work();
      tally.set(what, (tally.get(what) ?? 0) + 1);
    } catch (error) {
      const { code } = error as { code?: string };
      // Refused: something in the way, or nothing to do.
      if (
        !['not-found', 'not-empty', 'live', 'conflicts', 'stale-revision', 'mass-guard'].includes(code ?? '')
      )
        throw error;
      const refused = `${what} refused (${code})`;
      tally.set(refused, (tally.get(refused) ?? 0) + 1);
      done = false;
    }
    if (races) {
      const { written = [] } = await scene.ask({ op: 'rest' });
      for (const one of tokensIn(written)) alive.add(one);
    }
    const there = new Set([
      ...tokensIn(scene.view().values()),
      ...tokensIn(host().values()),
      ...storedTokens(t),
    ]);
    expect(
      [...alive].filter((one) => !there.has(one)),
      `${what}: gone`,
    ).toEqual([]);
    return done && !races;
  };

  const discard = async (): Promise<void> => {
    const [before, view, list] = [host(), scene.view(), await inProject()];
    const chosen = random() < 0.4 ? whole : list.filter(() => random() < 0.4).map(({ path: one }) => one);
    if (list.length === 0 || chosen.length === 0) return;
    const order = { scope: scope(chosen), action: 'discard' as const, includeIgnored: true };
    const preview = await JOBS.preview(t.ctx, { list: await scan(t.ctx), order, texts: null });
    let left: unknown[] = [];
    let trash = '';
    const steady = await acting('discard', async () => {
      const request = { scope: scope(chosen), revision: null, endProcesses: false };
      const report = await JOBS.discard(t.ctx, request);
      left = report.left ?? [];
      trash = report.trash;
    });
    expect(host(), 'a discard leaves the host alone').toEqual(before);
    if (!steady || trash === '') return;
    // In a directory that was made again, what the host has can only be discarded with all of it.
    if (chosen === whole && left.length === 0)
      expect((await inProject()).map(({ path: one }) => one).sort()).toEqual(
        preview.cannot.map(({ path: one }) => one).sort(),
      );
    if (random() < 0.5) return;
    await JOBS.undo(t.ctx, { trash });
    tally.set('discard undone at once', (tally.get('discard undone at once') ?? 0) + 1);
    expect(scene.view(), 'the undo of a discard shows the same again').toEqual(view);
    expect(await listed()).toEqual(list.map(({ kind, path: one }) => `${kind} ${one}`));
  };

  const commit = async (): Promise<void> => {
    const [before, view] = [host(), scene.view()];
    let n = 0;
    const request = {
      scope: scope(whole),
      revision: null,
      includeIgnored: true,
      conflicts: 'keep-host' as const,
    };
    const steady = await acting('commit', async () => {
      const report = await JOBS.commit(t.ctx, { ...request, choices: {}, yes: true, typedCount: null });
      if (report.applied > 0 || report.times !== undefined) n = report.n;
    });
    if (!steady || n === 0) return;
    expect(scene.view(), 'a commit changes nothing inside').toEqual(view);
    if (random() < 0.5) return;
    await undoCommit(n);
    expect(host(), 'the host is as before').toEqual(before);
    expect(scene.view(), 'the undo of a commit changes nothing inside').toEqual(view);
  };

  const undoCommit = async (n: number): Promise<unknown> =>
    await JOBS.undoCommit(t.ctx, {
      n,
      revision: null,
      conflicts: 'keep-host',
      choices: {},
      yes: true,
      typedCount: null,
      endProcesses: false,
    });

  const undo = async (): Promise<void> => {
    const [before, view] = [host(), scene.view()];
    const newest = readHistory(t.ctx).find(({ can }) => can === 'undo');
    if (newest === undefined) return;
    const { trash } = newest;
    const steady = await acting(`undo of a ${newest.kind}`, async () =>
      trash === null ? await undoCommit(newest.n) : await JOBS.undo(t.ctx, { trash }),
    );
    if (trash !== null) expect(host(), 'the undo of a discard leaves the host alone').toEqual(before);
    else if (steady) expect(scene.view(), 'the undo of a commit changes nothing inside').toEqual(view);
  };

  const steps = [inside, inside, inside, inside, onHost, discard, discard, commit, undo];
  for (let step = 0; step < A_SESSION; step++) {
    await pick(steps)();
    if (random() < 0.3) await JOBS.tidy(t.ctx, { earliestCall: null });
  }
  // What a process held open is replayed later, as the server does.
  await scene.ask({ op: 'let-go' });
  await JOBS.replay(t.ctx, { paths: [], everything: true });
  const [view, list] = [scene.view(), await listed()];
  await scene.end();
  await expect.poll(async () => await isQuiet(t.ctx), { timeout: 60_000 }).toBe(true);
  await JOBS.tidy(t.ctx, { earliestCall: null });
  expect(await listed(), 'the same is pending when it is quiet').toEqual(list);
  const { stdout } = await t.call(`cd '${t.project}' && find . -type f -not -path '*/.git/*' | sort`);
  const files = [...view].filter(([, text]) => text !== 'dir').map(([name]) => `./${name}`);
  expect(stdout.trim().split('\n').filter(Boolean).sort()).toEqual(files.sort());
}

test('no byte is lost, and the host has nothing that was not committed', { timeout: 3_600_000 }, async () => {
  const first = firstSeed(1);
  const tally = new Map<string, number>();
  for (let i = 0; i < Math.ceil(WANTED / A_SESSION); i++) {
    const seed = first + i;
    await run(seed, tally).catch((error: unknown) => {
      console.log(`TRAI_SEED=${seed} TRAI_RUNS=${A_SESSION}`);
      throw error;
    });
    await s?.close();
    s = undefined;
  }
  console.log(`from seed ${first}: ${[...tally].map(([what, count]) => `${count} ${what}`).join(', ')}`);
  expect(tally.get('discard') ?? 0).toBeGreaterThan(0);
});
