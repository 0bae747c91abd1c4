/**
 * Exports the pending changes of a repository as a patch or as a commit on a new branch.
 *
 *     split        names to add, names to remove, and what git can't hold (special files, other repositories)
 *     copy         the pending files out of the merged view, into a directory that serves as git's work tree
 *     index        a private index that begins as HEAD; update it with the names, write the tree
 *     write        patch: diff-tree, with objects in a private directory; branch: commit-tree, update-ref
 *
 * The repository's work tree, HEAD and index are not touched; a patch writes nothing into the repository.
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { type BytePath, fromText, isWithin, joinPath, nameOf, parentOf, toText } from '../../shared/bytes.ts';
import { EXPORT_MS } from '../../shared/limits.ts';
import { type Change, type ChangeList, CONFLICT_REASONS } from '../../shared/model/change.ts';
import type { Told } from '../../shared/model/commit.ts';
import { copyOut } from '../commit/stage/copy.ts';
import { type GitOptions, git, hasNoWorkTree, namesOf, ownSettings, type Repo } from '../git-rescue/git.ts';
import { chmodEntry, removePath } from '../kernel/fs/dir-handles.ts';
import { errorText } from '../kernel/fs/entry.ts';
import { at, fsPath, nodePort as port } from '../kernel/fs/port.ts';
import { openViewer } from '../overlay/viewer.ts';
import type { SessionContext } from '../session/session-context.ts';
import {
  branchExists,
  type GitStep,
  gitFailed,
  IGNORED,
  IN_SUBMODULE,
  notABranchName,
  notCopied,
  nothingToExport,
  OTHER_REPOSITORY,
  OWN_DATA,
  patchNotMade,
  typeUnknownToGit,
} from './messages.ts';

export type ExportTarget =
  | { kind: 'patch'; file: BytePath }
  | { kind: 'branch'; name: string; message: string };

export interface ExportReport {
  repository: BytePath;
  entries: number;
  /** Pending changes that git ignores or can't hold. */
  left: Told[];
  commit: string | null;
}

/**
 * @param going the changes to export, in the order of the list @param dir a directory of the repository
 * @throws TraiError `not-found` (no repository, nothing to export), `bad-input` (a bad or taken name), `io`
 */
export async function exportChanges(
  ctx: SessionContext,
  list: ChangeList,
  going: readonly Change[],
  dir: string,
  target: ExportTarget,
): Promise<ExportReport> {
  const found: Repo = { dir, globals: [], settings: [], deadline: Date.now() + EXPORT_MS };
  const top = await line(found, ['rev-parse', '--show-toplevel'], 'workTree');
  const repo: Repo = { ...found, settings: await settingsOf(found, top) };
  if (target.kind === 'branch') await expectFreeName(repo, target.name);
  const work = mkdtempSync(`${ctx.sessionDir}/export-`);
  const ours: Repo = { ...repo, globals: [`--work-tree=${work}/tree`] };
  const place: ExportPlace = { repo, ours, top, work, env: { GIT_INDEX_FILE: `${work}/index` } };
  try {
    for (const name of ['tree', 'objects']) mkdirSync(`${work}/${name}`, { mode: 0o700 });
    if (target.kind === 'patch') await useOwnObjects(place);
    const head = await headOf(place);
    const { names, gone, left } = splitNames(list, going, top);
    const skipped = await fillTree(ctx, place, names);
    const kept = names.filter((name) => !skipped.some(({ path }) => path === joinPath(top, name)));
    await stage(place, kept, gone);
    const tree = await line(place.repo, ['write-tree'], 'tree', { env: place.env });
    const entries = await countDiffering(place, head.tree, tree);
    if (entries === 0) throw nothingToExport(top, [...left, ...skipped]);
    const commit = target.kind === 'patch' ? null : await makeBranch(place, head.commit, tree, target);
    if (target.kind === 'patch') await writePatch(place, head.tree, tree, target.file);
    return { repository: top, entries, left: [...left, ...skipped], commit };
  } finally {
    removePath(port, fromText(ctx.sessionDir), nameOf(fromText(work)));
  }
}

async function settingsOf(repo: Repo, top: BytePath): Promise<Repo['settings']> {
  return [
    ...(await ownSettings(repo, top)),
    // The files themselves decide, not how this repository is configured for its work tree.
    ['core.fileMode', 'true'],
    ['core.symlinks', 'true'],
    ['core.ignoreCase', 'false'],
    ['core.safecrlf', 'false'],
    ['core.sparseCheckout', 'false'],
    // Would write a second index beside the repository's.
    ['core.splitIndex', 'false'],
    ['core.untrackedCache', 'false'],
  ];
}

async function expectFreeName(repo: Repo, name: string): Promise<void> {
  const ref = `refs/heads/${name}`;
  if (name.startsWith('-') || (await git(repo, ['check-ref-format', ref])).status !== 0)
    throw notABranchName(name);
  if ((await git(repo, ['show-ref', '--verify', '-q', ref])).status === 0) throw branchExists(name);
}

async function useOwnObjects({ repo, work, env }: ExportPlace): Promise<void> {
  const objects = await line(
    repo,
    ['rev-parse', '--path-format=absolute', '--git-path', 'objects'],
    'objects',
  );
  mkdirSync(`${work}/objects/info`);
  writeFileSync(`${work}/objects/info/alternates`, `${objects}\n`, 'latin1');
  env['GIT_OBJECT_DIRECTORY'] = `${work}/objects`;
}

/** The initial tree of the private index; empty in a repository without a commit. */
async function headOf({ repo, env }: ExportPlace): Promise<{ commit: string | null; tree: string }> {
  const { status, out } = await git(repo, ['rev-parse', '-q', '--verify', 'HEAD^{commit}']);
  if (status !== 0) return { commit: null, tree: await line(repo, ['mktree'], 'tree', { env }) };
  const commit = out.trim();
  await line(repo, ['read-tree', commit], 'head', { env });
  return { commit, tree: await line(repo, ['rev-parse', `${commit}^{tree}`], 'head') };
}

async function fillTree(
  ctx: SessionContext,
  place: ExportPlace,
  names: readonly BytePath[],
): Promise<Told[]> {
  const { top, work } = place;
  if (names.length === 0) return [];
  const viewer = await openViewer(ctx);
  const fd = port.openDir(fromText(`${work}/tree`));
  try {
    const from = viewer.pathOf(top);
    const rules = ruleFiles(names).filter((name) => port.lstat(joinPath(from, name))?.type === 'file');
    const complaint = await copyOut(port, from, [...new Set([...names, ...rules])], fd);
    const missing = names.filter((name) => port.lstat(at(fd, name)) === null);
    const [first] = missing;
    if (first !== undefined) throw notCopied(joinPath(top, first), complaint);
    for (const name of names) makeReadable(at(fd, name));
  } finally {
    port.close(fd);
    await viewer.close();
  }
  return await notForGit(place, names);
}

function makeReadable(path: BytePath): void {
  const stat = port.lstat(path);
  if (stat?.type === 'file' && (stat.mode & 0o400) === 0) chmodEntry(port, path, stat.mode | 0o400);
}

async function stage(
  { ours, env }: ExportPlace,
  names: readonly BytePath[],
  gone: readonly BytePath[],
): Promise<void> {
  const update = async (flags: readonly string[], some: readonly BytePath[]): Promise<void> => {
    const words = ['update-index', ...flags, '-z', '--stdin'];
    const input = some.map((name) => `${name}\0`).join('');
    if (input !== '') await line(ours, words, 'index', { env, input });
  };
  await update(['--force-remove'], gone);
  await update(['--add', '--replace'], names);
}

async function countDiffering({ repo, env }: ExportPlace, from: string, to: string): Promise<number> {
  if (from === to) return 0;
  const words = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to];
  const { status, out, err } = await git(repo, words, { env });
  if (status !== 0) throw gitFailed('differing', { command: words[0], status, err });
  return namesOf(out).length;
}

async function writePatch(
  { repo, env }: ExportPlace,
  from: string,
  to: string,
  file: BytePath,
): Promise<void> {
  const fd = openNew(file);
  try {
    const how = ['-p', '-r', '--binary', '--full-index', '--no-renames', '--no-ext-diff', '--no-textconv'];
    await line(repo, ['diff-tree', ...how, from, to], 'patch', { env, stdout: fd });
  } catch (error) {
    // Part of a patch would apply without an error.
    rmSync(fsPath(file), { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

function openNew(file: BytePath): number {
  try {
    return openSync(fsPath(file), 'wx', 0o666);
  } catch (error) {
    throw patchNotMade(file, errorText(error));
  }
}

async function makeBranch(
  { repo, env }: ExportPlace,
  parent: string | null,
  tree: string,
  { name, message }: { name: string; message: string },
): Promise<string> {
  const words = ['commit-tree', tree, ...(parent === null ? [] : ['-p', parent])];
  const options = { env: { ...env, ...(await identity(repo)) }, input: `${fromText(message)}\n` };
  const commit = await line(repo, words, 'commit', options);
  // With an empty old value update-ref fails if the branch exists.
  await line(repo, ['update-ref', '-m', 'trai export', `refs/heads/${name}`, commit, ''], 'branch');
  return commit;
}

async function identity(repo: Repo): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const [key, part] of [
    ['user.name', 'NAME'],
    ['user.email', 'EMAIL'],
  ] as const) {
    const { status, out } = await git(repo, ['config', '--get', key]);
    if (status !== 0 || out.trim() === '') continue;
    const value = toText(out.trim());
    env[`GIT_AUTHOR_${part}`] = value;
    env[`GIT_COMMITTER_${part}`] = value;
  }
  return env;
}

interface ExportNames {
  /** Relative to the repository's top: files and links. */
  names: BytePath[];
  gone: BytePath[];
  left: Told[];
}

export function splitNames(list: ChangeList, going: readonly Change[], top: BytePath): ExportNames {
  const whyForeign = foreignIn(list, top);
  const split: ExportNames = { names: [], gone: [], left: [] };
  for (const { path, pending, host, conflict } of going) {
    if (path === top || !isWithin(path, top)) continue;
    const name = path.slice(top === '/' ? 1 : top.length + 1) as BytePath;
    const why = whyForeign(path);
    if (why !== '') {
      if (why !== OWN_DATA) split.left.push({ path, why });
    } else if (conflict === 'unreadable') split.left.push({ path, why: CONFLICT_REASONS.unreadable });
    else if (pending?.type === 'file' || pending?.type === 'symlink') split.names.push(name);
    else {
      if (host !== null && host.type !== 'dir') split.gone.push(name);
      if (pending !== null && pending.type !== 'dir')
        split.left.push({ path, why: typeUnknownToGit(pending.type) });
    }
  }
  return split;
}

/** Why git does not track a path in this repository, or ''; other repositories are of the host or pending. */
function foreignIn(list: ChangeList, top: BytePath): (path: BytePath) => string {
  const pending = new Set(list.changes.map(({ path }) => path));
  const known = new Map<BytePath, string>([[top, '']]);
  const whyIn = (dir: BytePath): string => {
    const before = known.get(dir);
    if (before !== undefined) return before;
    const own = `${dir}/.git` as BytePath;
    const isRepository = dir.endsWith('/.git') || pending.has(own) || port.lstat(own) !== null;
    const why = isRepository ? OTHER_REPOSITORY : whyIn(parentOf(dir));
    known.set(dir, why);
    return why;
  };
  return (path) => (isWithin(path, joinPath(top, '.git')) ? OWN_DATA : whyIn(parentOf(path)));
}

interface ExportPlace {
  repo: Repo;
  /** `repo` with the copies as its work tree. */
  ours: Repo;
  top: BytePath;
  work: string;
  env: Record<string, string>;
}

/** Returns the output without the final newline. @throws TraiError `not-found` (no repository), `io` */
async function line(
  repo: Repo,
  args: readonly string[],
  step: GitStep,
  options: GitOptions = {},
): Promise<BytePath> {
  const ran = await git(repo, args, options);
  if (ran.status === 0) return ran.out.replace(/\n$/, '') as BytePath;
  throw gitFailed(step, { command: args[0], ...ran }, hasNoWorkTree(ran) ? 'not-found' : 'io');
}

function ruleFiles(names: readonly BytePath[]): BytePath[] {
  const dirs = new Set<string>(['']);
  for (const name of names) {
    for (let dir = parentOf(`/${name}` as BytePath); dir !== '/' && !dirs.has(dir); dir = parentOf(dir))
      dirs.add(dir);
  }
  return [...dirs].flatMap((dir) =>
    ['.gitignore', '.gitattributes'].map((rule) => `${dir}/${rule}`.slice(1) as BytePath),
  );
}

async function notForGit({ repo, ours, top, env }: ExportPlace, names: readonly BytePath[]): Promise<Told[]> {
  const input = `${names.join('\0')}\0`;
  const { status, out, err } = await git(ours, ['check-ignore', '-z', '--stdin'], { env, input });
  if (status > 1) throw gitFailed('ignored', { command: 'check-ignore', status, err });
  const tell = (some: readonly BytePath[], why: string) =>
    some.map((name) => ({ path: joinPath(top, name), why }));
  const index = await line(repo, ['ls-files', '-s', '-z'], 'indexRead', { env, long: true });
  const links = namesOf(index).flatMap((entry) =>
    entry.startsWith('160000 ') ? [entry.slice(entry.indexOf('\t') + 1)] : [],
  );
  return [
    ...tell(namesOf(out), IGNORED),
    ...tell(
      names.filter((name) => links.some((link) => isWithin(name, link))),
      IN_SUBMODULE,
    ),
  ];
}
