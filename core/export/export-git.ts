/**
 * The pending changes of a repository as a patch, or as a commit on a new branch. Work tree, HEAD and index of the
 * repository are not touched: the pending files are copied out of the merged view into a directory of our own, which
 * git takes for its work tree, with an index of our own that begins as HEAD. A patch writes nothing into the repository
 * at all: its objects go into a directory of our own, too.
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { type BytePath, fromText, joinPath, nameOf, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { EXPORT_MS } from '../../shared/limits.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import type { Told } from '../../shared/model/commit.ts';
import { copyOut } from '../commit/stage/copy.ts';
import { git, ownSettings, type Repo } from '../git-rescue/git.ts';
import { at, type FsPort, nodePort } from '../kernel/fs/port.ts';
import { removePath } from '../kernel/fs/remove-tree.ts';
import { openViewer } from '../overlay/viewer.ts';
import type { SessionContext } from '../session/session-context.ts';
import { splitNames } from './export-names.ts';
import { type ExportPlace, line, notForGit, ruleFiles } from './export-place.ts';

export type ExportTarget =
  | { kind: 'patch'; file: string }
  | { kind: 'branch'; name: string; message: string };

export interface ExportReport {
  /** Top directory of the repository. */
  repository: BytePath;
  /** Names that differ from HEAD. */
  entries: number;
  /** What is pending in it and can't be, or is not to be, in a commit of git. */
  left: Told[];
  /** Of a branch: the new commit. */
  commit: string | null;
}

/**
 * @param going the changes to take, in the order of the list
 * @param dir a directory of the repository
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
  const top = await line(
    found,
    ['rev-parse', '--show-toplevel'],
    'this is not the work tree of a repository',
  );
  const repo: Repo = { ...found, settings: await settingsOf(found, top) };
  if (target.kind === 'branch') await expectFreeName(repo, target.name);
  const work = mkdtempSync(`${ctx.sessionDir}/export-`);
  const place: ExportPlace = { port: nodePort, repo, top, work, env: { GIT_INDEX_FILE: `${work}/index` } };
  try {
    for (const name of ['tree', 'objects']) mkdirSync(`${work}/${name}`, { mode: 0o700 });
    if (target.kind === 'patch') await useOwnObjects(place);
    const head = await headOf(place);
    const { names, gone, left } = splitNames(list, going, top);
    const skipped = await fillTree(ctx, place, names);
    const kept = names.filter((name) => !skipped.some(({ path }) => path === joinPath(top, name)));
    await stage(place, kept, gone);
    const tree = await line(place.repo, ['write-tree'], 'the tree can not be written', { env: place.env });
    const entries = await countDiffering(place, head.tree, tree);
    if (entries === 0) throw nothing(top, [...left, ...skipped]);
    const commit = target.kind === 'patch' ? null : await makeBranch(place, head.commit, tree, target);
    if (target.kind === 'patch') await writePatch(place, head.tree, tree, target.file);
    return { repository: top, entries, left: [...left, ...skipped], commit };
  } finally {
    removePath(nodePort, fromText(ctx.sessionDir), nameOf(fromText(work)));
  }
}

async function settingsOf(repo: Repo, top: BytePath): Promise<Repo['settings']> {
  return [
    ...(await ownSettings(repo, top)),
    // What the files are decides, not how this repository looks at its own work tree.
    ['core.fileMode', 'true'],
    ['core.symlinks', 'true'],
    ['core.ignoreCase', 'false'],
    ['core.safecrlf', 'false'],
    ['core.sparseCheckout', 'false'],
    // It would write a second index beside the repository's.
    ['core.splitIndex', 'false'],
    ['core.untrackedCache', 'false'],
  ];
}

async function expectFreeName(repo: Repo, name: string): Promise<void> {
  const ref = `refs/heads/${name}`;
  if (name.startsWith('-') || (await git(repo, ['check-ref-format', ref])).status !== 0)
    throw new TraiError('bad-input', `expected the name of a branch, found ${JSON.stringify(name)}`);
  if ((await git(repo, ['show-ref', '--verify', '-q', ref])).status === 0)
    throw new TraiError('bad-input', `there is a branch ${name} already`, {
      hint: 'Nothing was changed. Choose another name, or delete that branch first.',
    });
}

async function useOwnObjects({ repo, work, env }: ExportPlace): Promise<void> {
  const objects = await line(
    repo,
    ['rev-parse', '--path-format=absolute', '--git-path', 'objects'],
    'no objects',
  );
  mkdirSync(`${work}/objects/info`);
  writeFileSync(`${work}/objects/info/alternates`, `${objects}\n`, 'latin1');
  env['GIT_OBJECT_DIRECTORY'] = `${work}/objects`;
}

/** The tree that our index begins with; of a repository without a commit an empty one. */
async function headOf({ repo, env }: ExportPlace): Promise<{ commit: string | null; tree: string }> {
  const { status, out } = await git(repo, ['rev-parse', '-q', '--verify', 'HEAD^{commit}']);
  if (status !== 0) return { commit: null, tree: await line(repo, ['mktree'], 'no empty tree', { env }) };
  const commit = out.trim();
  await line(repo, ['read-tree', commit], 'HEAD can not be read', { env });
  return { commit, tree: await line(repo, ['rev-parse', `${commit}^{tree}`], 'HEAD can not be read') };
}

/** Copies the files, and says which of them git is not to have. */
async function fillTree(
  ctx: SessionContext,
  place: ExportPlace,
  names: readonly BytePath[],
): Promise<Told[]> {
  const { port, top, work } = place;
  if (names.length === 0) return [];
  const viewer = await openViewer(ctx);
  const fd = port.openDir(fromText(`${work}/tree`));
  try {
    const from = viewer.pathOf(top);
    const rules = ruleFiles(names).filter((name) => isFile(port, joinPath(from, name)));
    const complaint = await copyOut(port, from, [...new Set([...names, ...rules])], fd);
    const missing = names.filter((name) => port.lstat(at(fd, name)) === null);
    const [first] = missing;
    if (first !== undefined)
      throw new TraiError('io', `${toDisplay(joinPath(top, first))} could not be read: ${complaint}`);
    for (const name of names) makeReadable(port, at(fd, name));
  } finally {
    port.close(fd);
    await viewer.close();
  }
  return await notForGit(place, names);
}

function isFile(port: FsPort, path: BytePath): boolean {
  return port.lstat(path)?.type === 'file';
}

function makeReadable(port: FsPort, path: BytePath): void {
  const stat = port.lstat(path);
  if (stat?.type !== 'file' || (stat.mode & 0o400) !== 0) return;
  const fd = port.openEntry(path);
  try {
    port.chmod(at(fd), stat.mode | 0o400);
  } finally {
    port.close(fd);
  }
}

async function stage(
  { repo, work, env }: ExportPlace,
  names: readonly BytePath[],
  gone: readonly BytePath[],
): Promise<void> {
  const ours: Repo = { ...repo, globals: [`--work-tree=${work}/tree`] };
  const update = async (flags: readonly string[], some: readonly BytePath[]): Promise<void> => {
    if (some.length === 0) return;
    const input = `${some.join('\0')}\0`;
    await line(ours, ['update-index', ...flags, '-z', '--stdin'], 'the index can not be made', {
      env,
      input,
    });
  };
  await update(['--force-remove'], gone);
  await update(['--add', '--replace'], names);
}

async function countDiffering({ repo, env }: ExportPlace, from: string, to: string): Promise<number> {
  if (from === to) return 0;
  const words = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to];
  const { status, out, err } = await git(repo, words, { env });
  if (status !== 0) throw new TraiError('io', `git diff-tree ended with ${status}: ${err}`);
  return out.split('\0').filter((name) => name !== '').length;
}

async function writePatch({ repo, env }: ExportPlace, from: string, to: string, file: string): Promise<void> {
  const fd = openNew(file);
  try {
    const how = ['-p', '-r', '--binary', '--full-index', '--no-renames', '--no-ext-diff', '--no-textconv'];
    await line(repo, ['diff-tree', ...how, from, to], 'the patch can not be written', { env, stdout: fd });
  } catch (error) {
    // Half a patch would apply, too.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

function openNew(file: string): number {
  try {
    return openSync(file, 'wx', 0o666);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TraiError('bad-input', `expected the name of a new file for the patch: ${why}`, {
      hint: 'Nothing was written. Choose another name.',
    });
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
  const commit = await line(repo, words, 'the commit can not be made', options);
  // An empty old value: the branch must not exist.
  await line(
    repo,
    ['update-ref', '-m', 'trai export', `refs/heads/${name}`, commit, ''],
    'the branch can not be made',
  );
  return commit;
}

/** The person's own, as their git has it. */
async function identity(repo: Repo): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const [key, part] of [
    ['user.name', 'NAME'],
    ['user.email', 'EMAIL'],
  ] as const) {
    const { status, out } = await git(repo, ['config', '--get', key]);
    if (status !== 0 || out.trim() === '') continue;
    const value = Buffer.from(out.trim(), 'latin1').toString();
    env[`GIT_AUTHOR_${part}`] = value;
    env[`GIT_COMMITTER_${part}`] = value;
  }
  return env;
}

function nothing(top: BytePath, left: readonly Told[]): TraiError {
  const [first] = left;
  const why = first === undefined ? '' : ` (${toDisplay(first.path)}: ${first.why})`;
  return new TraiError('not-found', `nothing is pending in ${toDisplay(top)} that differs from HEAD${why}`);
}
