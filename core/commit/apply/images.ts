/**
 * Before-images: what a commit takes off the host is kept in `commits/<n>/before/` for an undo.
 *
 * - `l<i>`: the inode of unit i's old entry, linked or renamed there, if it had one name and no process had
 *   it open for writing before `ready`. Checked again when the names are gone: an inode opened in between is
 *   replaced by a copy. Processes of other users escape that, but their writes show: the undo refuses.
 * - `c/<path>`: a copy, made before `ready`, of everything else: other names, writers, another file system.
 */

import { type BytePath, isBelowAny, joinPath } from '../../../shared/bytes.ts';
import { relativeTo } from '../../kernel/fs/dir-handles.ts';
import { type Fingerprint, fingerprint, looksAlike, typeOf } from '../../kernel/fs/fingerprint.ts';
import { mountOf } from '../../kernel/fs/mounts.ts';
import { at, type FsPort, orIfRefused, withHandleAsync } from '../../kernel/fs/port.ts';
import { heldForWriting } from '../../kernel/proc/open-files.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import { commitDir } from '../journal/journal.ts';
import { hostOf, type ImageKind, type KeptKind, replacedBelow, type Unit } from '../journal/unit.ts';
import { noBeforeImage } from '../messages/reasons.ts';
import { BACK, waitingAt } from '../stage/areas.ts';
import { type CheckedStep, type Findings, failStep } from '../stage/check-steps.ts';
import { copyOut } from '../stage/copy.ts';
import { makeParents, type Staging } from '../stage/stage.ts';
import type { Task } from './task.ts';

export const BEFORE = 'before' as BytePath;
const COPIES = 'c' as BytePath;

export function imageName(i: number): BytePath {
  return `l${i}` as BytePath;
}

export function copiedImage(path: BytePath): BytePath {
  return `${BEFORE}/${COPIES}${path}` as BytePath;
}

export function imageOf(unit: Unit): KeptKind | undefined {
  return 'image' in unit ? unit.image : undefined;
}

function takenAway({ step, host, below }: CheckedStep): { path: BytePath; id: string }[] {
  if (host === null || step.op === 'meta') return [];
  return [{ path: step.change.path, id: host }, ...below.map(({ path, host: id }) => ({ path, id }))];
}

/** Chooses the kind of each before-image and makes the copies. A step whose copy fails, fails. */
export async function keepImages(
  { port, ctx, journal }: Staging,
  findings: Findings,
): Promise<Map<CheckedStep, ImageKind>> {
  const kinds = new Map<CheckedStep, ImageKind>();
  const taking = findings.checked.flatMap((one) => {
    const prints = takenAway(one).map(({ id }) => fingerprint(id));
    return prints.length === 0 ? [] : [{ one, prints }];
  });
  if (taking.length === 0) return kinds;
  const dir = commitDir(ctx, journal.record.n);
  port.mkdir(joinPath(dir, BEFORE), 0o700);
  const own = mountOf(port, joinPath(dir, BEFORE));
  const files = taking.flatMap(({ prints }) => prints).filter(({ type }) => type === 'file');
  const held = heldForWriting(new Set(files.map(({ ino }) => ino)));
  const mounts = new Map<BytePath, string>();
  for (const { one, prints } of taking) {
    const place = coveringDir(ctx.coveredDirs, one.step.change.path)?.path ?? ('/' as BytePath);
    if (!mounts.has(place)) mounts.set(place, mountOf(port, place));
    const near = mounts.get(place) === own && prints.every(({ dev }) => own.endsWith(`:${dev}`));
    const mayLink = near && prints.every((print) => isOnlyOurs(print, held));
    const permitted = one.step.op === 'delete' || ctx.root || prints[0]?.uid === ctx.uid;
    kinds.set(one, mayLink && permitted ? 'link' : 'copy');
  }
  if ([...kinds.values()].includes('copy')) journal.syncBegin();
  await copyImages(port, dir, kinds, findings);
  return kinds;
}

/** The link count of a directory says nothing about other names. */
function isOnlyOurs({ type, nlink, ino }: Fingerprint, held: ReadonlySet<bigint>): boolean {
  return type === 'dir' || (nlink === 1 && !(type === 'file' && held.has(ino)));
}

async function copyImages(
  port: FsPort,
  dir: BytePath,
  kinds: ReadonlyMap<CheckedStep, ImageKind>,
  findings: Findings,
): Promise<void> {
  const copied = [...kinds].filter(([, kind]) => kind === 'copy').map(([one]) => one);
  if (copied.length === 0) return;
  port.mkdir(joinPath(dir, copiedImage('' as BytePath)), 0o700);
  await withHandleAsync(port, port.openDir(joinPath(dir, copiedImage('' as BytePath))), async (fd) => {
    const tops = topsOf(copied.map(({ step, host }) => ({ path: step.change.path, id: host })));
    const names = tops.map((path) => relativeTo('/' as BytePath, path));
    makeParents(port, fd, names);
    const complaint = await copyOut(port, '/' as BytePath, names, fd);
    for (const one of copied) {
      if (takenAway(one).every(({ path, id }) => isCopyOf(port, fd, path, id))) continue;
      failStep(one.step, noBeforeImage(complaint), findings.failed);
    }
    findings.checked = findings.checked.filter(({ step }) => !findings.failed.has(step.change.path));
  });
}

/** The paths that lie in no directory among them. */
export function topsOf(entries: readonly { path: BytePath; id: string | null }[]): BytePath[] {
  const dirs = new Set(entries.filter(({ id }) => typeOf(id) === 'dir').map(({ path }) => path));
  return entries.map(({ path }) => path).filter((path) => !isBelowAny(path, dirs));
}

function isCopyOf(port: FsPort, fd: number, path: BytePath, id: string): boolean {
  const stat = port.lstat(at(fd, relativeTo('/' as BytePath, path)));
  return stat !== null && looksAlike(id, stat);
}

/** Where the inode of the unit's old entry is kept; null = a copy is, or nothing. @param commit its directory */
export function linkedImage(
  { coveredDirs }: Pick<SessionContext, 'coveredDirs'>,
  commit: BytePath,
  unit: Unit,
): BytePath | null {
  const kind = imageOf(unit);
  if (kind === 'link') return joinPath(commit, joinPath(BEFORE, imageName(unit.i)));
  const covered = kind === 'back' ? coveringDir(coveredDirs, unit.path) : null;
  return covered === null ? null : waitingAt(joinPath(commit, BACK), covered, unit.path);
}

/** Replaces linked images by copies where a process has opened the inode for writing meanwhile. */
export async function copyWrittenImages({ port, ctx, journal }: Task): Promise<void> {
  const { units, done, n } = journal.record;
  const linked = new Map<bigint, { unit: Unit; path: BytePath }>();
  for (const unit of units) {
    const id = hostOf(unit);
    if (imageOf(unit) !== 'link' || !done.has(unit.i) || id === null) continue;
    const top = imageName(unit.i);
    if (typeOf(id) === 'file') linked.set(fingerprint(id).ino, { unit, path: top });
    for (const { path, host } of replacedBelow(unit)) {
      const below = joinPath(top, relativeTo(unit.path, path));
      if (typeOf(host) === 'file') linked.set(fingerprint(host).ino, { unit, path: below });
    }
  }
  const held = heldForWriting(new Set(linked.keys()));
  if (held.size === 0) return;
  const dir = joinPath(commitDir(ctx, n), BEFORE);
  for (const ino of held) {
    const found = linked.get(ino);
    if (found === undefined) continue;
    const image = joinPath(dir, found.path);
    if (port.lstat(image)?.ino !== ino) continue;
    if (!(await ownCopy(port, dir, image))) journal.add({ t: 'no-image', i: found.unit.i });
  }
}

async function ownCopy(port: FsPort, dir: BytePath, image: BytePath): Promise<boolean> {
  const copy = joinPath(dir, 'copy');
  if (port.lstat(copy) !== null) port.unlink(copy);
  const script = 'IFS= read -r -d "" a; IFS= read -r -d "" b; exec cp -aT --reflink=auto -- "$a" "$b"';
  const input = Buffer.from(`${image}\0${copy}\0`, 'latin1');
  const { status } = await port.run('bash', ['--norc', '-c', script], input, []);
  if (status !== 0) return false;
  port.rename(copy, image);
  return true;
}

/** Removes links of units that failed afterwards: the host still has the file, with another change time. */
export function dropUnusedImages({ port, ctx, journal }: Task): void {
  const { units, done, n } = journal.record;
  for (const unit of units) {
    if (unit.kind !== 'put' || done.has(unit.i)) continue;
    const image = linkedImage(ctx, commitDir(ctx, n), unit);
    if (image === null) continue;
    orIfRefused(() => {
      if ((port.lstat(image)?.nlink ?? 0) <= 1) return;
      port.unlink(image);
      const now = imageOf(unit) === 'back' ? port.lstat(unit.path) : null;
      if (now !== null) journal.add({ t: 'unlinked', i: unit.i, stamp: String(now.ctimeNs) });
    }, undefined);
  }
}
