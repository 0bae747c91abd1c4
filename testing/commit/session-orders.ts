/** Random requests to the sessions of a project, and what each may do to the host and to its view. */

import { dropCommitted } from '../../core/commit/apply/cleanup.ts';
import { commitAll } from '../../core/commit/commit.ts';
import { discardAll, mayHavePending, newestTrash, undoDiscard } from '../../core/commit/discard/discard.ts';
import { discardPart, lookAtDiscard } from '../../core/commit/discard/discard-part.ts';
import { readHistory } from '../../core/commit/history/history.ts';
import { planCommit } from '../../core/commit/plan/plan.ts';
import { choose } from '../../core/commit/plan/scope.ts';
import { logAdoption, takeOverlay } from '../../core/commit/retention/adopt.ts';
import { redoCommit } from '../../core/commit/undo/redo.ts';
import { previewUndo, undoCommit } from '../../core/commit/undo/undo.ts';
import { nodePort } from '../../core/kernel/fs/port.ts';
import { recordBases } from '../../core/overlay/bases.ts';
import { scan } from '../../core/scan/scan.ts';
import { type BytePath, isWithin } from '../../shared/bytes.ts';
import type { CommitReport, UndoConflictChoice } from '../../shared/model/commit.ts';
import { requestFor, undoRequest } from './commit.ts';
import type { Pick } from './random-programs.ts';
import type { Look, SharedProject, Side } from './sessions.ts';

/** Host, and the view of the session in question, before a request. */
export interface Moment {
  host: Look;
  view: Look;
}

/** The lines that a path may have afterwards. */
type May = (path: string) => readonly (string | undefined)[];

export interface Outcome {
  host: May;
  view: May;
  /** Number of a commit or redo, which may be undone. */
  commit?: number;
  /** Name of a discard's directory in the trash. */
  trash?: string;
  /** Contents that may be gone afterwards. */
  mayGo?: ReadonlySet<string>;
}

export interface Committed {
  /** The host before and after the commit. */
  before: Look;
  after: Look;
  /** What an undo has reverted: what is there since is the host's, also where it looks the same. */
  undone: Set<string>;
}

export interface Scene {
  project: SharedProject;
  pick: Pick;
  was: Moment;
  /** By session and number. */
  commits: ReadonlyMap<string, Committed>;
  /** By name: host and view before a discard. */
  discards: ReadonlyMap<string, Moment>;
}

type Order = (side: Side, scene: Scene) => Promise<Outcome | null>;

const same = ({ was: { host, view } }: Scene): Outcome => ({
  host: (path) => [host.get(path)],
  view: (path) => [view.get(path)],
});

export const ORDERS: Readonly<Record<string, Order>> = {
  tidy: async (side, scene) => await tidy(side, scene),

  commit: async (side, scene) => await commit(side, scene, false),
  part: async (side, scene) => await commit(side, scene, true),

  async undo({ ctx }, scene) {
    await recordBases(ctx);
    const n = readHistory(ctx).find(({ can }) => can === 'undo')?.n ?? 0;
    const known = scene.commits.get(`${ctx.session} ${n}`);
    if (n === 0 || known === undefined) return null;
    const { conflicts, unable } = await previewUndo(ctx, n);
    const pairs = conflicts.map(({ path }) => [path, scene.pick.from(['keep-host', 'take-back'] as const)]);
    const choices: Record<string, UndoConflictChoice> = Object.fromEntries(pairs);
    const report = await undoCommit(ctx, undoRequest(n, { choices }));
    if (conflicts.length + unable.length === 0) expectDone(report);
    const named = [...conflicts, ...unable, ...report.failed].map(({ path }) => scene.project.nameOf(path));
    const near = nearTo([...named, ...replacedAbove(named, known)]);
    const earlier = { ...known, undone: new Set(known.undone) };
    const now = scene.project.host();
    for (const [path, line] of known.after)
      if (known.before.get(path) !== line && now.get(path) === known.before.get(path)) known.undone.add(path);
    const host = undone(scene.was.host, earlier, near);
    return { ...same(scene), host };
  },

  async redo({ ctx }, scene) {
    const newest = readHistory(ctx)[0];
    if (newest?.can !== 'redo') return null;
    await recordBases(ctx);
    const report = await redoCommit(ctx, await scan(ctx));
    expectDone(report);
    const known = scene.commits.get(`${ctx.session} ${newest.of}`);
    const { host, view } = scene.was;
    const touched = (path: string) => known?.before.get(path) !== known?.after.get(path);
    return {
      ...same(scene),
      host: (path) => (touched(path) ? [host.get(path), view.get(path)] : [host.get(path)]),
      commit: report.n,
    };
  },

  async discard({ ctx }, scene) {
    const { trash } = await discardAll(ctx, 1);
    return { ...same(scene), view: (path) => [scene.was.host.get(path)], trash };
  },

  async discardPart({ ctx }, scene) {
    const list = await scan(ctx);
    if (list.changes.length === 0) return null;
    const chosen = some(
      list.changes.map(({ path }) => path),
      scene.pick,
    );
    const { plan } = await lookAtDiscard(ctx, list, new Set(chosen));
    if (plan.going.length === 0) return null;
    const { trash } = discardPart(ctx, plan);
    const going = new Set(plan.going.map(({ path }) => scene.project.nameOf(path)));
    const { host, view } = scene.was;
    return {
      ...same(scene),
      view: (path) => [going.has(path) ? host.get(path) : view.get(path)],
      trash,
    };
  },

  async undoDiscard({ ctx }, scene) {
    const trash = (await newestTrash(ctx))?.trash;
    if (trash === undefined) return null;
    await undoDiscard(ctx, trash);
    const known = scene.discards.get(trash);
    const { host, view } = scene.was;
    // While the host is unchanged, it is as before the discard.
    const still = known !== undefined && isSame(known.host, host);
    return {
      ...same(scene),
      view: (path) =>
        still
          ? [known.view.get(path), view.get(path)]
          : [known?.view.get(path), view.get(path), host.get(path)],
    };
  },

  async adopt(from, scene) {
    const { project, was, pick } = scene;
    const to = pick.from(project.sides.filter((one) => one !== from));
    const tidied = await tidy(from, scene);
    await dropCommitted(to.ctx);
    const { changes } = await scan(from.ctx);
    if (changes.length === 0 || (await mayHavePending(to.ctx))) return tidied;
    const held = project.view(from);
    takeOverlay(from.ctx, to.ctx, changes.length);
    await logAdoption(to.ctx, async () => undefined);
    const now = project.view(to);
    if (!isSame(now, held)) throw new Error(`the adopted view is another one: ${difference(now, held)}`);
    return { ...tidied, view: (path) => [was.host.get(path)] };
  },
};

/** Whether a request has something to act on; a quick check. */
export async function isPossible(kind: string, { ctx }: Side): Promise<boolean> {
  if (kind === 'undo') return readHistory(ctx).some(({ can, n }) => can === 'undo' && n > 0);
  if (kind === 'redo') return readHistory(ctx)[0]?.can === 'redo';
  if (kind === 'undoDiscard') return (await newestTrash(ctx)) !== null;
  if (ORDERS[kind] === undefined || kind === 'tidy') return true;
  return ctx.coveredDirs.some(({ upper }) => nodePort.readdir(upper).length > 0);
}

async function tidy(side: Side, scene: Scene): Promise<Outcome> {
  const { project, was } = scene;
  await project.pass(side);
  const { changes } = await scan(side.ctx);
  const pending = new Set(changes.map(({ path }) => project.nameOf(path)));
  await project.tidy(side);
  // A copy that the session has not changed is replaced by the host's present entry.
  const view: May = (path) => [was.view.get(path), ...(pending.has(path) ? [] : [was.host.get(path)])];
  return { ...same(scene), view, mayGo: givenWay(was, pending) };
}

async function commit({ ctx }: Side, scene: Scene, part: boolean): Promise<Outcome | null> {
  const { pick, project, was } = scene;
  await recordBases(ctx);
  const list = await scan(ctx);
  if (list.changes.length === 0) return null;
  const conflicts = list.changes.filter(({ conflict }) => conflict !== null);
  const pairs = conflicts.map(({ id }) => [id, pick.from(['keep-host', 'take-sandbox'] as const)]);
  const paths = part
    ? some(
        list.changes.map(({ path }) => path),
        pick,
      )
    : null;
  const exactly = paths === null ? null : choose(list, { kind: 'paths', paths }, []).paths;
  const request = requestFor(list, { choices: Object.fromEntries(pairs), exactly: exactly ?? undefined });
  const plan = planCommit(list, request);
  const report = await commitAll(ctx, list, request);
  expectDone(report);
  const taken = plan.steps.flatMap(({ members, below }) => [...members, ...below]);
  const along = new Set(plan.along.map(({ change }) => change.path));
  const unasked = taken.find(({ path }) => exactly?.has(path) === false && !along.has(path));
  if (unasked !== undefined) throw new Error(`expected a selection without ${unasked.path}`);
  const names = new Set(taken.map(({ path }) => project.nameOf(path)));
  const pending = new Set(list.changes.map(({ path }) => project.nameOf(path)));
  // A directory that is in the upper only because of what was below it leaves with that: the host's shows again.
  const givesWay = (path: string) => isDirectory(was.view.get(path)) && !pending.has(path);
  const moded = new Set(taken.flatMap(({ path, xattrs }) => (xattrs === true ? [] : [project.nameOf(path)])));
  return {
    ...same(scene),
    host: (path) => {
      const [host, view] = [was.host.get(path), was.view.get(path)];
      if (!names.has(path)) return [host];
      return moded.has(path) ? [view, modeAlone(host, view)] : [view];
    },
    view: (path) => [was.view.get(path), ...(givesWay(path) ? [was.host.get(path)] : [])],
    commit: report.n,
  };
}

/** Of one to three changes, or of about half of them. */
function some(paths: readonly BytePath[], pick: Pick): BytePath[] {
  if (pick.of(2) === 0) return paths.filter(() => pick.of(2) === 0).concat(paths.slice(0, 1));
  return Array.from({ length: 1 + pick.of(3) }, () => pick.from(paths));
}

function undone(
  host: Look,
  { before, after, undone: earlier }: Committed,
  near: (path: string) => boolean,
): May {
  const others = [...host].filter(([path, line]) => after.get(path) !== line).map(([path]) => path);
  const holdsOthers = (dir: string) => others.some((path) => path.startsWith(`${dir.slice(0, -1)}/`));
  return (path) => {
    const now = host.get(path);
    if (near(path)) return [now, before.get(path), undefined];
    // A change undone already stays as it is.
    const [was, made] = [before.get(path), after.get(path)];
    if (earlier.has(path) || was === made) return [now];
    // A directory stays as long as something of others is in it, of which only the first undo is told.
    if (now === made) return isDirectory(now) && holdsOthers(path) ? [was, now] : [was];
    // Its new attributes keep no directory that the commit made from being taken back.
    return isMade(was, made) && withoutAttributes(now) === withoutAttributes(made) ? [now, was] : [now];
  };
}

/** Contents of a session's unchanged copies of files that the host has changed since. */
function givenWay({ host, view }: Moment, pending: ReadonlySet<string>): Set<string> {
  const copies = [...view].filter(([path, line]) => !pending.has(path) && host.get(path) !== line);
  return new Set(copies.map(([, line]) => contentOf(line)));
}

/** As `SharedProject.contents` has it. */
function contentOf(line: string): string {
  const [, mode = '', size, hash] = line.split(' ');
  return mode.startsWith('0o12') ? `link ${size}` : `file ${hash}`;
}

/** Paths that are one of `names`, or above or below one. */
function nearTo(names: readonly string[]): (path: string) => boolean {
  const bare = names.map((name) => name.slice(0, -1) as BytePath);
  return (path) => {
    const mine = path.slice(0, -1) as BytePath;
    return bare.some((one) => isWithin(one, mine) || isWithin(mine, one));
  };
}

/** A directory that took the place of something else stays whole when something in it stays. */
function replacedAbove(names: readonly string[], { before, after }: Committed): string[] {
  const replaced = [...after].filter(([path, line]) => before.has(path) && isMade(before.get(path), line));
  return replaced.map(([path]) => path).filter((path) => names.some(nearTo([path])));
}

const isDirectory = (line: string | undefined) => / 0o4\d{4}( |$)/.test(line ?? '');
const isMade = (before: string | undefined, after: string | undefined) =>
  isDirectory(after) && !isDirectory(before);
/** A directory of which the session changed the mode keeps attributes that only the host changed. */
function modeAlone(host: string | undefined, view: string | undefined): string | undefined {
  if (!isDirectory(host) || !isDirectory(view)) return view;
  return `${withoutAttributes(view)}${host?.slice(withoutAttributes(host)?.length)}`;
}
const withoutAttributes = (line: string | undefined) => line?.replace(/( 0o4\d{4}) .*/, '$1');

function expectDone({ failed, notApplied }: CommitReport): void {
  if (failed.length + notApplied.length === 0) return;
  throw new Error(`not applied: ${JSON.stringify({ failed, notApplied })}`);
}

export function difference(found: Look, expected: Look): string {
  const paths = [...new Set([...found.keys(), ...expected.keys()])];
  const other = paths.filter((path) => found.get(path) !== expected.get(path));
  return other.map((path) => `\n  ${found.get(path)} instead of ${expected.get(path)}`).join('');
}

function isSame(a: Look, b: Look): boolean {
  return difference(a, b) === '';
}
