/** What a commit would meet on the host, for its preview. Reads only. */
import { type BytePath, fromText, parentOf } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import type { Told } from '../../shared/model/commit.ts';
import { Dirs } from '../kernel/fs/dir-handles.ts';
import { refusalOf } from '../kernel/fs/entry-errors.ts';
import { Pace } from '../kernel/fs/pace.ts';
import { at, nodePort as port, type Stat, useAndCloseAsync } from '../kernel/fs/port.ts';
import { writersOf } from '../kernel/proc/open-files.ts';
import { processText } from '../kernel/proc/proc.ts';
import type { SessionContext } from '../session/session-context.ts';
import type { CommitPlan, Step } from './plan/plan.ts';
import { Areas } from './stage/areas.ts';
import { checkSteps, expectReviewed } from './stage/check-steps.ts';
import { askMarks, findMoves } from './stage/moves.ts';
import { Uppers } from './stage/uppers.ts';

export interface Preflight {
  cannot: Told[];
  writers: { path: BytePath; pid: number; command: string }[];
  linked: { path: BytePath; links: number }[];
  space: { path: BytePath; needed: number; free: number }[];
}

const MAX_COMMAND = 200;

/** @param live then no directory can be moved by a rename, so all content needs space */
export async function preflight(ctx: SessionContext, plan: CommitPlan, live: boolean): Promise<Preflight> {
  return await useAndCloseAsync(new PreflightCheck(ctx), async (check) => {
    for (const step of plan.steps) await check.step(step);
    return await check.result(live);
  });
}

class PreflightCheck {
  readonly #ctx: SessionContext;
  readonly #dirs: Dirs;
  readonly #areas: Areas;
  readonly #pace = new Pace();
  readonly #cannot: Told[] = [];
  readonly #targets: { path: BytePath; stat: Stat }[] = [];
  readonly #copied = new Map<BytePath, Step[]>();

  constructor(ctx: SessionContext) {
    this.#ctx = ctx;
    // Without loosening: entries in directories that the commit would have to open up are not checked here.
    this.#dirs = new Dirs(port, '/' as BytePath, ctx.root ? 0 : ctx.uid, null);
    this.#areas = new Areas(port, ctx, this.#dirs);
  }

  async step(step: Step): Promise<void> {
    for (const change of [step.change, ...step.below]) {
      await this.#pace.breathe();
      if (change.host !== null && !this.#target(change)) return;
    }
    if (step.op !== 'put' && step.op !== 'swap') return;
    // Not stageable on its own: its directory is part of the commit, or cannot be written.
    refusalOf(() => {
      const base = this.#areas.baseFor(parentOf(step.change.path));
      const steps = this.#copied.get(base) ?? [];
      steps.push(step);
      this.#copied.set(base, steps);
    });
  }

  async result(live: boolean): Promise<Preflight> {
    const files = this.#targets.filter(({ stat }) => stat.type === 'file');
    const held = writersOf(files.map(({ stat }) => stat));
    const writers = files.flatMap(({ path, stat }) =>
      (held.get(`${stat.dev}:${stat.ino}`) ?? []).map((pid) => shown(path, pid)),
    );
    const linked = files
      .filter(({ stat }) => stat.nlink > 1)
      .map(({ path, stat }) => ({ path, links: stat.nlink }));
    return { cannot: this.#cannot, writers, linked, space: await this.#space(held, live) };
  }

  close(): void {
    this.#areas.close();
    this.#dirs.close();
  }

  #target(change: Change): boolean {
    const { path } = change;
    const why = refusalOf(() => {
      const stat = expectReviewed(port, this.#dirs, change);
      if (stat !== null && change.kind !== 'meta') this.#targets.push({ path, stat });
    });
    if (why !== null) this.#cannot.push({ path, why });
    return why === null;
  }

  async #moved(steps: Step[]): Promise<Set<Step>> {
    return await useAndCloseAsync(new Uppers(port, this.#ctx, null), async (uppers) => {
      const work = { port, dirs: this.#dirs, uppers, pace: this.#pace };
      const findings = await checkSteps(work, steps);
      const merges = new Map();
      const moves = findMoves(port, this.#ctx, uppers, findings, {
        marks: await askMarks(this.#ctx, steps, merges),
        merges,
      });
      return new Set([...moves].map(({ step }) => step));
    });
  }

  async #space(held: ReadonlyMap<string, readonly number[]>, live: boolean): Promise<Preflight['space']> {
    const own = fromText(this.#ctx.sessionDir);
    const device = port.lstat(own)?.dev;
    /** Upper limit, in bytes: a file that can be hard-linked takes no space. */
    let images = 0;
    for (const { stat } of this.#targets) {
      const linkable = stat.nlink === 1 && stat.dev === device && !held.has(`${stat.dev}:${stat.ino}`);
      if (stat.type === 'file' && !linkable) images += stat.disk;
    }
    const found: Preflight['space'] = [];
    for (const [path, steps] of this.#copied) {
      const { free } = port.space(at(this.#dirs.open(path)));
      // A rename takes no space; but finding moves checks each entry, so only when space is short.
      const short = !live && bytesOf(steps) > free;
      const moved = short ? await this.#moved(steps) : new Set<Step>();
      found.push({ path, needed: bytesOf(steps.filter((step) => !moved.has(step))), free });
    }
    if (images > 0) found.push({ path: own, needed: images, free: port.space(own).free });
    return found;
  }
}

function bytesOf(steps: readonly Step[]): number {
  let bytes = 0;
  for (const { members } of steps) for (const { pending } of members) bytes += pending?.size ?? 0;
  return bytes;
}

function shown(path: BytePath, pid: number): Preflight['writers'][number] {
  const bytes = Buffer.from(processText(pid, 'cmdline') ?? '', 'latin1');
  const command = bytes.toString().replaceAll('\0', ' ').trim();
  return { path, pid, command: command.replace(/\p{C}/gu, '?').slice(0, MAX_COMMAND) };
}
